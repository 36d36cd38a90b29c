import { sigmoid } from "../core/numbers/elementary.js";
import { argmax, normalizeInto, oneVsRest, posteriors } from "../core/numbers/scores.js";
import type { ClassLink, Decision, MarginRule, Scores } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { clipped, coupled } from "../svm/sigmoid-calibration.js";

/** Probabilities of K classes, one column per class. */
export function probabilitiesOf(
  link: ClassLink,
  scores: Matrix,
  K: number,
  scoresOf: (scores: Scores) => Matrix,
): Matrix {
  const n = scores.rows;
  const { data, cols } = scores;
  switch (link.kind) {
    case "identity":
      return scores;
    case "separate":
      return probabilitiesOf(link.link, scoresOf(link.scores), K, scoresOf);
    case "sigmoid":
    case "softmax":
      return new Matrix(
        posteriors(
          data.map((z) => z * link.factor),
          cols,
        ),
        n,
        K,
      );
    case "oneVsRest":
      return new Matrix(
        oneVsRest(
          data.map((z) => z * link.factor),
          cols,
        ),
        n,
        K,
      );
    case "clip":
      return clippedScores(scores, K);
    case "normalize":
      return normalized(scores, K);
    case "platt":
      return calibrated(link, scores, K);
  }
}

const clippedScores = (scores: Matrix, K: number): Matrix =>
  normalized(
    new Matrix(
      scores.data.map((z) => (Math.min(1, Math.max(-1, z)) + 1) / 2),
      scores.rows,
      scores.cols,
    ),
    K,
  );

/** Non-negative numbers divided by their sums; of one column, 1 − p and p. */
function normalized({ data, rows, cols }: Matrix, K: number): Matrix {
  if (cols === 1)
    return new Matrix(
      Float64Array.from({ length: 2 * rows }, (_, e) => (e % 2 ? data[e >> 1]! : 1 - data[e >> 1]!)),
      rows,
      2,
    );
  const out = Float64Array.from(data);
  for (let at = 0; at < out.length; at += K) normalizeInto(at, K, out);
  return new Matrix(out, rows, K);
}

function calibrated(link: ClassLink & { kind: "platt" }, scores: Matrix, K: number): Matrix {
  const { data, rows, cols } = scores;
  const { data: ab } = link.sigmoids;
  const logOdds = data.map((f, e) => -(ab[2 * (e % cols)]! * f + ab[2 * (e % cols) + 1]!));
  if (!link.pairs) return new Matrix(cols === 1 ? posteriors(logOdds, 1) : oneVsRest(logOdds, cols), rows, K);
  const places = Array.from({ length: K }, (_, k) => link.order?.indexOf(k) ?? k);
  const out = Matrix.zeros(rows, K);
  for (let i = 0; i < rows; i++) {
    const pairs = new Float64Array(K * K);
    for (let a = 0, at = i * cols; a < K; a++)
      for (let b = a + 1; b < K; b++, at++) {
        const p = clipped(sigmoid(logOdds[at]!));
        pairs[places[a]! * K + places[b]!] = p;
        pairs[places[b]! * K + places[a]!] = 1 - p;
      }
    const p = coupled(pairs, K);
    for (let k = 0; k < K; k++) out.data[i * K + k] = p[places[k]!]!;
  }
  return out;
}

/** The place of every row's class. */
export function decidedCodes(decision: Decision, scores: Matrix, p: Matrix | null, K: number): Int32Array {
  const { rows } = scores;
  switch (decision.kind) {
    case "scores":
      return largest(scores);
    case "probabilities":
      return largest(p!);
    case "threshold": {
      const { positive, threshold } = decision;
      return Int32Array.from({ length: rows }, (_, i) =>
        p!.data[2 * i + positive]! >= threshold ? positive : 1 - positive,
      );
    }
    case "pairs":
      return Int32Array.from({ length: rows }, (_, i) => pairWinner(scores.row(i), K, decision));
  }
}

const largest = ({ data, rows, cols }: Matrix): Int32Array =>
  Int32Array.from({ length: rows }, (_, i) =>
    cols === 1 ? (data[i]! > 0 ? 1 : 0) : argmax(data, i * cols, cols),
  );

/** The decision function of scores. */
export function marginsOf(kind: NonNullable<MarginRule>, scores: Matrix, K: number): Matrix {
  const { data, rows } = scores;
  if (kind === "scores") return scores;
  if (kind === "difference")
    return new Matrix(
      Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1]! - data[2 * i]!),
      rows,
      1,
    );
  const out = Matrix.zeros(rows, K);
  for (let i = 0; i < rows; i++) out.data.set(pairRanks(scores.row(i), K, true), i * K);
  return out;
}

/** Votes of pairs per class; `breakTies` adds the sums of the scores, squashed to less than 1/3. */
function pairRanks(z: Float64Array, K: number, breakTies: boolean): Float64Array {
  const votes = new Float64Array(K);
  const sums = new Float64Array(K);
  for (let a = 0, at = 0; a < K; a++)
    for (let b = a + 1; b < K; b++, at++) {
      votes[z[at]! > 0 ? a : b]!++;
      sums[a]! += z[at]!;
      sums[b]! -= z[at]!;
    }
  return breakTies ? votes.map((count, k) => count + sums[k]! / (3 * (Math.abs(sums[k]!) + 1))) : votes;
}

/** The class with most votes of pairs, the first of equal ones in the order that counts. */
function pairWinner(z: Float64Array, K: number, { breakTies, order }: Decision & { kind: "pairs" }): number {
  const ranks = pairRanks(z, K, breakTies);
  const all = order ?? Array.from({ length: K }, (_, k) => k);
  return all.reduce((best, k) => (ranks[k]! > ranks[best]! ? k : best), all[0]!);
}
