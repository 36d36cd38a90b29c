import type { Table } from "argmax/data";
import type { Model } from "../estimators.js";
import type { Answers } from "../protocol.js";
import { scoresOf } from "./pictures/grid.js";

/** The score of a class that a model has never seen: less than any other. Finite, so that differences of two are numbers. */
export const absentScore = { probability: 0, score: -1e300 } as const;

/** What a model says about rows: numbers of classes among `classes`, values or clusters, and its scores by class. */
export function answersOf(model: Model, x: Table, classes: readonly string[]): Answers {
  const found = model.predict?.(x) ?? [];
  if (classes.length === 0)
    return { predicted: Float64Array.from(found as ArrayLike<number>), scores: null, scale: "score" };
  const numberOf = new Map(classes.map((name, c) => [name, c]));
  const predicted = Float64Array.from(found, (label) => numberOf.get(String(label)) ?? Number.NaN);
  const given = scoresOf(model, x);
  if (given === undefined) return { predicted, scores: null, scale: "score" };
  const K = classes.length;
  const scores = new Float64Array(predicted.length * K).fill(absentScore[given.scale]);
  const columns = (model.classes ?? []).map((label) => numberOf.get(String(label))!);
  for (let i = 0; i < predicted.length; i++)
    for (const [c, column] of columns.entries()) scores[i * K + column] = given.data[i * given.cols + c]!;
  return { predicted, scores, scale: given.scale };
}

/** At most `most` rows, evenly spaced. */
export function someRows(n: number, most: number): Int32Array {
  if (n <= most) return Int32Array.from({ length: n }, (_, i) => i);
  return Int32Array.from({ length: most }, (_, i) => Math.floor((i * n) / most));
}
