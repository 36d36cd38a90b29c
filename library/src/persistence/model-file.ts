import type { FittedModel } from "../core/contract.js";
import { FormatError, show } from "../core/errors.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import type { Json, ModelState, Tensor } from "../core/state/state.js";
import { textEncoder } from "../core/text/utf8-coders.js";
import { crc32 } from "./crc32.js";
import { parse, stringify } from "./json.js";
import { cardMetadata, type ModelCard } from "./model-card.js";
import { bytesOf, checkBytes, decodeSafetensors, dtypeOf, encodeSafetensors } from "./safetensors.js";

/** Incremented when files become unreadable for older versions. */
const VERSION = 1;
const MAX_PARTS_DEPTH = 32;

export interface SaveOptions {
  /** What the model predicts, and from which columns; see `modelCard`. */
  readonly card?: ModelCard | undefined;
}

export const saveOptions = {
  card: option<ModelCard>(
    "union",
    "What the model predicts, and from which columns.",
    "what modelCard returns",
    (value) => typeof value === "object" && value !== null,
  ),
} satisfies TableOf<SaveOptions>;

export function requireFitted(where: string, model: unknown): void {
  if (typeof (model as Partial<FittedModel> | null)?.toState === "function") return;
  const isEstimator = typeof (model as { fit?: unknown } | null)?.fit === "function";
  const advice = isEstimator ? "Fit it first; JSON.stringify(estimator) describes an estimator." : undefined;
  throw new FormatError(where, "the model", "a fitted model", show(model), advice);
}

/** A state without its numbers: the names of its tensors, and the states of its component models. */
// An interface would not be Json: it has no index signature.
type Description = {
  readonly kind: string;
  readonly params: Readonly<Record<string, Json>>;
  readonly values: Readonly<Record<string, Json>>;
  readonly tensors: readonly string[];
  readonly parts: readonly Description[];
};

/**
 * A fitted model as bytes: a safetensors file that any reader of that format opens. Its metadata hold the model's
 * description as JSON and a checksum over description and tensors, and the card if one is given (`modelCard`).
 */
export function saveModel(model: FittedModel, options: SaveOptions = {}): Uint8Array {
  const { card } = readOptions("saveModel", saveOptions, options);
  requireFitted("saveModel", model);
  const tensors = new Map<string, Tensor>();
  const description = stringify("saveModel", describe(model.toState(), "", tensors));
  const metadata = {
    format: "argmax",
    version: String(VERSION),
    crc32: checksum(description, tensors),
    model: description,
    ...(card && cardMetadata("saveModel", card)),
  };
  return encodeSafetensors({ metadata, tensors });
}

/** Collects the tensors of a state and of its component models; those of component 1 are named `1.mean`, `1.scale`, … */
function describe(state: ModelState, prefix: string, tensors: Map<string, Tensor>): Description {
  const names = Object.keys(state.tensors);
  for (const name of names) {
    const key = `${prefix}${name}`;
    if (tensors.has(key) || key === "__metadata__" || /^\d+\./.test(name)) {
      throw new FormatError("saveModel", "tensor names", "distinct", show(key));
    }
    tensors.set(key, state.tensors[name]!);
  }
  const parts = (state.parts ?? []).map((part, p) => describe(part, `${prefix}${p}.`, tensors));
  return { kind: state.kind, params: state.params, values: state.values, tensors: names, parts };
}

/** Independent of the order of the tensors in the file. */
function checksum(description: string, tensors: ReadonlyMap<string, Tensor>): string {
  const encoder = textEncoder();
  let crc = crc32(encoder.encode(description));
  for (const name of [...tensors.keys()].sort()) {
    const { shape, data } = tensors.get(name)!;
    crc = crc32(encoder.encode(`\n${name} ${dtypeOf(data)} ${shape.join(",")}\n`), crc);
    crc = crc32(bytesOf(data), crc);
  }
  return crc.toString(16).padStart(8, "0");
}

/** The state in a file that `saveModel` wrote; anything else is a FormatError. */
export function readModelFile(where: string, bytes: Uint8Array | ArrayBuffer): ModelState {
  const { metadata, tensors } = decodeSafetensors(where, checkBytes(where, bytes));
  const own = (key: string) => (Object.hasOwn(metadata, key) ? metadata[key]! : "");
  if (own("format") !== "argmax") {
    throw new FormatError(where, "the file", "a model saved by argmax", "another safetensors file");
  }
  const version = Number(own("version"));
  if (!Number.isInteger(version) || version < 1 || version > VERSION) {
    const advice = "A newer argmax wrote this file; update to read it.";
    throw new FormatError(where, "the file's version", `at most ${VERSION}`, show(own("version")), advice);
  }
  const text = own("model");
  if (own("crc32") !== checksum(text, tensors)) {
    const received = checksum(text, tensors);
    throw new FormatError(where, "the checksum", own("crc32"), received, "The file is damaged.");
  }
  const unused = new Set(tensors.keys());
  const state = readDescription(where, parse(where, text), "", tensors, unused, 0);
  if (unused.size > 0) {
    throw new FormatError(where, "every tensor", "part of the model", show([...unused][0]));
  }
  return state;
}

const isObject = (value: unknown): value is Readonly<Record<string, Json>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function readDescription(
  where: string,
  json: Json,
  prefix: string,
  tensors: ReadonlyMap<string, Tensor>,
  unused: Set<string>,
  depth: number,
): ModelState {
  const fail = (subject: string, expected: string, received: unknown): never => {
    throw new FormatError(where, subject, expected, show(received));
  };
  if (!isObject(json)) return fail("the description", "an object", json);
  const { kind, params, values, tensors: names, parts } = json;
  if (typeof kind !== "string") return fail("kind", "a string", kind);
  if (!isObject(params)) return fail("params", "an object", params);
  if (!isObject(values)) return fail("values", "an object", values);
  if (!Array.isArray(names)) return fail("tensors", "a list of names", names);
  if (!Array.isArray(parts)) return fail("parts", "a list", parts);
  if (depth > MAX_PARTS_DEPTH) return fail("parts", `at most ${MAX_PARTS_DEPTH} levels deep`, "more");
  const own = names.map((name): [string, Tensor] => {
    const key = `${prefix}${name}`;
    const tensor = typeof name === "string" && unused.delete(key) ? tensors.get(key) : undefined;
    return tensor === undefined ? fail("tensors", "names of tensors in the file", key) : [name, tensor];
  });
  const read = (part: Json, p: number) =>
    readDescription(where, part, `${prefix}${p}.`, tensors, unused, depth + 1);
  return { kind, params, values, tensors: Object.fromEntries(own), parts: parts.map(read) };
}
