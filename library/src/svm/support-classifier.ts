import type { Progress } from "../core/contract.js";
import { signsOf } from "../data/training-set.js";
import { kernelAccess, type LearningRows } from "../kernel-functions/learning-rows.js";
import { gather } from "./fitted-support.js";
import { fitSigmoid, foldsOf, type Sigmoid } from "./sigmoid-calibration.js";
import {
  type SolverParams,
  type SupportSolution,
  type SupportStep,
  solveSupport,
  stepsFor,
  withBias,
} from "./support-machine.js";

/** Two classes against each other. */
export interface BinaryProblem {
  /** Of the rows that take part; absent: all. */
  readonly part: Int32Array | undefined;
  /** ±1. */
  readonly y: Float64Array;
}

/** Two classes are one problem (+1: the second); more are one for each pair (+1: the first of it), or one a class. */
export function* problemsOf(codes: Int32Array, K: number, shape: "ovo" | "ovr"): Generator<BinaryProblem> {
  if (K === 2) yield { part: undefined, y: signsOf(codes, 1) };
  else if (shape === "ovr") for (let k = 0; k < K; k++) yield { part: undefined, y: signsOf(codes, k) };
  else {
    const counts = new Int32Array(K);
    for (const code of codes) counts[code]!++;
    for (let a = 0; a < K; a++) {
      for (let b = a + 1; b < K; b++) yield pairOf(codes, a, b, counts[a]! + counts[b]!);
    }
  }
}

function pairOf(codes: Int32Array, a: number, b: number, rows: number): BinaryProblem {
  const part = new Int32Array(rows);
  const y = new Float64Array(rows);
  let e = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code !== a && code !== b) continue;
    part[e] = i;
    y[e++] = code === a ? 1 : -1;
  }
  return { part, y };
}

interface MachineParams extends SolverParams {
  readonly C: number;
  readonly randomState: number;
}

/** Learns the machine of one problem. */
export function machineSteps(
  where: string,
  learning: LearningRows,
  weights: Float64Array | undefined,
  { part, y }: BinaryProblem,
  params: MachineParams,
  shown: boolean,
): Generator<SupportStep, SupportSolution, void> {
  const access = withBias(kernelAccess(where, learning, part, params.bias === "separate"), params.bias);
  const upper = new Float64Array(y.length);
  for (let e = 0; e < y.length; e++) upper[e] = params.C * (weights?.[part ? part[e]! : e] ?? 1);
  const p = new Float64Array(y.length).fill(-1);
  return solveSupport(where, { access, halves: 1, y, upper, p }, params, stepsFor(y.length, shown));
}

/** The sigmoid of a problem's machine: each row's margin is told by a machine that has not seen it. */
export function* calibrate(
  where: string,
  learning: LearningRows,
  weights: Float64Array | undefined,
  given: Float64Array | undefined,
  { part, y }: BinaryProblem,
  params: MachineParams,
): Generator<Progress, Sigmoid, void> {
  const rowOf = (e: number) => (part ? part[e]! : e);
  const f = new Float64Array(y.length);
  for (const { train, test } of foldsOf(y, params.randomState)) {
    const signs = Float64Array.from(train, (e) => y[e]!);
    if (!(signs.includes(1) && signs.includes(-1))) {
      // One class only, or none: what LIBSVM takes for a machine's answer then.
      const answer = signs.includes(1) ? 1 : signs.includes(-1) ? -1 : 0;
      for (const e of test) f[e] = answer;
      continue;
    }
    const problem = { part: train.map(rowOf), y: signs };
    const steps = machineSteps(where, learning, weights, problem, params, false);
    const solution = yield* steps;
    const machine = gather(learning, learning.x.cols, [{ ...solution, part: problem.part }], params.bias);
    const scores = machine.scores(where, learning.x.selectRows(test.map(rowOf)));
    for (const [s, e] of test.entries()) f[e] = scores.data[s]!;
  }
  const own = given && Float64Array.from(y, (_, e) => given[learning.rows[rowOf(e)]!]!);
  return fitSigmoid(f, y, own);
}
