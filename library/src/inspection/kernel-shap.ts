import { Random } from "../core/numbers/random.js";
import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import type { InspectedRows } from "./inspected-rows.js";
import { MixedRows } from "./mixed-rows.js";
import type { ModelOutputs } from "./outputs.js";
import type { ShapValues } from "./shap-values.js";

/** Features up to which all 2^m sets are evaluated. */
export const MOST_EXACT = 12;
/** Rows that the model evaluates at a time, about. */
const BATCH = 8192;

export interface KernelShapSettings {
  /** Sets that are drawn for a row with more differing features than MOST_EXACT; 0: 2m + 2048. */
  readonly nSamples: number;
  readonly randomState: number;
}

/**
 * Shapley values of any model, where the value v(S) of a set of features is the mean output over the background with the features of S
 * replaced by those of the row. Exact by enumeration up to MOST_EXACT features that differ from the background; for more, Kernel SHAP
 * [Lundberg & Lee 2017]: the Shapley values are the solution of
 *
 *   minimise over φ:   Σ_S π(S) (v(S) − v(∅) − Σ_{j ∈ S} φ_j)²      subject to   Σ_j φ_j = v(all) − v(∅),
 *   π(S) ∝ (m − 1) / (C(m, |S|) |S| (m − |S|))
 *
 * over sets drawn from π, each with its complement, which makes the estimate exact for models without interactions of three or more
 * features [Mayer & Wüthrich 2025].
 */
export function explainAny(
  where: string,
  outputs: ModelOutputs,
  x: InspectedRows,
  background: InspectedRows,
  settings: KernelShapSettings,
): ShapValues & { readonly isExact: boolean } {
  const rows = new MixedRows(where, x, background);
  const K = outputs.names.length;
  const d = x.cols;
  const baseValues = columnMeans(outputs.evaluate(background.x).data, K);
  const values = new Float64Array(x.rows * K * d);
  const random = new Random(settings.randomState);
  let isExact = true;
  for (let i = 0; i < x.rows; i++) {
    const features = rows.differing(i);
    const evaluate = (sets: readonly Uint8Array[]) => setValues(outputs, rows, i, sets, background.rows);
    const exact = features.length <= MOST_EXACT;
    isExact &&= exact;
    const m = features.length;
    const phi = exact
      ? enumerate(features, d, K, evaluate)
      : regress(features, d, K, evaluate, settings.nSamples || 2 * m + 2048, random.split());
    for (const [f, j] of features.entries())
      for (let k = 0; k < K; k++) values[(i * K + k) * d + j] = phi[f * K + k]!;
  }
  return { baseValues, values, isExact };
}

/** Means of the outputs over the background, K numbers per set. */
type SetValues = (sets: readonly Uint8Array[]) => Float64Array;

function setValues(
  outputs: ModelOutputs,
  rows: MixedRows,
  i: number,
  sets: readonly Uint8Array[],
  B: number,
): Float64Array {
  const K = outputs.names.length;
  const out = new Float64Array(sets.length * K);
  const atOnce = Math.max(1, Math.floor(BATCH / B));
  for (let from = 0; from < sets.length; from += atOnce) {
    const { data } = outputs.evaluate(rows.mixed(i, sets.slice(from, from + atOnce)));
    for (let e = 0; e < data.length; e++)
      out[(from + Math.floor(e / (B * K))) * K + (e % K)]! += data[e]! / B;
  }
  return out;
}

export function columnMeans(data: Float64Array, cols: number): Float64Array {
  const out = new Float64Array(cols);
  for (let e = 0; e < data.length; e++) out[e % cols]! += data[e]!;
  return out.map((sum) => (sum * cols) / data.length);
}

/** φ_j = Σ_{S ∌ j} |S|! (m − |S| − 1)! / m! (v(S ∪ j) − v(S)); set s has feature f if bit f of s is 1. */
function enumerate(features: readonly number[], d: number, K: number, evaluate: SetValues): Float64Array {
  const m = features.length;
  const sets = Array.from({ length: 2 ** m }, (_, s) => {
    const set = new Uint8Array(d);
    for (const [f, j] of features.entries()) set[j] = (s >> f) & 1;
    return set;
  });
  const v = evaluate(sets);
  // |S|! (m − |S| − 1)! / m!, from that of one element less.
  const weights = new Float64Array(Math.max(1, m)).fill(1 / Math.max(1, m));
  for (let size = 1; size < m; size++) weights[size] = (weights[size - 1]! * size) / (m - size);
  const phi = new Float64Array(m * K);
  for (let s = 0; s < sets.length; s++) {
    const size = bitCount(s);
    for (let f = 0; f < m; f++) {
      if (((s >> f) & 1) === 1) continue;
      for (let k = 0; k < K; k++)
        phi[f * K + k]! += weights[size]! * (v[(s | (1 << f)) * K + k]! - v[s * K + k]!);
    }
  }
  return phi;
}

function bitCount(s: number): number {
  let count = 0;
  for (let rest = s; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

function regress(
  features: readonly number[],
  d: number,
  K: number,
  evaluate: SetValues,
  nSamples: number,
  random: Random,
): Float64Array {
  const m = features.length;
  const sets = drawSets(features, d, Math.max(nSamples, 2 * m), random);
  const v = evaluate([new Uint8Array(d), new Uint8Array(d).fill(1), ...sets]);
  const gram = new Float64Array(m * m);
  const right = Array.from({ length: K }, () => new Float64Array(m));
  for (const [s, set] of sets.entries()) {
    for (let f = 0; f < m; f++) {
      if (set[features[f]!] === 0) continue;
      for (let g = 0; g < m; g++) gram[f * m + g]! += set[features[g]!]!;
      for (let k = 0; k < K; k++) right[k]![f]! += v[(s + 2) * K + k]! - v[k]!;
    }
  }
  const factor = cholesky(gram, m);
  const ones = new Float64Array(m);
  choleskySolveInto(factor, new Float64Array(m).fill(1), ones);
  const total = ones.reduce((sum, value) => sum + value, 0);
  const phi = new Float64Array(m * K);
  const free = new Float64Array(m);
  for (let k = 0; k < K; k++) {
    choleskySolveInto(factor, right[k]!, free);
    const excess = free.reduce((sum, value) => sum + value, 0) - (v[K + k]! - v[k]!);
    for (let f = 0; f < m; f++) phi[f * K + k] = free[f]! - (excess / total) * ones[f]!;
  }
  return phi;
}

/** Sets of 1 to m − 1 features: the size by its probability under π, then the features; each followed by its complement. */
function drawSets(features: readonly number[], d: number, count: number, random: Random): Uint8Array[] {
  const m = features.length;
  const cumulated = new Float64Array(m - 1);
  for (let size = 1; size < m; size++)
    cumulated[size - 1] = (size > 1 ? cumulated[size - 2]! : 0) + 1 / (size * (m - size));
  const sets: Uint8Array[] = [];
  while (sets.length < count) {
    const u = random.uniform() * cumulated[m - 2]!;
    const size = 1 + cumulated.findIndex((sum) => u < sum);
    const order = random.permutation(m);
    const [set, complement] = [new Uint8Array(d), new Uint8Array(d)];
    for (let f = 0; f < m; f++) (f < size ? set : complement)[features[order[f]!]!] = 1;
    sets.push(set, complement);
  }
  return sets;
}
