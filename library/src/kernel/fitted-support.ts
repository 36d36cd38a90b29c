import type { FitReport, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { readReport, reportJson } from "../core/report.js";
import type { Json, ModelState, StateReader } from "../core/state.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { kernelScores } from "../numeric/kernel-scores.js";
import type { KernelCode } from "../numeric/smo.js";
import { codeCount } from "./kernel-function.js";
import { denseOf, type SupportSolution } from "./support-machine.js";

/** What a machine with support vectors has learned. */
export interface SupportState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly kernel: KernelCode;
  /** The training rows that matter, and their numbers among the rows that were given. */
  readonly supportVectors: Matrix;
  readonly support: Int32Array;
  /** y α of every support vector, one row a machine. */
  readonly dualCoef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
}

/** Σ y α k(x, ·) + b over the support vectors: the common part of SVC and SVR. */
export abstract class FittedSupport {
  readonly supportVectors: Matrix;
  readonly support: Int32Array;
  readonly dualCoef: Matrix;
  readonly report: FitReport;
  protected readonly learned: SupportState;

  constructor(state: SupportState) {
    this.learned = state;
    this.supportVectors = state.supportVectors;
    this.support = state.support;
    this.dualCoef = state.dualCoef;
    this.report = state.report;
  }

  get nFeatures(): number {
    return this.supportVectors.cols;
  }

  /** γ as it was used. */
  get gamma(): number {
    return this.learned.kernel.a;
  }

  /** One column a machine. */
  protected scores(where: string, x: MatrixLike): Matrix {
    const { supportVectors, kernel, dualCoef, intercept } = this.learned;
    const z = denseOf(where, readMatrix(where, x, { cols: this.nFeatures, sparse: true }));
    const data = kernelScores(where, z, supportVectors, kernel, dualCoef, intercept);
    const wrong = data.findIndex((score) => !Number.isFinite(score));
    if (wrong >= 0) {
      throw new DataError({
        where,
        subject: `row ${Math.floor(wrong / dualCoef.rows)} of X`,
        expected: "numbers whose kernel values are finite",
        received: "larger ones",
      });
    }
    return new Matrix(data, z.rows, dualCoef.rows);
  }

  protected stateWith(values: Readonly<Record<string, Json>>): ModelState {
    const { id, params, kernel, support, intercept, report } = this.learned;
    const matrix = ({ data, rows, cols }: Matrix) => ({ shape: [rows, cols], data });
    const { code, a, c, degree } = kernel;
    return {
      kind: id,
      params: describeParams(params),
      values: { ...values, kernel: { code, a, c, degree }, report: reportJson(report) },
      tensors: {
        supportVectors: matrix(this.supportVectors),
        support: { shape: [support.length], data: support },
        dualCoef: matrix(this.dualCoef),
        intercept: { shape: [intercept.length], data: intercept },
      },
    };
  }
}

const isKernel = (value: unknown): value is KernelCode => {
  const { code, a, c, degree } = (value ?? {}) as Partial<KernelCode>;
  const numbers = [code, a, c, degree].every((v) => typeof v === "number" && Number.isFinite(v));
  return (
    numbers &&
    Number.isInteger(code) &&
    code! >= 0 &&
    code! < codeCount &&
    Number.isInteger(degree) &&
    degree! >= 0
  );
};

/** Checks and rebuilds what `stateWith` wrote, for the given number of machines. */
export function readSupport(reader: StateReader, machines: number): SupportState {
  const { state } = reader;
  const support = reader.integers("support", [-1]);
  const vectors = reader.floats("supportVectors", [support.length, -1]);
  const cols = state.tensors.supportVectors!.shape[1]!;
  const coef = reader.floats("dualCoef", [machines, support.length]);
  const intercept = reader.floats("intercept", [machines]);
  for (const [name, list] of Object.entries({ supportVectors: vectors, dualCoef: coef, intercept })) {
    if (!list.every(Number.isFinite)) reader.fail(name, "finite", "±∞");
  }
  return {
    id: state.kind,
    params: state.params,
    kernel: reader.value("kernel", "a kernel function", isKernel),
    supportVectors: new Matrix(vectors, support.length, cols),
    support,
    dualCoef: new Matrix(coef, machines, support.length),
    intercept,
    report: readReport(reader),
  };
}

/** A machine's solution, and which of the training rows it was about. */
export interface Trained extends SupportSolution {
  readonly rows: Int32Array | undefined;
}

/** The support vectors of all machines together, and what each of them makes of them. */
export function gather(
  id: string,
  params: Readonly<Record<string, unknown>>,
  kernel: KernelCode,
  x: Matrix,
  trained: readonly Trained[],
): SupportState {
  const used = new Uint8Array(x.rows);
  const rowOf = (machine: Trained, e: number) => (machine.rows ? machine.rows[e]! : e);
  for (const machine of trained) {
    for (let e = 0; e < machine.coef.length; e++) if (machine.coef[e] !== 0) used[rowOf(machine, e)] = 1;
  }
  const support = Int32Array.from(used.keys()).filter((i) => used[i] === 1);
  const place = new Int32Array(x.rows);
  for (let s = 0; s < support.length; s++) place[support[s]!] = s;
  const dualCoef = Matrix.zeros(trained.length, support.length);
  for (const [k, machine] of trained.entries()) {
    for (let e = 0; e < machine.coef.length; e++) {
      if (machine.coef[e] !== 0)
        dualCoef.data[k * support.length + place[rowOf(machine, e)]!] = machine.coef[e]!;
    }
  }
  return {
    id,
    params,
    kernel,
    supportVectors: x.selectRows(support),
    support,
    dualCoef,
    intercept: Float64Array.from(trained, ({ intercept }) => intercept),
    report: reportOf(trained),
  };
}

function reportOf(trained: readonly Trained[]): FitReport {
  const converged = trained.every((machine) => machine.converged);
  return {
    converged,
    iterations: trained.reduce((sum, { iterations }) => sum + iterations, 0),
    objective: trained.reduce((sum, { objective }) => sum + objective, 0),
    gradientNorm: Math.max(...trained.map(({ violation }) => violation)),
    solver: "smo",
    warnings: converged
      ? []
      : ["Stopped at maxIter steps: raise maxIter, or scale the columns (StandardScaler)."],
  };
}
