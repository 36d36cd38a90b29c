import type { DenseRows } from "argmax";
import { call, type Expression, multiply, number, shared, subtract, sum } from "../expressions/expression.js";

/** The distance of x from each centre. */
export const distances = (
  { data, rows, cols }: DenseRows,
  metric: "euclidean" | "manhattan",
  x: readonly Expression[],
): Expression[] =>
  Array.from({ length: rows }, (_, k) => {
    const gaps = x.map((e, j) => shared(subtract(e, number(data[k * cols + j]!))));
    if (metric === "manhattan") return sum(gaps.map((gap) => call("abs", gap)));
    return call("sqrt", sum(gaps.map((gap) => multiply(gap, gap))));
  });
