import { transformer } from "../core/capabilities.js";
import type { FitOptions, FittedTransformer, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ShapeError } from "../core/errors.js";
import { integer, optional, type Params } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { TransformerEstimator } from "../fitted/transformers.js";
import { type Expansion, expansionOver, readExpansion } from "../kernel-functions/expansion.js";
import { ExpansionModel } from "../kernel-functions/expansion-model.js";
import { kernelOf, kernelParams } from "../kernel-functions/kernel-params.js";
import { kernelRowsOf, trainingRows } from "../kernel-functions/training-rows.js";
import { largestEigen } from "../numeric/linalg/spectrum.js";
import { flipSignsInto } from "./signs.js";

export const kernelPcaParams = {
  nComponents: optional(
    integer({
      atLeast: 1,
      default: 2,
      doc: "Number of components; null for all with a positive eigenvalue.",
    }),
  ),
  ...kernelParams,
};

/** The n × n kernel matrix of more rows does not fit memory. */
const MOST_ROWS = 20_000;
/** Eigenvalues below this fraction of the largest, per row, are what rounding leaves of 0. */
const ROUNDING = 1e-15;

/**
 * Principal components in the feature space of a kernel [Schölkopf, Smola & Müller 1998]: the eigenvectors of the centred
 * kernel matrix,
 *
 *   K̃ v = λ v,   K̃ = (I − 1/n) K (I − 1/n),      transform(x)_k = Σₜ v_tk k̃(x, xₜ) / √λₖ
 *
 * k̃ is k centred in feature space. With the linear kernel the scores are those of PCA. Components beyond the rank have eigenvalue 0 and
 * scores 0. Kernels that are not positive definite may have negative eigenvalues, which have no component: without `nComponents` they
 * are left out, and asking for more components than are left is an error.
 * Parity: scikit-learn's KernelPCA, which refuses every kernel with a negative eigenvalue, whose default kernel is linear and whose γ is
 * 1/columns ("auto"); signs as in signs.ts, by v.
 */
export class KernelPCA extends TransformerEstimator<typeof kernelPcaParams> {
  static readonly id = "KernelPCA";
  static readonly table = kernelPcaParams;
  static readonly capabilities = transformer({ sparse: true, scale: "standard" });

  constructor(params: Params<typeof kernelPcaParams> = {}) {
    super(params);
    kernelOf(this.id, this.params);
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKernelPCA {
    const { where, ...set } = this.unweighted(x, y, options, { sparse: true });
    const n = set.x.rows;
    if (n > MOST_ROWS) throw tooManyRows(where, n);
    const { nComponents } = this.params;
    if (nComponents !== null && nComponents > n) throw tooMany(where, nComponents, n);
    const all = Int32Array.from({ length: n }, (_, i) => i);
    // The model keeps its rows: a copy, so that they stay as they are.
    const own = { x: set.x.selectRows(all), featureNamesIn: set.featureNamesIn };
    const training = trainingRows(where, kernelOf(KernelPCA.id, this.params), own, undefined);
    const kernel = kernelRowsOf(where, training, all).data;
    const means = centreInto(where, n, kernel);
    const { values, vectors } = largestEigen(where, kernel, n, (all) => {
      const least = ROUNDING * n * Math.max(all[0]!, 0);
      const positive = all.reduce((count, value) => count + (value > least ? 1 : 0), 0);
      return Math.min(positive, nComponents ?? n);
    });
    const positive = vectors.length / n;
    if (positive === 0) throw constantKernel(where);
    const k = nComponents ?? positive;
    if (k > positive) requireNonNegative(where, values, k);
    const coef = Matrix.zeros(k, n);
    coef.data.set(vectors);
    flipSignsInto(coef);
    const eigenvalues = values.map((value, c) => (c < positive ? value : 0)).slice(0, k);
    const intercept = new Float64Array(k);
    for (let c = 0; c < positive; c++) {
      const row = coef.row(c);
      const scale = 1 / Math.sqrt(eigenvalues[c]!);
      for (let t = 0; t < n; t++) {
        row[t]! *= scale;
        intercept[c]! -= row[t]! * means[t]!;
      }
    }
    return new FittedKernelPCA(
      this.params,
      expansionOver(training, null, coef, intercept, true),
      eigenvalues,
    );
  }

  static restore(state: ModelState): FittedKernelPCA {
    const reader = new StateReader(state);
    const eigenvalues = readSums(reader, "eigenvalues", [-1]);
    return new FittedKernelPCA(state.params, readExpansion(reader, eigenvalues.length, true), eigenvalues);
  }
}

/** Centres a kernel matrix in place; returns the means of its rows before. */
function centreInto(where: string, n: number, out: Float64Array): Float64Array {
  const means = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += out[i * n + j]!;
    means[i] = sum / n;
  }
  const whole = means.reduce((sum, mean) => sum + mean, 0) / n;
  if (!Number.isFinite(whole)) {
    throw new DataError(where, "X", "small enough for finite kernel values", "larger numbers");
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = out[i * n + j]! - means[i]! - means[j]! + whole;
      out[i * n + j] = value;
      out[j * n + i] = value;
    }
  }
  return means;
}

export class FittedKernelPCA extends ExpansionModel implements FittedTransformer {
  protected readonly id = KernelPCA.id;

  constructor(
    readonly params: Readonly<Record<string, unknown>>,
    expansion: Expansion,
    /** Of the centred kernel matrix, descending. */
    readonly eigenvalues: Float64Array,
  ) {
    super(params, expansion);
  }

  get nComponents(): number {
    return this.eigenvalues.length;
  }

  /** kernelpca0, kernelpca1, … */
  get featureNamesOut(): readonly string[] {
    return Array.from({ length: this.nComponents }, (_, k) => `kernelpca${k}`);
  }

  [structure](): Structure {
    return transformerStructure(this, { kind: "project", scores: this.expansion.described() });
  }

  /** Scores: one column per component. */
  transform(x: MatrixLike): Matrix {
    return this.expansion.scores("KernelPCA.transform", x);
  }

  toState(): ModelState {
    return this.stateWith({ eigenvalues: this.eigenvalues });
  }
}

const tooMany = (where: string, nComponents: number, n: number) =>
  new ShapeError(where, "nComponents", `at most the number of rows (${n})`, `${nComponents}`);

/** scikit-learn's limit: larger negative eigenvalues, relative to the largest, are not rounding. */
const SIGNIFICANT = 1e-5;

function requireNonNegative(where: string, values: Float64Array, nComponents: number): void {
  const negative = values.filter((value) => value < -SIGNIFICANT * values[0]!).length;
  if (nComponents <= values.length - negative) return;
  throw new DataError({
    where,
    subject: "nComponents",
    expected: `at most ${values.length - negative}, since ${negative} eigenvalues of the centred kernel matrix are negative: the kernel is not positive definite`,
    received: `${nComponents}`,
    advice: "Ask for fewer components, or use a positive definite kernel.",
  });
}

const tooManyRows = (where: string, n: number) =>
  new DataError({
    where,
    subject: "X",
    expected: `at most ${MOST_ROWS} rows, whose kernel matrix fits into memory`,
    received: `${n}`,
    advice: "A pipeline of Nystroem and PCA takes any number.",
  });

const constantKernel = (where: string) =>
  new DataError({
    where,
    subject: "the centred kernel matrix",
    expected: "of at least one positive eigenvalue",
    received: "none: all rows are the same to this kernel",
  });
