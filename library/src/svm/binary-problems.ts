import type { Progress } from "../core/contract.js";
import { signsOf } from "../data/training-set.js";
import { kernelAccess, type TrainingRows } from "../kernel-functions/training-rows.js";
import { jointExpansion } from "./fitted-svm.js";
import { fitSigmoid, foldsOf, type Sigmoid } from "./sigmoid-calibration.js";
import { solveSvm, stepsPerYield } from "./solve-svm.js";
import { type SolverParams, type SvmSolution, type SvmStep, withBias } from "./svm-problem.js";

/** Two classes, or one class against the rest, with labels ±1. */
export interface BinaryProblem {
  /** The indices of its training rows; undefined for all. */
  readonly subset: Int32Array | undefined;
  /** ±1. */
  readonly y: Float64Array;
}

/** One problem for two classes (+1: the second); else one per pair of classes (+1: the first) or, with "ovr", one per class. */
export function* binaryProblems(
  codes: Int32Array,
  K: number,
  shape: "ovo" | "ovr",
): Generator<BinaryProblem> {
  if (K === 2) yield { subset: undefined, y: signsOf(codes, 1) };
  else if (shape === "ovr") for (let k = 0; k < K; k++) yield { subset: undefined, y: signsOf(codes, k) };
  else {
    const counts = new Int32Array(K);
    for (const code of codes) counts[code]!++;
    for (let a = 0; a < K; a++) {
      for (let b = a + 1; b < K; b++) yield pairOf(codes, a, b, counts[a]! + counts[b]!);
    }
  }
}

function pairOf(codes: Int32Array, a: number, b: number, rows: number): BinaryProblem {
  const subset = new Int32Array(rows);
  const y = new Float64Array(rows);
  let e = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code !== a && code !== b) continue;
    subset[e] = i;
    y[e++] = code === a ? 1 : -1;
  }
  return { subset, y };
}

interface BinarySvmParams extends SolverParams {
  readonly C: number;
  readonly randomState: number;
}

/** Solves one binary problem, step by step. */
export function binarySvmSteps(
  where: string,
  training: TrainingRows,
  weights: Float64Array | undefined,
  { subset, y }: BinaryProblem,
  params: BinarySvmParams,
  observed: boolean,
): Generator<SvmStep, SvmSolution, void> {
  const access = withBias(kernelAccess(where, training, subset, params.bias === "separate"), params.bias);
  const upper = new Float64Array(y.length);
  for (let e = 0; e < y.length; e++) upper[e] = params.C * (weights?.[subset ? subset[e]! : e] ?? 1);
  const p = new Float64Array(y.length).fill(-1);
  return solveSvm(
    where,
    { access, variablesPerPoint: 1, y, upper, p },
    params,
    stepsPerYield(y.length, observed),
  );
}

/** Platt's sigmoid of a binary SVM, fitted to held-out scores: five folds, each scored by an SVM trained on the other four. */
export function* calibrate(
  where: string,
  training: TrainingRows,
  weights: Float64Array | undefined,
  given: Float64Array | undefined,
  { subset, y }: BinaryProblem,
  params: BinarySvmParams,
): Generator<Progress, Sigmoid, void> {
  const rowOf = (e: number) => (subset ? subset[e]! : e);
  const f = new Float64Array(y.length);
  for (const { train, test } of foldsOf(y, params.randomState)) {
    const signs = Float64Array.from(train, (e) => y[e]!);
    if (!(signs.includes(1) && signs.includes(-1))) {
      // One class only, or no rows: LIBSVM takes ±1 or 0 as the score then.
      const score = signs.includes(1) ? 1 : signs.includes(-1) ? -1 : 0;
      for (const e of test) f[e] = score;
      continue;
    }
    const problem = { subset: train.map(rowOf), y: signs };
    const steps = binarySvmSteps(where, training, weights, problem, params, false);
    const solved = { ...(yield* steps), subset: problem.subset };
    const svm = jointExpansion(training, training.x.cols, [solved], params.bias);
    const scores = svm.scores(where, training.x.selectRows(test.map(rowOf)));
    for (const [s, e] of test.entries()) f[e] = scores.data[s]!;
  }
  const sampleWeight = given && Float64Array.from(y, (_, e) => given[training.rows[rowOf(e)]!]!);
  return fitSigmoid(f, y, sampleWeight);
}
