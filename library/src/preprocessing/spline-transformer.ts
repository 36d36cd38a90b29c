import { transformer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { ascendingOrder } from "../core/numbers/sort-order.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import type { ParamSpec, Params, ParamValues } from "../core/params/params.js";
import { choice, flag, integer, invalid } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, transformerStructure, undescribed } from "../core/structure.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { unlabelledSet } from "../data/training-set.js";
import { TransformerEstimator, TransformerModel } from "../fitted/transformers.js";
import { basisInto, extendedKnots, periodicKnots, spaced } from "./b-splines.js";
import { evenLists, joinedLists, requireAscending } from "./lists.js";
import { quantileOf, type Ranked } from "./scalers/quantiles.js";

type Knots = "uniform" | "quantile" | readonly (readonly number[])[];

const isRow = (row: unknown): row is ArrayLike<number> =>
  isArrayLike(row) && row.length > 0 && Array.from(row).every(Number.isFinite);

const knots: ParamSpec<Knots> = {
  kind: "union",
  default: "uniform",
  doc: "Where polynomials meet: evenly between the least and the largest value, at quantiles, or given, one row per knot and one column per column of X.",
  expected: '"uniform", "quantile", or two or more rows of numbers, ascending in every column',
  choices: ["uniform", "quantile"],
  read: (value) => {
    if (value === "uniform" || value === "quantile") return value;
    if (!Array.isArray(value) || value.length < 2 || !value.every(isRow)) return invalid;
    const rows = value.map((row: ArrayLike<number>) => Object.freeze(Array.from(row)));
    const ascend = rows.every(
      (row, k) =>
        k === 0 || (row.length === rows[0]!.length && row.every((knot, j) => knot > rows[k - 1]![j]!)),
    );
    return ascend ? Object.freeze(rows) : invalid;
  },
};

export const splineTransformerParams = {
  nKnots: integer({
    atLeast: 2,
    atMost: 1_000_000,
    default: 5,
    doc: "How many knots; not used with given ones.",
  }),
  degree: integer({ atLeast: 0, atMost: 100, default: 3, doc: "Degree of the polynomials." }),
  knots,
  extrapolation: choice(["error", "constant", "linear", "continue", "periodic"], {
    default: "constant",
    doc: "Beyond the knots: an error, the values or the tangents at the ends, the polynomials of the ends, or the same again.",
  }),
  includeBias: flag({
    default: true,
    doc: "Keep the last basis function of each column; all together are 1 between the knots.",
  }),
};
type SplineParams = typeof splineTransformerParams;

/**
 * Columns as values of B-splines: piecewise polynomials of a degree d that meet smoothly at K knots, of which each x has d + 1 that are
 * not 0, and whose sum is 1. A linear model of them is a smooth curve of x.
 *
 *   x ↦ (B₀(x), …, B_{K+d−2}(x)),      K − 1 of them if periodic
 *
 * Weights move knots at quantiles, and rows of weight 0 do not count. A constant column gives zeros.
 * Parity: scikit-learn's SplineTransformer, with knots beyond the ends at the distance of the last two [Eilers & Marx 1996]. Of degree
 * 0, "constant" has the values of the ends on both sides, where version 1.2 has zeros below and fails above; of degree 0 and 1, "linear"
 * treats all columns alike, where version 1.2 shifts the ends of all but the first. Where quantiles coincide at an end, the splines of
 * that end are 1 together like all others, where version 1.2 has zeros. Equal weights count as no weights.
 */
export class SplineTransformer extends TransformerEstimator<SplineParams> {
  static readonly id = "SplineTransformer";
  static readonly table = splineTransformerParams;
  static readonly capabilities = transformer({ sampleWeight: true });

