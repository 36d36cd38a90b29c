import { DataError, show } from "../core/errors.js";
import type { LinearScores, Scores } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { densePoints } from "./frame.js";

/**
 * Scores as W (x − origin) + b, if they are linear in the columns: those of linear models, and expansions of a linear kernel a x·p + c, whose w
 * is a Σ coefficient · p. Coefficients that sum to 0 have the same w around any origin; far from 0 the products would cancel.
 */
export function linearScoresOf(scores: Scores): LinearScores | undefined {
  if (typeof (scores as Partial<Scores> | null | undefined)?.kind !== "string") {
    throw new DataError("linearScoresOf", "the scores", "those of a structure", show(scores));
  }
  if (scores.kind === "linear") return scores;
  if (scores.kind !== "kernel" || scores.kernel.name !== "linear") return undefined;
  const { kernel, coef, intercept, zeroSums } = scores;
  const points = densePoints(scores.points);
  const { rows: m, cols: d } = points;
  const origin = new Float64Array(d);
  if (zeroSums) for (let e = 0; e < points.data.length; e++) origin[e % d]! += points.data[e]! / m;
  const w = Matrix.zeros(coef.rows, d);
  const constants = intercept.slice();
  for (let k = 0; k < coef.rows; k++) {
    for (let t = 0; t < m; t++) {
      const own = coef.data[k * m + t]!;
      for (let j = 0; j < d; j++)
        w.data[k * d + j]! += kernel.a * own * (points.data[t * d + j]! - origin[j]!);
      constants[k]! += kernel.c * own;
    }
    for (let j = 0; j < d; j++) constants[k]! += w.data[k * d + j]! * origin[j]!;
  }
  return { kind: "linear", coef: w, intercept: constants, ...(zeroSums && { origin }) };
}
