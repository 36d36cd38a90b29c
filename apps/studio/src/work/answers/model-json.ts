import type { FittedModel, ModelState } from "argmax/core";
import { type ModelCard, saveModel } from "argmax/persistence";
import { loadModel } from "../all-estimators.js";
import type { Model } from "../estimators.js";

/** A model as plain JSON, to be read by any language: what `argmax convert --to json` writes. */
export function jsonOfModel(model: unknown, card: ModelCard | undefined): string {
  const state = (model as FittedModel).toState();
  return `${JSON.stringify({ format: "argmax", card, model: described(state) })}\n`;
}

/** Tensors as { shape, data }, so that 2 × 3 numbers can be told from 3 × 2. */
function described({ kind, params, values, tensors, parts }: ModelState): unknown {
  return {
    kind,
    params,
    values,
    tensors: Object.fromEntries(
      Object.entries(tensors).map(([name, { shape, data }]) => [
        name,
        { shape, data: Array.from(data, plain) },
      ]),
    ),
    ...(parts && { parts: parts.map(described) }),
  };
}

/** JSON has no infinities. */
const plain = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

interface JsonState extends Omit<ModelState, "tensors" | "parts"> {
  readonly tensors: Readonly<
    Record<string, { readonly shape: number[]; readonly data: (number | string)[] }>
  >;
  readonly parts?: readonly JsonState[];
}

/** The model of a JSON text, with the types of arrays of the one that it was made of. */
export function modelOfJson(text: string, like: unknown): Model {
  const { model } = JSON.parse(text) as { model: JsonState };
  const state = revived(model, (like as FittedModel).toState());
  return loadModel(saveModel({ toState: () => state } as FittedModel));
}

function revived(json: JsonState, like: ModelState): ModelState {
  const tensors = Object.entries(json.tensors).map(([name, { shape, data }]) => {
    const Numbers = like.tensors[name]!.data.constructor as Float64ArrayConstructor;
    return [name, { shape, data: Numbers.from(data.map(Number)) }];
  });
  return {
    kind: json.kind,
    params: json.params,
    values: json.values,
    tensors: Object.fromEntries(tensors),
    ...(json.parts && { parts: json.parts.map((part, p) => revived(part, like.parts![p]!)) }),
  } as ModelState;
}