  constructor(params: Params<SplineParams> = {}) {
    super(params);
    const { nKnots, knots, degree, extrapolation, includeBias } = this.params;
    const count = typeof knots === "string" ? nKnots : knots.length;
    if (extrapolation === "periodic" && count <= degree) {
      const expected = `below the number of knots (${count}), as periodic splines require`;
      throw new ParameterError(this.id, "degree", expected, show(degree));
    }
    if (!includeBias && outputsPer(this.params, count) === 0) {
      const expected = "true for a single basis function, since there would be no output";
      throw new ParameterError(this.id, "includeBias", expected, "false");
    }
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedSplineTransformer {
    const where = this.where("fit");
    const known = unlabelledSet(where, x, y, options, { sparse: false });
    const { x: rows, weights } = known;
    const base =
      givenKnots(where, this.params, rows.cols) ??
      Array.from({ length: rows.cols }, (_, j) =>
        learnedKnots(this.params, rankedColumn(rows.column(j), weights)),
      );
    return new FittedSplineTransformer(this.params, known, base);
  }

  static restore(state: ModelState): FittedSplineTransformer {
    const { reader, params } = restoring(splineTransformerParams, state);
    const known = readColumns(reader);
    const count = typeof params.knots === "string" ? params.nKnots : params.knots.length;
    const all = reader.floats("knots", [known.nFeatures, count]);
    const base = requireAscending(reader, "knots", evenLists(all, known.nFeatures));
    return new FittedSplineTransformer(params, known, base);
  }
}

/** A column by rank, and by the weight of all rows up to a number. */
export interface WeighedColumn extends Ranked {
  /** Undefined without weights, or where all are equal. */
  readonly weights:
    | {
        readonly total: number;
        /** The smallest number such that the weight of all up to it is at least this; the largest if there is none. */
        reaching(weight: number): number;
      }
    | undefined;
}

function rankedColumn(column: Float64Array, given: Float64Array | undefined): WeighedColumn {
  const order = ascendingOrder(column);
  const sorted = Float64Array.from(order, (i) => column[i]!);
  const ranked = { length: sorted.length, at: (rank: number) => sorted[rank] };
  if (given === undefined || given.every((weight) => weight === given[0]))
    return { ...ranked, weights: undefined };
  const sums = Float64Array.from(order, (i) => given[i]!);
  for (let i = 1; i < sums.length; i++) sums[i]! += sums[i - 1]!;
  const reaching = (weight: number) => {
    const place = sums.findIndex((sum) => sum >= weight);
    return sorted[place < 0 ? sorted.length - 1 : place]!;
  };
  return { ...ranked, weights: { total: sums[sums.length - 1]!, reaching } };
}

type SplineValues = ParamValues<SplineParams>;

/** The knots of each column where the parameter lists them. */
export function givenKnots(where: string, { knots }: SplineValues, cols: number): Float64Array[] | undefined {
  if (typeof knots === "string") return undefined;
  if (knots[0]!.length === cols)
    return Array.from({ length: cols }, (_, j) => Float64Array.from(knots, (row) => row[j]!));
  const expected = `one column for each of the ${cols} columns of X`;
  throw new DataError(where, "knots", expected, `${knots[0]!.length} columns`);
}

/** The knots of a column. */
export function learnedKnots({ knots, nKnots }: SplineValues, column: WeighedColumn): Float64Array {
  if (knots === "uniform") return spaced(column.at(0)!, column.at(column.length - 1)!, nKnots);
  const shares = spaced(0, 1, nKnots);
  const { weights } = column;
  if (weights === undefined) return shares.map((share) => quantileOf(column, share));
  return shares.map((share) => weights.reaching(share * weights.total));
}

const outputsPer = (
  { degree, extrapolation, includeBias }: ParamValues<SplineParams>,
  count: number,
): number => (extrapolation === "periodic" ? count - 1 : count + degree - 1) - (includeBias ? 0 : 1);

export class FittedSplineTransformer extends TransformerModel<ParamValues<SplineParams>> {
  /** Base knots of each column with those beyond them. */
  readonly #all: readonly Float64Array[];

  constructor(
    params: ParamValues<SplineParams>,
    columns: KnownFeatures,
    /** The knots of each column, from the first to the last. */
    readonly knots: readonly Float64Array[],
  ) {
    super(params, columns);
    const extended = params.extrapolation === "periodic" ? periodicKnots : extendedKnots;
    this.#all = knots.map((base) => extended(base, params.degree));
  }

