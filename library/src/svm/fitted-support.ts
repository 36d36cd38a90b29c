import type { FitReport, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { readReport, reportJson } from "../core/report.js";
import type { Json, ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { Expansion, originTerms, readExpansion, sumsOrigin } from "../kernel-functions/expansion.js";
import type { Kernel } from "../kernel-functions/kernel-part.js";
import type { LearningRows } from "../kernel-functions/learning-rows.js";
import { isLinear, type KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { SupportSolution } from "./support-machine.js";

/** What a machine with support vectors has learned. */
export interface SupportState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expansion: Expansion;
  readonly report: FitReport;
}

/** Σ y α k(x, ·) + b over the support vectors: the common part of SVC and SVR. */
export abstract class FittedSupport {
  readonly report: FitReport;
  protected readonly learned: SupportState;

  constructor(state: SupportState) {
    this.learned = state;
    this.report = state.report;
  }

  /** The training rows that matter, one a row; of a precomputed kernel only their numbers are known. */
  get supportVectors(): Design {
    return this.learned.expansion.parts.points;
  }

  /** Their numbers among the rows that were given. */
  get support(): Int32Array {
    return this.learned.expansion.parts.rows;
  }

  /** y α of every support vector, one row a machine. */
  get dualCoef(): Matrix {
    return this.learned.expansion.parts.coef;
  }

  get nFeatures(): number {
    return this.learned.expansion.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.learned.expansion.parts.featureNamesIn;
  }

  /** γ as it was used, of kernels that have one. */
  get gamma(): number | undefined {
    const { kernel } = this.learned.expansion.parts;
    return kernel.kind === "tree" && "code" in kernel.tree ? kernel.tree.a : undefined;
  }

  /** One column a machine. */
  protected scores(where: string, x: MatrixLike): Matrix {
    return this.learned.expansion.scores(where, x);
  }

  protected stateWith(values: Readonly<Record<string, Json>>): ModelState {
    const { id, params, expansion, report } = this.learned;
    const state = expansion.toState(`saveModel(${id})`);
    return {
      kind: id,
      params: describeParams(params),
      values: { ...values, ...state.values, report: reportJson(report) },
      tensors: state.tensors,
    };
  }
}

/** Checks and rebuilds what `stateWith` wrote, for the given number of machines. */
export function readSupport(reader: StateReader, machines: number): SupportState {
  const { kind, params } = reader.state;
  const expansion = readExpansion(reader, machines, params["bias"] === "separate");
  return { id: kind, params, expansion, report: readReport(reader) };
}

/** A machine's solution, and which of the training rows it was about. */
export interface Trained extends SupportSolution {
  readonly part: Int32Array | undefined;
}

/** The support vectors of all machines together, class by class if there are any, and what each machine makes of them. */
export function gather(
  learning: LearningRows,
  nFeatures: number,
  trained: readonly Trained[],
  bias: "separate" | "kernel",
  codes?: Int32Array,
): Expansion {
  const { kernel, x, rows } = learning;
  const used = new Uint8Array(x.rows);
  const rowOf = (machine: Trained, e: number) => (machine.part ? machine.part[e]! : e);
  for (const machine of trained) {
    for (let e = 0; e < machine.coef.length; e++) if (machine.coef[e] !== 0) used[rowOf(machine, e)] = 1;
  }
  const support = supportOf(used, codes);
  const place = new Int32Array(x.rows);
  for (let s = 0; s < support.length; s++) place[support[s]!] = s;
  const coef = Matrix.zeros(trained.length, support.length);
  for (const [k, machine] of trained.entries()) {
    for (let e = 0; e < machine.coef.length; e++) {
      if (machine.coef[e] !== 0) coef.data[k * coef.cols + place[rowOf(machine, e)]!] = machine.coef[e]!;
    }
  }
  const points = kernel.kind === "precomputed" ? Matrix.zeros(support.length, 0) : x.selectRows(support);
  const zeroSums = bias === "separate";
  return new Expansion({
    kernel,
    points,
    rows: support.map((i) => rows[i]!),
    nFeatures,
    featureNamesIn: learning.featureNamesIn,
    coef,
    intercept:
      kernel.kind === "tree" && zeroSums
        ? interceptsOf(kernel.tree, learning, trained, points, coef)
        : Float64Array.from(trained, ({ intercept }) => intercept),
    zeroSums,
  });
}

/**
 * b of every machine for rows where they are. It is as large as w times their distance from 0, so that scores are sums around an
 * origin of the support vectors, and b is what gives the right intercept there: nothing is lost but the last digit of b.
 */
function interceptsOf(
  tree: KernelTree,
  { x }: LearningRows,
  trained: readonly Trained[],
  points: Design,
  coef: Matrix,
): Float64Array {
  const isMoved = trained.some((machine) => machine.origin !== null);
  const origin = isMoved ? sumsOrigin(tree, points, coef) : null;
  const terms = origin && originTerms(tree, points, coef, origin);
  return Float64Array.from(trained, (machine, k) => {
    if (machine.origin === null) return machine.intercept;
    return machine.intercept + moveTerm(tree, x as Matrix, machine, origin) - (terms ? terms[k]! : 0);
  });
}

/** a Σ_t coef_t (x_t − o)·(to − o), o the origin of the machine. */
function moveTerm(
  tree: KernelTree,
  x: Matrix,
  { coef, part, origin: o }: Trained,
  to: Float64Array | null,
): number {
  if (!isLinear(tree) || o === null) return 0;
  let sum = 0;
  for (let j = 0; j < x.cols; j++) {
    let w = 0;
    for (let e = 0; e < coef.length; e++)
      w += coef[e]! * (x.data[(part ? part[e]! : e) * x.cols + j]! - o[j]!);
    sum += w * ((to ? to[j]! : 0) - o[j]!);
  }
  return tree.a * sum;
}

/** The rows that are used, class after class if there are codes. */
function supportOf(used: Uint8Array, codes: Int32Array | undefined): Int32Array {
  let count = 0;
  for (const one of used) count += one;
  const support = new Int32Array(count);
  for (let i = 0, s = 0; i < used.length; i++) if (used[i] === 1) support[s++] = i;
  return codes ? support.sort((a, b) => codes[a]! - codes[b]! || a - b) : support;
}

export function supportReport(trained: readonly SupportSolution[], kernel: Kernel): FitReport {
  const converged = trained.every((machine) => machine.converged);
  const sum = (of: (machine: SupportSolution) => number) =>
    trained.reduce((total, machine) => total + of(machine), 0);
  const gap = trained.some(({ dualityGap }) => dualityGap === undefined)
    ? {}
    : { dualityGap: sum(({ dualityGap }) => dualityGap!) };
  const warnings: string[] = [];
  if (trained.some(({ stopped }) => stopped === "maxIter"))
    warnings.push("Stopped at maxIter steps: raise maxIter, or scale the columns (StandardScaler).");
  if (trained.some(({ stopped }) => stopped === "stalled")) {
    warnings.push(
      "Stopped where rounding hides what is left to gain: lower C or the weights, raise tol, or scale the columns (StandardScaler).",
    );
  }
  if (trained.some(({ stopped }) => stopped === "slow")) {
    warnings.push(
      "Stopped after a hundred steps for each row and more: lower C, raise tol, or scale the columns (StandardScaler).",
    );
  }
  if (kernel.positiveDefinite === false) {
    warnings.push(
      `The ${kernel.name} kernel is not positive definite: no small change of α improves the dual, but another α may be better.`,
    );
  }
  return {
    converged,
    iterations: sum(({ iterations }) => iterations),
    objective: sum(({ objective }) => objective),
    gradientNorm: Math.max(...trained.map(({ violation }) => violation)),
    ...gap,
    solver: "smo",
    warnings,
  };
}
