import { classifier } from "../core/capabilities.js";
import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { invalid, type ParamSpec, type ParamValues } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { FittedNeighborsClassifier, readClassified } from "./fitted-neighbors-classifier.js";
import { NeighborsEstimator, neighborsCapabilities, neighborsSpace } from "./neighbors-estimator.js";
import { nNeighbors, radius, searchParams, weights } from "./params.js";
import type { TrainingPoints } from "./training-points.js";

export const kNeighborsClassifierParams = { nNeighbors, weights, ...searchParams };
type KNeighborsParams = typeof kNeighborsClassifierParams;

/**
 * The k nearest training rows vote:
 *
 *   p(c | x) = Σ_{i ∈ N_k(x), y_i = c} w_i / Σ_{i ∈ N_k(x)} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Ties: of equally near rows the one with the smaller number is a neighbour, of equal sums the first class wins.
 * Parity: scikit-learn's KNeighborsClassifier. Distances of near rows far from the origin keep their digits.
 */
export class KNeighborsClassifier extends NeighborsEstimator<KNeighborsParams> {
  static readonly id = "KNeighborsClassifier";
  static readonly table = kNeighborsClassifierParams;
  static readonly title = "k nearest neighbours";
  static readonly capabilities = classifier({ ...neighborsCapabilities, probabilities: true });
  static readonly starter = { place: 3 } as const;
  static readonly candidate: DefaultCandidate = { cost: 5, mostRows: 50_000 };
  static readonly searchSpace = neighborsSpace;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedKNeighborsClassifier<L> {
    const { points, classes, codes } = this.classified(x, y, options);
    return new FittedKNeighborsClassifier(this.params, points, classes, codes);
  }

  static restore(state: ModelState): FittedKNeighborsClassifier {
    const { params, points, classes, codes } = readClassified(kNeighborsClassifierParams, state);
    return new FittedKNeighborsClassifier(params, points, classes, codes);
  }
}

export class FittedKNeighborsClassifier<L extends Label = Label> extends FittedNeighborsClassifier<L> {
  declare readonly params: ParamValues<KNeighborsParams>;
  protected readonly id = KNeighborsClassifier.id;
}

const outlierLabel: ParamSpec<Label | null> = {
  kind: "label",
  default: null,
  doc: 'Class of rows without a neighbour: one of the classes, or "mostFrequent"; null makes them an error.',
  expected: 'a label, "mostFrequent" or null',
  read: (value) => {
    const isLabel = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    return value === null || isLabel ? (value as Label | null) : invalid;
  },
};

export const radiusNeighborsClassifierParams = { radius, weights, outlierLabel, ...searchParams };
type RadiusParams = typeof radiusNeighborsClassifierParams;

/**
 * All training rows within a radius r vote:
 *
 *   p(c | x) = Σ_{i: d(x, x_i) ≤ r, y_i = c} w_i / Σ_{i: d(x, x_i) ≤ r} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Parity: scikit-learn's RadiusNeighborsClassifier, except that `outlierLabel` must be one of the classes.
 */
export class RadiusNeighborsClassifier extends NeighborsEstimator<RadiusParams> {
  static readonly id = "RadiusNeighborsClassifier";
  static readonly table = radiusNeighborsClassifierParams;
  static readonly capabilities = classifier({ ...neighborsCapabilities, probabilities: true });

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedRadiusNeighborsClassifier<L> {
    const { where, points, classes, codes } = this.classified(x, y, options);
    const outlier = this.#outlierClass(where, classes, codes);
    return new FittedRadiusNeighborsClassifier(this.params, points, classes, codes, outlier);
  }

  /** Index of the class of rows without a neighbour; −1: they are errors. */
  #outlierClass(where: string, classes: readonly Label[], codes: Int32Array): number {
    const label = this.params.outlierLabel;
    if (label === null) return -1;
    const known = classes.indexOf(label);
    if (known >= 0) return known;
    if (label === "mostFrequent") {
      const counts = new Float64Array(classes.length);
      for (const k of codes) counts[k]!++;
      return counts.indexOf(maxOf(counts));
    }
    const expected = `one of the classes (${classes.slice(0, 8).map(show).join(", ")}) or "mostFrequent"`;
    throw new DataError(where, "outlierLabel", expected, show(label));
  }

  static restore(state: ModelState): FittedRadiusNeighborsClassifier {
    const { reader, params, points, classes, codes } = readClassified(radiusNeighborsClassifierParams, state);
    const outlier = reader.number("outlier");
    if (!Number.isInteger(outlier) || outlier < -1 || outlier >= classes.length)
      reader.fail("outlier", "the number of a class, or −1", show(outlier));
    return new FittedRadiusNeighborsClassifier(params, points, classes, codes, outlier);
  }
}

export class FittedRadiusNeighborsClassifier<L extends Label = Label> extends FittedNeighborsClassifier<L> {
  declare readonly params: ParamValues<RadiusParams>;
  protected readonly id = RadiusNeighborsClassifier.id;

  constructor(
    params: ParamValues<RadiusParams>,
    points: TrainingPoints,
    classes: readonly L[],
    codes: Int32Array,
    private readonly outlier: number,
  ) {
    super(params, points, classes, codes);
  }

  protected override get outlierClass(): number {
    return this.outlier;
  }

  protected override learned(): Learned {
    return { ...super.learned(), outlier: this.outlier };
  }
}
