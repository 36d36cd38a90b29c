import type { FittedModel } from "../core/contract.js";
import { readOptions } from "../core/params/options.js";
import type { ModelState } from "../core/state/state.js";
import { requireFitted, type SaveOptions, saveOptions } from "./model-file.js";

/**
 * A fitted model, with its card if it has one, as one line of JSON that programs in any language can read. Tensors are
 * { shape, data }, so that 2 × 3 numbers can be told from 3 × 2. `loadModel` reads files of `saveModel`, not this.
 */
export function modelToJson(model: FittedModel, options: SaveOptions = {}): string {
  const { card } = readOptions("modelToJson", saveOptions, options);
  requireFitted("modelToJson", model);
  return `${JSON.stringify({ format: "argmax", card, model: described(model.toState()) })}\n`;
}

function described({ kind, params, values, tensors, parts }: ModelState): object {
  const entries = Object.entries(tensors).map(([name, { shape, data }]) => [
    name,
    { shape, data: Array.from(data, plain) },
  ]);
  return {
    kind,
    params,
    values,
    tensors: Object.fromEntries(entries),
    ...(parts && { parts: parts.map(described) }),
  };
}

/** JSON has no infinities. */
const plain = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
