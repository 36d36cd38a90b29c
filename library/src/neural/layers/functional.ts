import { oneOf, ParameterError, show } from "../../core/errors.js";
import type { Json } from "../../core/state/state.js";
import { add, multiply } from "../autodiff/ops/arithmetic.js";
import { concat } from "../autodiff/ops/shapes.js";
import { type Shape, sameShape, showShape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import type { BuiltLayer, Layer, LayerBuilder, Pass } from "../network/layer.js";
import { isLayer, layer } from "../network/layer.js";
import { readShape } from "./reshaping.js";

/**
 * The functional form: networks that are not a chain. Nodes stand for values and are connected before there are
 * any, so that a network is data and can be saved:
 *
 *   const x = input([4]);
 *   const h = apply(dense(8, { activation: "relu" }), x);
 *   const y = apply(dense(3), merge("concat", h, x));
 *   const layer = graph(x, y);
 *
 * Every `apply` has parameters of its own, also where the same layer is applied twice.
 */
export class LayerNode {
  /** Nodes are made after those that they depend on: the order of their making is an order of computation. */
  static #made = 0;
  readonly #order = LayerNode.#made++;

  /** @internal Made by `input`, `apply` and `merge`. */
  constructor(
    readonly source: NodeSource,
    readonly inputs: readonly LayerNode[],
  ) {
    Object.freeze(this);
  }

  /** The nodes that this one depends on, itself last. */
  get ancestors(): readonly LayerNode[] {
    const found = new Set<LayerNode>([this]);
    for (const node of found) for (const input of node.inputs) found.add(input);
    return [...found].sort((a, b) => a.#order - b.#order);
  }
}

type NodeSource =
  | { readonly kind: "input"; readonly shape: Shape }
  | { readonly kind: "layer"; readonly layer: Layer }
  | { readonly kind: "merge"; readonly merge: MergeName };

/** How several values become one: entry by entry, or side by side along the last axis. */
export const mergeNames = ["add", "multiply", "concat"] as const;
export type MergeName = (typeof mergeNames)[number];

/** The input of a graph: examples of this shape. */
export function input(shape: Shape): LayerNode {
  const own = readShape("input", shape);
  if (own.includes(-1))
    throw new ParameterError("input", "shape", "sizes that are known, as [28, 28, 1]", show(shape));
  return new LayerNode({ kind: "input", shape: own }, []);
}

/** The output of a layer for a node. */
export function apply(part: Layer, node: LayerNode): LayerNode {
  if (!isLayer(part)) throw new ParameterError("apply", "the layer", "a layer, as dense(10)", show(part));
  return new LayerNode({ kind: "layer", layer: part }, readNodes("apply", [node], 1));
}

/** The sum or the product of nodes of one shape, or the nodes side by side along the last axis. */
export function merge(how: MergeName, ...nodes: readonly LayerNode[]): LayerNode {
  const name = mergeNames.find((known) => known === how);
  if (name === undefined) {
    throw new ParameterError("merge", "the first argument", oneOf(mergeNames), show(how));
  }
  return new LayerNode({ kind: "merge", merge: name }, readNodes("merge", nodes, 2));
}

function readNodes(where: string, nodes: readonly unknown[], least: number): readonly LayerNode[] {
  const fine = nodes.length >= least && nodes.every((node) => node instanceof LayerNode);
  if (fine) return Object.freeze([...(nodes as LayerNode[])]);
  const expected = `${least === 1 ? "one" : "two or more"}, made by input(…), apply(…) or merge(…)`;
  const received = show(nodes.find((node) => !(node instanceof LayerNode)) ?? `${nodes.length} nodes`);
  throw new ParameterError(where, least === 1 ? "the node" : "the nodes", expected, received);
}

/** The nodes from `from`, an input, to `to` as a layer. */
export function graph(from: LayerNode, to: LayerNode): Layer {
  const [first, last] = readNodes("graph", [from, to], 2) as readonly [LayerNode, LayerNode];
  const nodes = last.ancestors;
  const others = nodes.filter(({ source }) => source.kind === "input");
  if (first.source.kind !== "input" || others.length !== 1 || others[0] !== first) {
    const expected = "computed from the given input(…) and no other";
    const received = first.source.kind === "input" ? "one computed from another input(…)" : "no input(…)";
    throw new ParameterError("graph", "the output", expected, received);
  }
  const { shape } = first.source;
  return layer("graph", graphJson(shape, nodes), (given, builder) => {
    if (!sameShape(given, shape)) builder.refuse("the input", showShape(shape), showShape(given));
    return buildGraph(nodes, shape, builder);
  });
}

/** A node as a step of the forward pass: what it computes from the values of earlier nodes. */
interface GraphStep {
  readonly from: readonly number[];
  readonly forward: (values: readonly Tensor[], pass: Pass) => Tensor;
}

function buildGraph(nodes: readonly LayerNode[], shape: Shape, builder: LayerBuilder): BuiltLayer {
  const shapes: Shape[] = [shape];
  const reached = [builder.reached];
  const steps = nodes.slice(1).map(({ source, inputs }, e): GraphStep => {
    const from = inputs.map((node) => nodes.indexOf(node));
    const given = from.map((index) => shapes[index]!);
    builder.reached = new Set(from.flatMap((index) => [...reached[index]!]));
    if (source.kind === "layer") {
      const built = builder.child(String(e + 1), source.layer, given[0]!);
      shapes.push(built.output);
      reached.push(builder.reached);
      return { from, forward: ([x], pass) => built.forward(x!, pass) };
    }
    const how = (source as { readonly merge: MergeName }).merge;
    shapes.push(mergedShape(how, given, e + 1, builder));
    reached.push(builder.reached);
    return { from, forward: (values) => merged(how, values) };
  });
  return { output: shapes.at(-1)!, forward: (x, pass) => runGraph(steps, x, pass) };
}

/** Every value keeps the mask that it was computed with; a merged one has that of its first masked part. */
function runGraph(steps: readonly GraphStep[], x: Tensor, pass: Pass): Tensor {
  const values = [x];
  const masks = [pass.mask];
  for (const { from, forward } of steps) {
    pass.mask = from.map((index) => masks[index]).find((mask) => mask !== undefined);
    values.push(
      forward(
        from.map((index) => values[index]!),
        pass,
      ),
    );
    masks.push(pass.mask);
  }
  return values.at(-1)!;
}

function mergedShape(how: MergeName, shapes: readonly Shape[], index: number, builder: LayerBuilder): Shape {
  const first = shapes[0]!;
  const compared = (shape: Shape) => (how === "concat" ? shape.slice(0, -1) : shape);
  const fits = shapes.every(
    (shape) => shape.length === first.length && sameShape(compared(shape), compared(first)),
  );
  if (!fits)
    builder.refuse(
      `the parts of node ${index}, ${how},`,
      how === "concat" ? "alike in all axes but the last" : "of one shape",
      shapes.map(showShape).join(" and "),
    );
  if (how !== "concat") return first;
  return [...first.slice(0, -1), shapes.reduce((sum, shape) => sum + shape.at(-1)!, 0)];
}

function merged(how: MergeName, values: readonly Tensor[]): Tensor {
  if (how === "concat") return concat(values, -1);
  return values.reduce((a, b) => (how === "add" ? add(a, b) : multiply(a, b)));
}

/** Nodes by number: 0 is the input, the last one the output. */
function graphJson(shape: Shape, nodes: readonly LayerNode[]): Readonly<Record<string, Json>> {
  const json = nodes.slice(1).map(({ source, inputs }): Json => {
    const from = inputs.map((node) => nodes.indexOf(node));
    return source.kind === "layer"
      ? { apply: source.layer.toJSON(), from }
      : { merge: (source as { readonly merge: MergeName }).merge, from };
  });
  return { input: [...shape], nodes: json };
}

/** A graph from its JSON, with the layers that `readLayer` reads; undefined if it describes none. */
export function graphFromJson(
  json: Readonly<Record<string, unknown>>,
  readLayer: (json: unknown) => Layer | undefined,
): Layer | undefined {
  if (!Array.isArray(json["nodes"])) return undefined;
  const nodes = [input(json["input"] as Shape)];
  for (const entry of json["nodes"] as unknown[]) {
    const { apply: part, merge: how, from } = (entry ?? {}) as Record<string, unknown>;
    const given = Array.isArray(from) ? from.map((index) => nodes[index as number]) : [];
    if (given.length === 0 || !given.every((node) => node instanceof LayerNode)) return undefined;
    const own = part === undefined ? undefined : readLayer(part);
    if (part !== undefined && own === undefined) return undefined;
    nodes.push(own ? apply(own, given[0]!) : merge(how as MergeName, ...given));
  }
  return graph(nodes[0]!, nodes.at(-1)!);
}
