import type { FittedModel, ModelState } from "argmax/core";
import { saveModel } from "argmax/persistence";
import { loadModel } from "../all-estimators.js";
import type { Model } from "../estimators.js";

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
