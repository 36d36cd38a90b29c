import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { classWeight, either, integer, invalid, numbers, optional, real } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { checkRows, type Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import type { Layout } from "./categories.js";
import { categoriesOf, countCategories, layoutOf, movedCounts, requireCodes } from "./categories.js";
import { broadcast, classPriorParams, LEAST_ALPHA } from "./class-priors.js";
import type { EventRows } from "./feature-rows.js";
import { added, bayesCapabilities, classCounts, fitRows, partialFitRows } from "./feature-rows.js";
import type { ClassScores, ClassState, ClassSums } from "./fitted-naive-bayes.js";
import { classState, FittedNaiveBayes, readClassSums } from "./fitted-naive-bayes.js";
import { type ClassTopFeatures, type TopFeaturesOptions, topFeatures } from "./top-features.js";

/** One pseudo-count for all values, or alpha[j][v] for value v of column j. */
export type CategoryAlpha = number | readonly (readonly number[])[];

export const categoricalNBParams = {
  alpha: either(
    real({
      atLeast: 0,
      default: 1,
      doc: "Pseudo-count of every value (Laplace: 1), or a list per column with one per value; below 1e-10 it is 1e-10.",
    }),
    { kind: "numbers", expected: "a list of lists of numbers ≥ 0, one list per column", read: readLists },
  ),
  minCategories: optional(
    either(
      integer({
        atLeast: 1,
        default: 1,
        doc: "Values that a column has at least, or one such number per column.",
      }),
      numbers({ atLeast: 1, default: [], doc: "" }),
    ),
  ),
  ...classPriorParams,
  classWeight: classWeight(),
};
type Values = ParamValues<typeof categoricalNBParams>;

function readLists(value: unknown): readonly (readonly number[])[] | typeof invalid {
  if (!Array.isArray(value) || value.length === 0) return invalid;
  const fine = value.every(
    (list) =>
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((a) => typeof a === "number" && Number.isFinite(a) && a >= 0),
  );
  return fine ? Object.freeze(value.map((list: readonly number[]) => Object.freeze([...list]))) : invalid;
}

/**
 * The categorical event model: column j holds one of the values 0, 1, …, nⱼ − 1, e.g. a discretised measurement.
 *
 *   log P(x | y = k) = Σⱼ log φₖⱼ(xⱼ),      φₖⱼ(v) = (Nₖⱼᵥ + αⱼᵥ) / Σᵥ (Nₖⱼᵥ + αⱼᵥ)
 *
 * Nₖⱼᵥ are the (weighted) rows of class k with xⱼ = v. nⱼ is one more than the largest value seen in `fit`, at least
 * `minCategories`. A value that `fit` has not seen, negative ones included (encoders write −1 for "unknown"), has the
 * probability of one that was counted 0 times. With lists of α (a Dirichlet prior per column), nⱼ is the length of the list.
 * Parity: scikit-learn's CategoricalNB, which fails on unseen values, refuses sparse rows, and cuts 1.7 down to 1 silently: we
 * refuse what is not whole.
 */
export class CategoricalNB extends Estimator<typeof categoricalNBParams> {
  static readonly id = "CategoricalNB";
  static readonly table = categoricalNBParams;
  static readonly capabilities = bayesCapabilities;

  constructor(params: Params<typeof categoricalNBParams> = {}) {
    super(params);
    const { minCategories } = this.params;
    if (typeof minCategories !== "object" || minCategories === null) return;
    const wrong = minCategories.find((count) => !Number.isSafeInteger(count));
    if (wrong === undefined) return;
    throw new ParameterError(this.id, "minCategories", "of whole numbers", show(wrong));
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedCategoricalNB<L> {
    return learnCategorical(this.params, fitRows(this, x, y, options), null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedCategoricalNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedCategoricalNB<L> {
    const rows = partialFitRows(this, model, FittedCategoricalNB, x, y, options);
    return learnCategorical(this.params, rows, model);
  }

  static restore(state: ModelState): FittedCategoricalNB {
    const { reader, params, ...sums } = readClassSums(categoricalNBParams, state);
    const K = sums.classes.length;
    const nCategories = reader.integers("nCategories", [-1]);
    if (nCategories.length === 0 || !nCategories.every((n) => n >= 1))
      reader.fail("nCategories", "positive", "something else");
    const layout = layoutOf(reader.where, nCategories, K);
    const counts = readSums(reader, "categoryCount", [K, layout.total]);
    const featureNamesIn = readFeatureNames(reader, nCategories.length);
    return categoricalOf(params, { ...sums, featureNamesIn }, layout, counts);
  }
}

/** Rows → counts, merged with those of the model so far. */
export function learnCategorical<L extends Label>(
  params: Values,
  rows: EventRows<L>,
  from: FittedCategoricalNB<L> | null,
): FittedCategoricalNB<L> {
  const { where } = rows;
  const K = rows.classes.length;
  const least = leastCategories(where, params, rows.x.cols);
  const seen = categoriesOf(where, rows, typeof params.alpha === "number" ? undefined : least);
  const before = from?.layout.sizes;
  const layout = layoutOf(
    where,
    seen.map((n, j) => Math.max(n, least[j]!, before ? before[j]! : 0)),
    K,
  );
  const counted = classCounts(rows);
  const counts = countCategories(rows, layout, counted);
  const old = from ? movedCounts(from.counts, from.layout, layout, K) : undefined;
  const sums = { ...rows, classCount: added(from?.classCount, counted) };
  return categoricalOf(params, sums, layout, added(old, counts));
}

/** How many values every column has at least, whatever the rows hold. */
export function leastCategories(
  where: string,
  { alpha, minCategories }: Pick<Values, "alpha" | "minCategories">,
  cols: number,
): Int32Array {
  const least = Int32Array.from(broadcast(where, "minCategories", minCategories ?? 1, cols, "columns"));
  if (typeof alpha === "number") return least;
  if (alpha.length !== cols) {
    const expected = `one number, or one list for each of the ${cols} columns`;
    throw new ParameterError(where, "alpha", expected, `${alpha.length} lists`);
  }
  const short = alpha.findIndex((list, j) => minCategories !== null && list.length < least[j]!);
  if (short < 0) return Int32Array.from(alpha, (list) => list.length);
  const expected = `as long as minCategories requires (${least[short]})`;
  const received = `${alpha[short]!.length} numbers`;
  throw new ParameterError(where, `alpha[${short}]`, expected, received);
}

/** Counts → model. */
function categoricalOf<L extends Label>(
  params: Values,
  sums: ClassSums<L>,
  layout: Layout,
  counts: Float64Array,
): FittedCategoricalNB<L> {
  const state = classState(sums, params);
  const { alpha } = params;
  const wrong = typeof alpha === "number" ? -1 : layout.sizes.findIndex((n, j) => alpha[j]?.length !== n);
  if (wrong >= 0) {
    const expected = `${layout.sizes[wrong]} pseudo-counts long, one per value`;
    const received = show((alpha as readonly unknown[])[wrong]);
    throw new ParameterError(sums.where, `alpha[${wrong}]`, expected, received);
  }
  return new FittedCategoricalNB(state, layout, counts, alpha);
}

export class FittedCategoricalNB<L extends Label = Label> extends FittedNaiveBayes<L> {
  protected readonly id = CategoricalNB.id;
  protected readonly takesSparse = true;
  readonly #alpha: CategoryAlpha;
  /** log φ, K numbers per value; then, K numbers per column, that of a value not seen in fit. */
  readonly #logs: Float64Array;

  constructor(
    state: ClassState<L>,
    /** Where the values of each column are in `counts`. */
    readonly layout: Layout,
    /** (Weighted) rows of every class with every value of every column: classes × all values. */
    readonly counts: Float64Array,
    alpha: CategoryAlpha,
  ) {
    super(state);
    this.#alpha = alpha;
    const K = state.classes.length;
    const { sizes, offsets, total } = layout;
    this.#logs = new Float64Array((total + sizes.length) * K);
    for (let j = 0; j < sizes.length; j++) {
      const pseudo = this.#pseudo(j);
      const mass = pseudo.reduce((sum, a) => sum + a, 0);
      for (let k = 0; k < K; k++) {
        const at = k * total + offsets[j]!;
        let sum = mass;
        for (let v = 0; v < sizes[j]!; v++) sum += counts[at + v]!;
        const logSum = log(sum);
        for (let v = 0; v < sizes[j]!; v++)
          this.#logs[(offsets[j]! + v) * K + k] = log(counts[at + v]! + pseudo[v]!) - logSum;
        this.#logs[(total + j) * K + k] = log(mass / sizes[j]!) - logSum;
      }
    }
  }

  get nFeatures(): number {
    return this.layout.sizes.length;
  }

  get nParameters(): number {
    const K = this.classes.length;
    return K * (this.layout.total - this.nFeatures) + K - 1;
  }

  /** Number of values of every column. */
  get nCategories(): Int32Array {
    return this.layout.sizes.slice();
  }

  /** (Weighted) rows by class and value, one matrix per column. */
  get categoryCount(): readonly Matrix[] {
    const { total } = this.layout;
    return this.#perColumn((k, at) => this.counts[k * total + at]!);
  }

  /** log P(xⱼ = v | y = k): one matrix per column, classes × values. */
  get featureLogProb(): readonly Matrix[] {
    const K = this.classes.length;
    return this.#perColumn((k, at) => this.#logs[at * K + k]!);
  }

  /** Per class, the k values, as "column=value", with the largest ratio P(value | class) / P(value | other classes). */
  topFeatures(k: number, options: TopFeaturesOptions = {}): readonly ClassTopFeatures<L>[] {
    const { sizes, offsets } = this.layout;
    const column = Int32Array.from({ length: this.layout.total });
    for (let j = 0; j < sizes.length; j++) column.fill(j, offsets[j]!, offsets[j]! + sizes[j]!);
    const describe = (at: number, names: readonly string[]) => {
      const j = column[at]!;
      return { feature: j, name: `${names[j]}=${at - offsets[j]!}` };
    };
    const ratios = (code: number) => this.#ratios(code);
    return topFeatures(`${this.id}.topFeatures`, this, k, options, ratios, describe);
  }

  override rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix {
    const scores = Matrix.zeros(x.rows, this.classes.length);
    const check =
      x instanceof Matrix
        ? this.#addDense(x, scores.data)
        : this.#addSparse(checkRows(where, x), scores.data);
    if (check !== 0) requireCodes(where, x, columns, false);
    return scores;
  }

  override scoresWith(constant: Float64Array): ClassScores {
    const K = this.classes.length;
    const { sizes, offsets, total } = this.layout;
    const tables = Array.from(sizes, (size, j) => {
      const table = Matrix.zeros(size + 1, K);
      table.data.set(this.#logs.subarray(offsets[j]! * K, (offsets[j]! + size) * K));
      table.data.set(this.#logs.subarray((total + j) * K, (total + j + 1) * K), size * K);
      return table;
    });
    return { scores: { kind: "tables", constant, tables }, steps: [] };
  }

  protected learned(): Learned {
    const { sizes: nCategories, total } = this.layout;
    return { nCategories, categoryCount: new Matrix(this.counts, this.classes.length, total) };
  }

  /** Adds log φ of every entry; 0 if all entries are whole numbers. */
  #addDense({ data, rows, cols }: Matrix, out: Float64Array): number {
    const K = this.classes.length;
    const logs = this.#logs;
    const { sizes, offsets, total } = this.layout;
    let check = 0;
    for (let i = 0, e = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++, e++) {
        const value = data[e]!;
        check += value - Math.floor(value);
        const known = value >= 0 && value < sizes[j]!;
        const at = (known ? offsets[j]! + Math.floor(value) : total + j) * K;
        for (let k = 0; k < K; k++) out[i * K + k]! += logs[at + k]!;
      }
    }
    return check;
  }

  /** Zeros are a value like any other: a row starts as one of zeros, and its entries change that. */
  #addSparse({ rows, indptr, indices, values }: CsrMatrix, out: Float64Array): number {
    const K = this.classes.length;
    const logs = this.#logs;
    const { sizes, offsets, total } = this.layout;
    const zeros = new Float64Array(K);
    for (const offset of offsets) for (let k = 0; k < K; k++) zeros[k]! += logs[offset * K + k]!;
    let check = 0;
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k < K; k++) out[i * K + k] = zeros[k]!;
      for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
        const j = indices[e]!;
        const value = values[e]!;
        check += value - Math.floor(value);
        const known = value >= 0 && value < sizes[j]!;
        const at = (known ? offsets[j]! + Math.floor(value) : total + j) * K;
        for (let k = 0; k < K; k++) out[i * K + k]! += logs[at + k]! - logs[offsets[j]! * K + k]!;
      }
    }
    return check;
  }

  #pseudo(j: number): Float64Array {
    const size = this.layout.sizes[j]!;
    const list = typeof this.#alpha === "number" ? new Float64Array(size).fill(this.#alpha) : this.#alpha[j]!;
    return Float64Array.from(list, (a) => Math.max(a, LEAST_ALPHA));
  }

  #perColumn(entry: (k: number, at: number) => number): readonly Matrix[] {
    const { sizes, offsets } = this.layout;
    return Array.from(sizes, (size, j) => {
      const matrix = Matrix.zeros(this.classes.length, size);
      for (let k = 0, e = 0; k < this.classes.length; k++)
        for (let v = 0; v < size; v++, e++) matrix.data[e] = entry(k, offsets[j]! + v);
      return matrix;
    });
  }

  #ratios(k: number): Float64Array {
    const { sizes, offsets, total } = this.layout;
    const ratios = new Float64Array(total);
    const all = this.classCount.reduce((sum, count) => sum + count, 0);
    for (let j = 0; j < sizes.length; j++) {
      const pseudo = this.#pseudo(j);
      const mass = pseudo.reduce((sum, a) => sum + a, 0);
      for (let v = 0; v < sizes[j]!; v++) {
        const at = offsets[j]! + v;
        let others = 0;
        for (let l = 0; l < this.classes.length; l++) if (l !== k) others += this.counts[l * total + at]!;
        const inside = log(this.counts[k * total + at]! + pseudo[v]!) - log(this.classCount[k]! + mass);
        ratios[at] = inside - (log(others + pseudo[v]!) - log(all - this.classCount[k]! + mass));
      }
    }
    return ratios;
  }
}
