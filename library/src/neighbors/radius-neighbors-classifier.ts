import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { beginUnweightedFit } from "../core/params/options.js";
import { invalid, type ParamSpec, type Params, type ParamValues } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import { classificationSet } from "../data/training-set.js";
import { FittedNeighborsClassifier, readCodes } from "./fitted-neighbors-classifier.js";
import { radius, searchParams, weights } from "./params.js";
import { readTraining } from "./restore.js";
import { acceptsSparse, requireSearchable, type TrainingPoints, trainingPoints } from "./training-points.js";
import { voteWeights } from "./vote-weights.js";

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
export class RadiusNeighborsClassifier extends Estimator<RadiusParams> {
  static readonly id = "RadiusNeighborsClassifier";
  static readonly table = radiusNeighborsClassifierParams;
  static readonly capabilities: Capabilities = {
    ...classifierCapabilities,
    sparse: true,
    probabilities: true,
    sampleWeight: false,
    scale: "standard",
    form: "rows",
  };

  constructor(params: Params<RadiusParams> = {}) {
    super(params);
    requireSearchable(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return { ...RadiusNeighborsClassifier.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedRadiusNeighborsClassifier<L> {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const set = classificationSet(where, x, y, options, { sparse: acceptsSparse(this.params) }, null);
    const outlier = this.#outlierClass(where, set.classes, set.codes);
    const points = trainingPoints(where, set, this.params);
    return new FittedRadiusNeighborsClassifier(this.params, points, set.classes, set.codes, outlier);
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
    throw new DataError({
      where,
      subject: "outlierLabel",
      expected: `one of the classes (${classes.slice(0, 8).map(show).join(", ")}) or "mostFrequent"`,
      received: show(label),
    });
  }

  static restore(state: ModelState): FittedRadiusNeighborsClassifier {
    const reader = new StateReader(state);
    const { params, points, rows } = readTraining(radiusNeighborsClassifierParams, reader);
    const classes = reader.labels("classes", 2);
    const codes = readCodes(reader, rows, classes.length);
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

  protected override get outlierVotes(): Float64Array | null {
    return this.outlier < 0 ? null : Float64Array.from(this.classes, (_, k) => (k === this.outlier ? 1 : 0));
  }

  protected votes(where: string, z: Design | undefined): Float64Array {
    const K = this.classes.length;
    const out = new Float64Array((z ?? this.points.x).rows * K);
    this.points.within(where, z, this.params.radius, (from, count, starts, distances, indices) => {
      for (let r = 0; r < count; r++) {
        const [begin, end] = [starts[r]!, starts[r + 1]!];
        const at = (from + r) * K;
        if (begin === end) {
          if (this.outlier < 0) noNeighbors(where, from + r, this.params.radius, "outlierLabel");
          out[at + this.outlier] = 1;
          continue;
        }
        const weight = voteWeights(where, this.params.weights, distances.subarray(begin, end));
        for (let e = begin; e < end; e++) out[at + this.codes[indices[e]!]!]! += weight[e - begin]!;
      }
    });
    return out;
  }

  protected neighborsOf(where: string, z: Design): { indices: Int32Array; distances: Float64Array } {
    let found = { indices: new Int32Array(), distances: new Float64Array() };
    this.points.within(where, z, this.params.radius, (_, __, ___, distances, indices) => {
      found = { indices, distances } as typeof found;
    });
    return found;
  }

  protected override learnedValues() {
    return { ...super.learnedValues(), outlier: this.outlier };
  }
}

/** Throws the error for a row without neighbours. */
export function noNeighbors(where: string, row: number, distance: number, parameter: string): never {
  throw new DataError({
    where,
    subject: `row ${row} of X`,
    expected: `within ${distance} of a training row`,
    received: "a row without neighbours",
    advice: `Choose a larger radius, or set ${parameter} for such rows.`,
  });
}
