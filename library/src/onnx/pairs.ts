import type { Graph, Value } from "./graph.js";

/** Votes of all pairs (a, b), a < b, by 1 for a and 0 for b. */
export function pairVotes(graph: Graph, isFirst: Value, K: number): Value {
  const isSecond = graph.op("Sub", [graph.number(1), isFirst]);
  return graph.op("Add", [
    graph.op("MatMul", [isFirst, pairMatrix(graph, K, 1, 0)]),
    graph.op("MatMul", [isSecond, pairMatrix(graph, K, 0, 1)]),
  ]);
}

/** Between −1/3 and 1/3. */
export function squashed(graph: Graph, sums: Value): Value {
  const size = graph.op("Add", [graph.op("Abs", [sums]), graph.number(1)]);
  return graph.op("Div", [sums, graph.op("Mul", [size, graph.number(3)])]);
}

/** A row per pair of classes, with an entry for its first and one for its second class. */
export function pairMatrix(graph: Graph, K: number, first: number, second: number): Value {
  const pairs = (K * (K - 1)) / 2;
  const out = new Float64Array(pairs * K);
  for (let a = 0, at = 0; a < K; a++)
    for (let b = a + 1; b < K; b++, at += K) {
      out[at + a] = first;
      out[at + b] = second;
    }
  return graph.numbers(out, [pairs, K]);
}
