import type { FitReport, MatrixLike } from "../core/contract.js";
import { maxOf } from "../core/numbers/extremes.js";
import { readReport, reportJson } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { Expansion, expansionOrigin, originTerms, readExpansion } from "../kernel-functions/expansion.js";
import { ExpansionModel } from "../kernel-functions/expansion-model.js";
import type { Kernel } from "../kernel-functions/kernel.js";
import type { TrainingRows } from "../kernel-functions/training-rows.js";
import { isLinear, type KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { SvmSolution } from "./svm-problem.js";

/** The fitted state of SVC and SVR. */
export interface SvmState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expansion: Expansion;
  readonly report: FitReport;
}

/** Scores Σ y α k(x, ·) + b over the support vectors: the base of FittedSVC and FittedSVR. */
export abstract class FittedSvm extends ExpansionModel {
  protected readonly id: string;
  readonly report: FitReport;

  constructor({ id, params, expansion, report }: SvmState) {
    super(params, expansion);
    this.id = id;
    this.report = report;
  }

  /** The support vectors, one per row; without columns for a precomputed kernel. */
  get supportVectors(): Design {
    return this.expansion.parts.points;
  }

  /** Indices of the support vectors among the training rows. */
  get support(): Int32Array {
    return this.expansion.parts.rows;
  }

  /** y α of the support vectors: one row per binary SVM, one column per support vector. */
  get dualCoef(): Matrix {
    return this.expansion.parts.coef;
  }

  /** The value of γ, for kernels that have one. */
  get gamma(): number | undefined {
    const { kernel } = this.expansion.parts;
    return kernel.kind === "tree" && "code" in kernel.tree ? kernel.tree.a : undefined;
  }

  /** One column per binary SVM. */
  protected scores(where: string, x: MatrixLike): Matrix {
    return this.expansion.scores(where, x);
  }

  protected override stateWith(learned: Learned): ModelState {
    return super.stateWith({ ...learned, report: reportJson(this.report) });
  }
}

/** Checks and rebuilds what `stateWith` wrote, for the given number of binary SVMs. */
export function readSvm(reader: StateReader, svms: number): SvmState {
  const { kind, params } = reader.state;
  const expansion = readExpansion(reader, svms, params["bias"] === "separate");
  return { id: kind, params, expansion, report: readReport(reader) };
}

/** The solution of one binary SVM, and the indices of its training rows; undefined for all rows. */
export interface TrainedSvm extends SvmSolution {
  readonly subset: Int32Array | undefined;
}

/** The union of all support vectors, sorted by class if `codes` are given, with one row of coefficients per binary SVM. */
export function jointExpansion(
  training: TrainingRows,
  nFeatures: number,
  trained: readonly TrainedSvm[],
  bias: "separate" | "kernel",
  codes?: Int32Array,
): Expansion {
  const { kernel, x, rows } = training;
  const inOrder = supportIndices(x.rows, trained);
  const support = codes ? inOrder.sort((a, b) => codes[a]! - codes[b]! || a - b) : inOrder;
  const place = new Int32Array(x.rows);
  for (let s = 0; s < support.length; s++) place[support[s]!] = s;
  const coef = Matrix.zeros(trained.length, support.length);
  for (const [k, svm] of trained.entries()) {
    for (let e = 0; e < svm.coef.length; e++) {
      if (svm.coef[e] !== 0) coef.data[k * coef.cols + place[rowOf(svm, e)]!] = svm.coef[e]!;
    }
  }
  const points = kernel.kind === "precomputed" ? Matrix.zeros(support.length, 0) : x.selectRows(support);
  const zeroSums = bias === "separate";
  return new Expansion({
    kernel,
    points,
    rows: support.map((i) => rows[i]!),
    nFeatures,
    featureNamesIn: training.featureNamesIn,
    coef,
    intercept:
      kernel.kind === "tree" && zeroSums
        ? interceptsOf(kernel.tree, training, trained, points, coef)
        : Float64Array.from(trained, ({ intercept }) => intercept),
    zeroSums,
  });
}

/**
 * b of every binary SVM for uncentred rows. Far from 0, b is as large as w times their distance; scores are then computed
 * around an origin of the support vectors, and b is chosen so that the intercept there is exact: only b's last digit is rounded.
 */
function interceptsOf(
  tree: KernelTree,
  { x }: TrainingRows,
  trained: readonly TrainedSvm[],
  points: Design,
  coef: Matrix,
): Float64Array {
  const isMoved = trained.some((svm) => svm.origin !== null);
  const origin = isMoved ? expansionOrigin(tree, points, coef) : null;
  const terms = origin && originTerms(tree, points, coef, origin);
  return Float64Array.from(trained, (svm, k) => {
    if (svm.origin === null) return svm.intercept;
    return svm.intercept + centreTerm(tree, x as Matrix, svm, origin) - (terms ? terms[k]! : 0);
  });
}

/** a Σ_t coef_t (x_t − o)·(to − o), o the origin of the solution. */
function centreTerm(
  tree: KernelTree,
  x: Matrix,
  { coef, subset, origin: o }: TrainedSvm,
  to: Float64Array | null,
): number {
  if (!isLinear(tree) || o === null) return 0;
  let sum = 0;
  for (let j = 0; j < x.cols; j++) {
    let w = 0;
    for (let e = 0; e < coef.length; e++)
      w += coef[e]! * (x.data[(subset ? subset[e]! : e) * x.cols + j]! - o[j]!);
    sum += w * ((to ? to[j]! : 0) - o[j]!);
  }
  return tree.a * sum;
}

const rowOf = (svm: TrainedSvm, e: number): number => (svm.subset ? svm.subset[e]! : e);

/** Indices of the rows that are support vectors of any of the binary SVMs, in ascending order. */
export function supportIndices(n: number, trained: readonly TrainedSvm[]): Int32Array {
  const used = new Uint8Array(n);
  for (const svm of trained) {
    for (let e = 0; e < svm.coef.length; e++) if (svm.coef[e] !== 0) used[rowOf(svm, e)] = 1;
  }
  return Int32Array.from(used.keys()).filter((i) => used[i] === 1);
}

const STOPPED = {
  maxIter: "Stopped at maxIter iterations: raise maxIter, or scale the columns (StandardScaler).",
  stalled:
    "Stopped because rounding hides further progress: lower C or the weights, raise tol, or scale the columns (StandardScaler).",
  slow: "Stopped after more than a hundred iterations per row: lower C, raise tol, or scale the columns (StandardScaler).",
};

export function svmReport(trained: readonly SvmSolution[], kernel: Kernel): FitReport {
  const sum = (of: (svm: SvmSolution) => number) => trained.reduce((total, svm) => total + of(svm), 0);
  const gap = trained.some(({ dualityGap }) => dualityGap === undefined)
    ? {}
    : { dualityGap: sum(({ dualityGap }) => dualityGap!) };
  const warnings = Object.entries(STOPPED).flatMap(([reason, text]) =>
    trained.some(({ stopped }) => stopped === reason) ? text : [],
  );
  if (kernel.positiveDefinite === false) {
    warnings.push(
      `The ${kernel.name} kernel is not positive definite: the solution is a local minimum of the dual, not always the global one.`,
    );
  }
  return {
    converged: trained.every(({ converged }) => converged),
    iterations: sum(({ iterations }) => iterations),
    objective: sum(({ objective }) => objective),
    gradientNorm: maxOf(trained.map(({ violation }) => violation)),
    ...gap,
    solver: "smo",
    warnings,
  };
}
