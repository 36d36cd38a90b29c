import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { beginUnweightedFit } from "../core/params/options.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import { classificationSet } from "../data/training-set.js";
import { requireRows } from "./enough-rows.js";
import { FittedNeighborsClassifier, readCodes } from "./fitted-neighbors-classifier.js";
import { nNeighbors, searchParams, weights } from "./params.js";
import { readTraining } from "./restore.js";
import { neighborsSpace } from "./search-space.js";
import { acceptsSparse, requireSearchable, trainingPoints } from "./training-points.js";
import { voteWeightsInto } from "./vote-weights.js";

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
export class KNeighborsClassifier extends Estimator<KNeighborsParams> {
  static readonly id = "KNeighborsClassifier";
  static readonly table = kNeighborsClassifierParams;
  static readonly title = "k nearest neighbours";
  static readonly capabilities: Capabilities = {
    ...classifierCapabilities,
    sparse: true,
    probabilities: true,
    sampleWeight: false,
    scale: "standard",
    form: "rows",
  };
  static readonly starter = { place: 3 } as const;
  static readonly candidate: DefaultCandidate = { cost: 5, mostRows: 50_000 };
  static readonly searchSpace = neighborsSpace;

  constructor(params: Params<KNeighborsParams> = {}) {
    super(params);
    requireSearchable(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return { ...KNeighborsClassifier.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedKNeighborsClassifier<L> {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const rules = { sparse: acceptsSparse(this.params) };
    const set = classificationSet(where, x, y, options, rules, null);
    requireRows(where, this.params.nNeighbors, set.x.rows);
    const points = trainingPoints(where, set, this.params);
    return new FittedKNeighborsClassifier(this.params, points, set.classes, set.codes);
  }

  static restore(state: ModelState): FittedKNeighborsClassifier {
    const reader = new StateReader(state);
    const { params, points, rows } = readTraining(kNeighborsClassifierParams, reader);
    const classes = reader.labels("classes", 2);
    return new FittedKNeighborsClassifier(params, points, classes, readCodes(reader, rows, classes.length));
  }
}

export class FittedKNeighborsClassifier<L extends Label = Label> extends FittedNeighborsClassifier<L> {
  declare readonly params: ParamValues<KNeighborsParams>;
  protected readonly id = KNeighborsClassifier.id;

  protected votes(where: string, z: Design | undefined): Float64Array {
    const { nNeighbors: k } = this.params;
    const K = this.classes.length;
    const out = new Float64Array((z ?? this.points.x).rows * K);
    const weight = new Float64Array(k);
    this.points.nearest(where, z, k, (from, count, distances, indices) => {
      for (let r = 0, e = 0; r < count; r++, e += k) {
        voteWeightsInto(where, this.params.weights, distances.subarray(e, e + k), weight);
        const at = (from + r) * K;
        for (let j = 0; j < k; j++) out[at + this.codes[indices[e + j]!]!]! += weight[j]!;
      }
    });
    return out;
  }

  protected neighborsOf(where: string, z: Design): { indices: Int32Array; distances: Float64Array } {
    let found = { indices: new Int32Array(), distances: new Float64Array() };
    this.points.nearest(where, z, this.params.nNeighbors, (_, __, distances, indices) => {
      found = {
        indices: indices.slice() as Int32Array<ArrayBuffer>,
        distances: distances.slice() as Float64Array<ArrayBuffer>,
      };
    });
    return found;
  }
}
