import type { LinearScores } from "../core/structure.js";
import { type Block, transposed } from "./converter.js";
import type { Graph, Value } from "./graph.js";

/** W (x − origin) + b. */
export function affine(
  graph: Graph,
  x: Value,
  { coef, intercept, origin }: Omit<LinearScores, "kind">,
): Block {
  const { data, rows: outputs, cols: d } = coef;
  const centred = origin ? graph.op("Sub", [x, graph.numbers(origin, [d])]) : x;
  const product = graph.op("MatMul", [centred, graph.numbers(transposed(data, outputs, d), [d, outputs])]);
  const value = intercept.every((b) => b === 0)
    ? product
    : graph.op("Add", [product, graph.numbers(intercept, [outputs])]);
  return { value, cols: outputs };
}
