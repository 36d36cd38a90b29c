import { ShapeError } from "../../core/errors.js";
import { option, readOptions } from "../../core/params/options.js";
import type { NdArray } from "./arrays.js";
import { computationOptions, differentiate, type Inputs, type TensorFunction } from "./differentiate.js";
import { drawGraph } from "./graph-svg.js";
import { localDerivatives } from "./local-derivatives.js";
import { showShape } from "./shape.js";
import type { Tensor } from "./tensor.js";

/** One value of a computation. */
export interface GraphNode {
  readonly id: number;
  /** "W", or the name of a result: "matmul". */
  readonly name: string;
  /** Undefined for arguments and constants. */
  readonly op: string | undefined;
  /** The nodes that it is computed from. */
  readonly inputs: readonly number[];
  readonly shape: readonly number[];
  readonly value: NdArray;
  /** ∂(result)/∂(this node); undefined where the result does not depend on it or it is a constant. */
  readonly gradient: NdArray | undefined;
  /** For every input, how this node's gradient g becomes the input's, as text: "g·bᵀ". */
  readonly localDerivatives: readonly string[];
}

const graphOptions = {
  ...computationOptions,
  names: option<readonly string[] | undefined>(
    "list",
    "Names of the arguments.",
    "a list of names",
    (value) =>
      value === undefined || (Array.isArray(value) && value.every((name) => typeof name === "string")),
  ),
};
export interface GraphOptions {
  readonly dtype?: "float32" | "float64" | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The computation graph of f: values, local derivatives and gradients, listed or drawn. */
export function computationGraph<A extends readonly Tensor[]>(
  f: TensorFunction<A>,
  options: GraphOptions = {},
): (...inputs: Inputs<A>) => ComputationGraph {
  const { dtype, names } = readOptions("computationGraph", graphOptions, options);
  return (...inputs) => {
    if (names !== undefined && names.length !== inputs.length) {
      const expected = `one per argument, ${inputs.length}`;
      const received = `${names.length}`;
      throw new ShapeError("computationGraph", "names", expected, received);
    }
    let nodes: readonly GraphNode[] = [];
    differentiate("computationGraph", dtype, f, inputs, (tape, leaves, result) => {
      nodes = nodesOf([...tape.tensors], leaves, result, names);
    });
    return new ComputationGraph(nodes);
  };
}

/** The values that the result depends on, inputs before what is computed from them. */
function nodesOf(
  recorded: readonly Tensor[],
  leaves: readonly Tensor[],
  result: Tensor,
  names: readonly string[] | undefined,
): readonly GraphNode[] {
  const used = new Set<Tensor>([result]);
  for (const tensor of [...recorded].reverse())
    if (used.has(tensor)) for (const input of tensor.source!.inputs) used.add(input);
  const constants = [...used].filter((tensor) => tensor.source === undefined && !leaves.includes(tensor));
  const order = [...leaves, ...constants.reverse(), ...recorded.filter((tensor) => used.has(tensor))];
  const ids = new Map(order.map((tensor, id) => [tensor, id]));
  return order.map((tensor, id) => {
    const argument = leaves.indexOf(tensor);
    const op = tensor.source?.op;
    const inputs = tensor.source?.inputs ?? [];
    return {
      id,
      name: op ?? (argument < 0 ? "constant" : (names?.[argument] ?? `x${argument}`)),
      op,
      inputs: inputs.map((input) => ids.get(input)!),
      shape: tensor.shape,
      value: { data: Float64Array.from(tensor.values.array), shape: tensor.shape },
      gradient: gradientOf(tensor),
      localDerivatives: op === undefined ? [] : localDerivatives(op, inputs.length),
    };
  });
}

function gradientOf({ sink, shape, needsGradient }: Tensor): NdArray | undefined {
  if (sink === undefined || !needsGradient) return undefined;
  return { data: Float64Array.from(sink.values.array), shape };
}

/** A computation as data. */
export class ComputationGraph {
  constructor(readonly nodes: readonly GraphNode[]) {}

  /** One line per node: its number, how it is computed, its value and its gradient. */
  toString(): string {
    return this.nodes
      .map(({ id, name, op, inputs, value, gradient, localDerivatives }) => {
        const from =
          op === undefined ? name : `${op}(${inputs.map((input) => this.#label(input)).join(", ")})`;
        const rules = localDerivatives.length > 0 ? `   passes ${localDerivatives.join(" and ")}` : "";
        const slope = gradient === undefined ? "" : `   gradient ${showNumbers(gradient)}`;
        return `${id}: ${from} = ${showNumbers(value)}${slope}${rules}`;
      })
      .join("\n");
  }

  /** The graph in Graphviz' language. */
  toDot(): string {
    const boxes = this.nodes.map(({ id, name, value, gradient }) => {
      const lines = [name, showNumbers(value), ...(gradient ? [`∂ ${showNumbers(gradient)}`] : [])];
      return `  n${id} [label=${JSON.stringify(lines.join("\n"))}];`;
    });
    const edges = this.nodes.flatMap(({ id, inputs, localDerivatives }) =>
      inputs.map((input, k) => `  n${input} -> n${id} [label=${JSON.stringify(localDerivatives[k] ?? "")}];`),
    );
    return ["digraph {", "  rankdir=LR;", "  node [shape=box];", ...boxes, ...edges, "}"].join("\n");
  }

  /** The graph drawn from left to right: values in black, gradients in red, what is passed on at the edges. */
  toSvg(): string {
    return drawGraph(this.nodes, showNumbers);
  }

  #label(id: number): string {
    const { name, op } = this.nodes[id]!;
    return op === undefined && name !== "constant" ? name : `#${id}`;
  }
}

/** Up to eight numbers, four digits each. */
function showNumbers({ data, shape }: NdArray): string {
  if (data.length > 8) return `${showShape(shape)} numbers`;
  const short = Array.from(data, (value) => String(Number(value.toPrecision(4))));
  if (shape.length === 0) return short[0]!;
  if (shape.length < 2) return `[${short.join(", ")}]`;
  const cols = shape.at(-1)!;
  const rows = Array.from({ length: data.length / cols }, (_, i) => short.slice(i * cols, (i + 1) * cols));
  return `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
}
