import { refuseOptions } from "../../core/params/options.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import { isLayer, type Layer } from "../network/layer.js";
import { activation } from "./activation.js";
import { multiHeadAttention } from "./attention.js";
import { residual, sequential } from "./composition.js";
import { conv2d } from "./convolution.js";
import { dense } from "./dense.js";
import { graphFromJson } from "./functional.js";
import { batchNorm, dropout, layerNorm } from "./normalization.js";
import { averagePool2d, globalAveragePool, globalMaxPool, maxPool2d } from "./pooling.js";
import { rbf } from "./rbf.js";
import { rescale } from "./rescale.js";
import { flatten, reshapeTo } from "./reshaping.js";
import {
  classToken,
  embedding,
  patchEmbedding,
  positionalEmbedding,
  positionalEncoding,
  takeToken,
} from "./tokens.js";
import { feedForward, transformerBlock } from "./transformer.js";

/** A layer's JSON without its kind. */
type Fields = Readonly<Record<string, unknown>>;
type Read = (fields: Fields, kind: string, depth: number) => Layer | undefined;

/** Layers inside layers inside layers: more than any network has, and far from the end of the stack. */
const DEEPEST = 64;

/** A factory whose first arguments are these fields, and whose options are the others. */
const withOptions =
  (make: (...args: never[]) => Layer, ...names: readonly string[]): Read =>
  (fields) => {
    const options = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
    return make(...([...names.map((name) => fields[name]), options] as never[]));
  };

/** A factory without options. */
const without =
  (make: (...args: never[]) => Layer, ...names: readonly string[]): Read =>
  (fields, kind) => {
    const others = Object.keys(fields).filter((name) => !names.includes(name));
    if (others.length > 0) refuseOptions(kind, [fields]);
    return make(...(names.map((name) => fields[name]) as never[]));
  };

/** A factory of layers that are made of others. */
const nested =
  (make: (...layers: readonly Layer[]) => Layer): Read =>
  ({ layers }, _, depth) => {
    const read = Array.isArray(layers) ? layers.map((json) => readNested(json, depth + 1)) : [];
    return read.length > 0 && read.every((part) => part !== undefined) ? make(...read) : undefined;
  };

const kinds: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["activation", without(activation, "activation")],
  ["averagePool2d", withOptions(averagePool2d, "size")],
  ["batchNorm", withOptions(batchNorm)],
  ["classToken", without(classToken)],
  ["conv2d", withOptions(conv2d, "filters", "size")],
  ["dense", withOptions(dense, "units")],
  ["dropout", without(dropout, "rate")],
  ["embedding", withOptions(embedding, "vocabulary", "dimensions")],
  ["feedForward", withOptions(feedForward, "hidden")],
  ["flatten", without(flatten)],
  ["globalAveragePool", without(globalAveragePool)],
  ["globalMaxPool", without(globalMaxPool)],
  ["graph", (json, _, depth) => graphFromJson(json, (part) => readNested(part, depth + 1))],
  ["layerNorm", withOptions(layerNorm)],
  ["maxPool2d", withOptions(maxPool2d, "size")],
  ["multiHeadAttention", withOptions(multiHeadAttention, "heads")],
  ["patchEmbedding", without(patchEmbedding, "size", "dimensions")],
  ["positionalEmbedding", without(positionalEmbedding)],
  ["positionalEncoding", without(positionalEncoding)],
  ["rbf", withOptions(rbf, "units")],
  ["residual", nested(residual)],
  ["rescale", without(rescale, "factor")],
  ["reshapeTo", without(reshapeTo, "shape")],
  ["sequential", nested(sequential)],
  ["takeToken", without(takeToken, "index")],
  ["transformerBlock", withOptions(transformerBlock, "heads")],
]);

export const layerKinds: readonly string[] = [...kinds.keys()];

/**
 * The inverse of `toJSON` for every kind of layer; undefined if the value describes none. A known kind with
 * illegal options throws the factory's error.
 */
export const layerFromJson = (json: unknown): Layer | undefined => readNested(json, 0);

function readNested(json: unknown, depth: number): Layer | undefined {
  if (json === null || typeof json !== "object" || depth > DEEPEST) return undefined;
  const { layer: kind, ...rest } = json as { readonly layer?: unknown };
  return typeof kind === "string" ? kinds.get(kind)?.(rest, kind, depth) : undefined;
}

/** A parameter that is a network: a layer, an array of layers one after the other, or the JSON of either. */
export function layersParam(doc: string): ParamSpec<Layer | readonly Layer[] | undefined> {
  const part = (value: unknown) => (isLayer(value) ? value : layerFromJson(value));
  return {
    kind: "layers",
    default: undefined,
    doc,
    expected: "a layer, as sequential(dense(10), dense(3)), an array of layers, or their JSON",
    read: (value) => {
      if (!Array.isArray(value)) return part(value) ?? invalid;
      const list = value.map(part);
      return list.length > 0 && list.every((own) => own !== undefined) ? sequential(...list) : invalid;
    },
  };
}

/** The parameter as one network whose layers have numbers; undefined if it is not set. */
export function wholeNetwork(layers: Layer | readonly Layer[] | null | undefined): Layer | undefined {
  if (layers === null || layers === undefined) return undefined;
  const own = isLayer(layers) ? layers : sequential(...layers);
  return own.kind === "sequential" || own.kind === "graph" ? own : sequential(own);
}
