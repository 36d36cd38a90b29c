import type { Label } from "../core/labels.js";
import type { Graph, Value } from "./graph.js";

/** What a model computes from its rows. */
export type Prediction = Classified | Valued | Clustered;

export interface Classified {
  readonly kind: "classes";
  readonly classes: readonly Label[];
  /** Index of the class, one per row. */
  readonly winner: Value;
  /** rows × classes. */
  readonly probabilities?: Value | undefined;
  /** The scores that decide, whatever they are. */
  readonly raw: Value;
  /** The decision function, of models that have one: rows × 1 of two classes, else rows × `scoreCols`. */
  readonly scores?: Value | undefined;
  readonly scoreCols?: number;
}

export interface Valued {
  readonly kind: "values";
  /** One per row. */
  readonly value: Value;
}

export interface Clustered {
  readonly kind: "clusters";
  readonly winner: Value;
  /** rows × `clusters`. */
  readonly probabilities?: Value;
  readonly clusters: number;
}

const axis = (k: number) => ({ axis: { int: k } });

/** One entry per row of a column of them. */
export const flat = (graph: Graph, column: Value): Value =>
  graph.op("Reshape", [column, graph.integers([-1], [1])]);

/** 1 where true, else 0, as 64-bit floats. */
export const indicator = (graph: Graph, isTrue: Value): Value =>
  graph.op("Cast", [isTrue], { to: { int: 11 } });

/** Rows of a table of `cols` columns, by their numbers. */
export const lookup = (graph: Graph, table: Float64Array, cols: number, places: Value): Value =>
  graph.op("Gather", [graph.numbers(table, [table.length / cols, cols]), places], axis(0));

/** Index of the largest of every row, the first of equal ones. */
export const largest = (graph: Graph, scores: Value): Value =>
  graph.op("ArgMax", [scores], { ...axis(1), keepdims: { int: 0 } });

/** 1 where the score of the second of two classes is positive. */
export const sign = (graph: Graph, score: Value): Value =>
  flat(graph, graph.op("Cast", [graph.op("Greater", [score, graph.number(0)])], { to: { int: 7 } }));

/** Of log-odds of the second of two classes: 1 − p and p. */
export const sigmoids = (graph: Graph, logOdds: Value): Value =>
  graph.op(
    "Concat",
    [graph.op("Sigmoid", [graph.op("Neg", [logOdds])]), graph.op("Sigmoid", [logOdds])],
    axis(1),
  );

export const softmax = (graph: Graph, scores: Value): Value => graph.op("Softmax", [scores], axis(1));

/** Rows of K columns divided by their sums; equal proportions where all are 0. */
export function normalized(graph: Graph, values: Value, K: number): Value {
  const sum = graph.op("ReduceSum", [values, graph.integers([1], [1])]);
  const isNone = graph.op("Equal", [sum, graph.number(0)]);
  const divisor = graph.op("Where", [isNone, graph.number(1), sum]);
  return graph.op("Where", [isNone, graph.number(1 / K), graph.op("Div", [values, divisor])]);
}

/** 1 − p and p of a column of probabilities. */
export const complemented = (graph: Graph, p: Value): Value =>
  graph.op("Concat", [graph.op("Sub", [graph.number(1), p]), p], axis(1));

/** One column of several. */
export const columnOf = (graph: Graph, values: Value, j: number): Value =>
  graph.op("Gather", [values, graph.integers([j], [1])], axis(1));

/** Of two columns, the second less the first. */
export const difference = (graph: Graph, values: Value): Value =>
  graph.op("MatMul", [values, graph.numbers([-1, 1], [2, 1])]);
