import { log } from "../core/numbers/elementary.js";
import { isMarginLoss, type MarginLoss } from "../losses/loss.js";
import type { Problem } from "./problem.js";

/** The model without weights: θ = [0, b], and J there. */
export interface Baseline {
  readonly theta: Float64Array;
  readonly objective: number;
}

/** Targets from which a quantile is estimated. */
const SAMPLED = 255;

/**
 * The best of a few constants for b (0 alone if b is not learned): an upper bound that every fit must reach. Null for losses of ±1 that are 0
 * at θ = 0 (perceptron).
 */
export function baselineOf(problem: Problem): Baseline | null {
  const { loss, x } = problem;
  if (!isMarginLoss(loss)) return softmaxBaseline(problem);
  if (loss.targets === "signs" && loss.value(0, 1) === 0) return null;
  const theta = new Float64Array(x.cols + 1);
  const { b, objective } = constantOf(problem, loss);
  theta[x.cols] = b;
  return { theta, objective };
}

interface Constant {
  readonly b: number;
  readonly objective: number;
}

interface Known extends Constant, Pick<Problem, "weights" | "intercept"> {
  readonly loss: MarginLoss;
}

/** Used by the solver for the scale of J and again at the end of the fit, so the last one per targets is cached. */
const known = new WeakMap<Float64Array, Known>();

function constantOf(problem: Problem, loss: MarginLoss): Constant {
  const { y, weights, intercept } = problem;
  const last = known.get(y);
  const same = last?.loss.code === loss.code && last.loss.param === loss.param;
  if (last && same && last.weights === weights && last.intercept === intercept) return last;
  const [b, objective] = best(intercept ? constants(problem, loss) : [0], valueAt(problem, loss));
  known.set(y, { loss, weights, intercept, b, objective });
  return { b, objective };
}

function best(candidates: readonly number[], value: (b: number) => number): [number, number] {
  let chosen: [number, number] = [0, Infinity];
  for (const b of candidates) {
    const objective = Number.isFinite(b) ? value(b) : Infinity;
    if (objective < chosen[1]) chosen = [b, objective];
  }
  return chosen;
}

/** Σ s ℓ(b, y) as a function of b. */
function valueAt(problem: Problem, loss: MarginLoss): (b: number) => number {
  const { y, weights } = problem;
  if (loss.targets === "signs") {
    const [minus, plus] = classWeight(problem);
    return (b) => plus * loss.value(b, 1) + minus * loss.value(b, -1);
  }
  if (loss.shape === "quadratic") return (b) => 0.5 * squareAround(problem, b);
  if (loss.constantSum) {
    const { sum, total } = sumsOf(problem);
    return (b) => loss.constantSum!(b, sum, total);
  }
  return (b) => {
    let sum = 0;
    for (let i = 0; i < y.length; i++) sum += (weights ? weights[i]! : 1) * loss.value(b, y[i]!);
    return sum;
  };
}

function squareAround({ y, weights }: Problem, b: number): number {
  let sum = 0;
  if (weights) for (let i = 0; i < y.length; i++) sum += weights[i]! * (y[i]! - b) * (y[i]! - b);
  else for (let i = 0; i < y.length; i++) sum += (y[i]! - b) * (y[i]! - b);
  return sum;
}

function classWeight({ y, weights }: Problem): [number, number] {
  let plus = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    if (y[i]! > 0) plus += s;
  }
  return [total - plus, plus];
}

function constants(problem: Problem, loss: MarginLoss): number[] {
  if (loss.targets === "signs") {
    const [minus, plus] = classWeight(problem);
    const odds = log(plus / minus);
    return [0, odds, 0.5 * odds, 1, -1, (plus - minus) / (plus + minus)];
  }
  const mean = meanOf(problem);
  if (loss.targets === "counts") return mean > 0 ? [0, log(mean)] : [0];
  if (loss.shape === "quadratic") return [mean];
  if (loss.quantile === undefined) return [0, mean];
  const sample = sortedSample(problem.y);
  const count = sample.length;
  return [0, mean, sample[Math.min(count - 1, Math.floor(loss.quantile * count))]!];
}

function meanOf(problem: Problem): number {
  const [first] = problem.y;
  const { sum, total } = sumsOf(problem, first);
  return first! + sum / total;
}

/** Σ s (y − origin) and Σ s. */
function sumsOf({ y, weights }: Problem, origin = 0): { sum: number; total: number } {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    sum += s * (y[i]! - origin);
  }
  return { sum, total };
}

const medians = new WeakMap<Float64Array, Float64Array>();

/** A sorted sample of the targets; cached, since a Huber fit uses it at every scale. */
function sortedSample(y: Float64Array): Float64Array {
  const kept = medians.get(y);
  if (kept) return kept;
  const count = Math.min(y.length, SAMPLED);
  const sample = Float64Array.from(
    { length: count },
    (_, e) => y[Math.floor((e * y.length) / count)]!,
  ).sort();
  medians.set(y, sample);
  return sample;
}

/** b_k = log of the proportion of class k, minus that of the reference class if there is one. */
function softmaxBaseline({ y, weights, outputs, intercept, x, reference }: Problem): Baseline {
  const weightPerClass = new Float64Array(outputs);
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    weightPerClass[y[i]!]! += s;
    total += s;
  }
  const side = x.cols + 1;
  const blocks = reference ? outputs - 1 : outputs;
  const theta = new Float64Array(blocks * side);
  if (!intercept) return { theta, objective: total * log(outputs) };
  let objective = 0;
  let centre = reference ? log(weightPerClass[outputs - 1]! / total) : 0;
  for (let k = 0; k < outputs; k++) {
    objective -= weightPerClass[k]! * log(weightPerClass[k]! / total);
    if (!reference) centre += log(weightPerClass[k]! / total) / outputs;
  }
  for (let k = 0; k < blocks; k++) theta[k * side + x.cols] = log(weightPerClass[k]! / total) - centre;
  return { theta, objective };
}