  protected readonly id = SplineTransformer.id;

  [structure](): Structure {
    return transformerStructure(this, undescribed("it computes splines"));
  }

  /** Number of basis functions per column of X. */
  get nSplines(): number {
    return outputsPer(this.params, this.knots[0]!.length);
  }

  transform(x: MatrixLike): Matrix {
    const where = this.where("transform");
    const { data, rows } = this.read(where, x, { sparse: false });
    const { nFeatures, nSplines } = this;
    const out = Matrix.zeros(rows, nFeatures * nSplines);
    if (rows === 0) return out;
    const values = new Float64Array(this.params.degree + 1);
    const slopes = new Float64Array(this.params.degree + 1);
    for (let j = 0; j < nFeatures; j++) {
      for (let i = 0, e = j; i < rows; i++, e += nFeatures) {
        const first = this.#splines(where, data[e]!, i, j, values, slopes);
        const start = (i * nFeatures + j) * nSplines;
        this.#write(first, values, start, out.data);
      }
    }
    const e = out.data.findIndex((value) => !Number.isFinite(value));
    if (e < 0) return out;
    const [i, j] = [Math.floor(e / out.cols), Math.floor((e % out.cols) / nSplines)];
    const expected = "a number whose splines fit a double";
    throw new DataError(where, `X[${i}][${j}]`, expected, show(data[i * nFeatures + j]));
  }

  /** The column's name, `_sp_` and the number of the basis function. */
  override featureNames(input?: readonly string[]): string[] {
    return this.namesIn(input).flatMap((name) =>
      Array.from({ length: this.nSplines }, (_, k) => `${name}_sp_${k}`),
    );
  }

  override toState(): ModelState {
    const { nFeatures, knots } = this;
    const shape = [nFeatures, knots[0]!.length];
    return stateOf(this.id, this, { nFeatures, knots: { shape, data: joinedLists(knots) } });
  }

  /** The basis functions at x that are not 0, in `values`; returns the number of the first. */
  #splines(
    where: string,
    x: number,
    i: number,
    j: number,
    values: Float64Array,
    slopes: Float64Array,
  ): number {
    const { degree, extrapolation } = this.params;
    const all = this.#all[j]!;
    const low = all[degree]!;
    const high = all[all.length - degree - 1]!;
    if (extrapolation === "periodic") return basisInto(all, degree, wrapped(x, low, high), false, values);
    if (extrapolation === "continue" || (x >= low && x <= high))
      return basisInto(all, degree, x, false, values);
    if (extrapolation === "error") {
      const expected = `between the knots, from ${show(low)} to ${show(high)}`;
      const advice = 'Another extrapolation ("constant", "linear", …) takes numbers beyond them.';
      throw new DataError(where, `X[${i}][${j}]`, expected, show(x), advice);
    }
    const end = x < low ? low : high;
    const first = basisInto(all, degree, end, false, values);
    if (extrapolation === "linear") {
      basisInto(all, degree, end, true, slopes);
      for (let k = 0; k <= degree; k++) values[k]! += (x - end) * slopes[k]!;
    }
    return first;
  }

  #write(first: number, values: Float64Array, start: number, out: Float64Array): void {
    const { extrapolation } = this.params;
    const { nSplines } = this;
    // Periodic splines begin again after the last; without the bias the last one is left out.
    const count = extrapolation === "periodic" ? this.knots[0]!.length - 1 : Infinity;
    for (let k = 0; k < values.length; k++) {
      const place = first + k < count ? first + k : first + k - count;
      if (place < nSplines) out[start + place]! += values[k]!;
    }
  }
}

/** x moved by whole periods into [low, high), as Python's % does it. */
function wrapped(x: number, low: number, high: number): number {
  const period = high - low;
  if (period === 0) return low;
  const rest = (x - low) % period;
  return low + (rest < 0 ? rest + period : rest);
}
