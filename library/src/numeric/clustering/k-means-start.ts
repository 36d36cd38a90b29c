import { log } from "../../core/numbers/elementary.js";
import type { Random } from "../../core/numbers/random.js";
import type { Matrix } from "../../data/matrix.js";
import { CHUNK, type MeansMemory } from "./means-memory.js";

/** Where the centres of a fit begin: drawn by one of the rules, or given. */
export type KMeansInit = "k-means++" | "random" | Matrix;

/** Writes the first centres into the memory, whose rows are those of x. */
export function startInto(
  x: Matrix,
  weights: Float64Array | undefined,
  init: KMeansInit,
  random: Random,
  memory: MeansMemory,
): void {
  if (init === "k-means++") plusPlus(x, weights, random, memory);
  else if (init === "random") memory.centers.array.set(distinctRows(x, weights, memory.k, random));
  else memory.centers.array.set(init.data);
}

/** k rows, none twice; each is drawn with a probability proportional to its weight. */
function distinctRows(x: Matrix, weights: Float64Array | undefined, k: number, random: Random): Float64Array {
  const { rows, cols, data } = x;
  const out = new Float64Array(k * cols);
  const order = Int32Array.from({ length: rows }, (_, i) => i);
  let left = weights ? weights.reduce((sum, w) => sum + w, 0) : rows;
  for (let c = 0; c < k; c++) {
    // The first c places of `order` hold the rows drawn so far.
    let at = c;
    if (weights) {
      for (let rest = random.uniform() * left; at < rows - 1; at++) {
        rest -= weights[order[at]!]!;
        if (rest < 0) break;
      }
      left -= weights[order[at]!]!;
    } else at = c + Math.floor(random.uniform() * left--);
    const i = order[at]!;
    order[at] = order[c]!;
    order[c] = i;
    out.set(data.subarray(i * cols, (i + 1) * cols), c * cols);
  }
  return out;
}

/**
 * Greedy k-means++ [Arthur & Vassilvitskii 2007]: a row is drawn with a probability proportional to its weight × squared distance to
 * the nearest centre so far; of 2 + ⌊log k⌋ draws the one with the least Σ w · squared distance becomes the next centre.
 */
function plusPlus(x: Matrix, weights: Float64Array | undefined, random: Random, memory: MeansMemory): void {
  const { cols, data } = x;
  const { k } = memory;
  const first = drawFirst(x.rows, weights, random);
  memory.centers.array.set(data.subarray(first * cols, (first + 1) * cols));
  let potential = memory.seedFirst();
  const trials = 2 + Math.floor(log(k));
  for (let c = 1; c < k; c++) {
    for (let t = 0; t < trials; t++) {
      const i = drawByDistance(memory, weights, random.uniform() * potential);
      memory.candidates.array.set(data.subarray(i * cols, (i + 1) * cols), t * cols);
    }
    const gains = memory.gains(trials);
    let best = 0;
    for (let t = 1; t < trials; t++) if (gains[t]! > gains[best]!) best = t;
    memory.centers.array.set(memory.candidates.array.slice(best * cols, (best + 1) * cols), c * cols);
    potential = memory.seedChosen(best);
  }
}

function drawFirst(n: number, weights: Float64Array | undefined, random: Random): number {
  // The same row as for weights of 1.
  if (!weights) return Math.floor(random.uniform() * n);
  let rest = random.uniform() * weights.reduce((sum, w) => sum + w, 0);
  for (let i = 0; i < n - 1; i++) {
    rest -= weights[i]!;
    if (rest < 0) return i;
  }
  return n - 1;
}

/** The row at which the running sum of weight × squared distance passes `rest`. */
function drawByDistance(memory: MeansMemory, weights: Float64Array | undefined, rest: number): number {
  const { partial, n } = memory;
  const distances = memory.distances.array;
  let chunk = 0;
  while (chunk < partial.length - 1 && rest >= partial[chunk]!) rest -= partial[chunk++]!;
  const to = Math.min(n, (chunk + 1) * CHUNK);
  // Sums are rounded: a rest past the last row belongs to the last that is not a centre.
  let last = chunk * CHUNK;
  for (let i = chunk * CHUNK; i < to; i++) {
    const share = distances[i]! * (weights ? weights[i]! : 1);
    if (share > 0) last = i;
    rest -= share;
    if (rest < 0) return i;
  }
  return last;
}
