import type { FittedProbabilisticClassifier, MatrixLike } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { argmax, normalizeInto } from "../core/numbers/scores.js";
import type { ParamsTable } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { classifierStructure, probabilityLink, type Structure, structure } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { FittedNeighbors } from "./fitted-neighbors.js";
import { readTraining } from "./neighbors-estimator.js";
import type { WeightsParam } from "./params.js";
import type { TrainingPoints } from "./training-points.js";
import { voteWeights } from "./vote-weights.js";

/** A neighbour that voted. */
export interface Vote<L extends Label> {
  /** Number of the training row. */
  readonly index: number;
  readonly distance: number;
  readonly label: L;
  /** Relative weight of its vote; the weights of all votes sum to 1. */
  readonly weight: number;
}

/** Neighbours that vote for their classes. */
export abstract class FittedNeighborsClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedNeighbors)<L>
  implements FittedProbabilisticClassifier<L>
{
  constructor(
    params: Readonly<Record<string, unknown>>,
    points: TrainingPoints,
    readonly classes: readonly L[],
    /** Class of every training row. */
    protected readonly codes: Int32Array,
  ) {
    super(params, points);
  }

  /** The label of every training row as the others predict it. */
  predictLeaveOneOut(): L[] {
    return this.#labels(this.#votes(`${this.id}.predictLeaveOneOut`, undefined));
  }

  /** Accuracy of `predictLeaveOneOut`. */
  scoreLeaveOneOut(): number {
    const predicted = this.predictLeaveOneOut();
    return predicted.filter((label, i) => label === this.classes[this.codes[i]!]).length / predicted.length;
  }

  [structure](): Structure {
    const K = this.classes.length;
    const values = Matrix.zeros(this.codes.length, K);
    for (let i = 0; i < this.codes.length; i++) values.data[i * K + this.codes[i]!] = 1;
    const { outlierClass } = this;
    const outlier =
      outlierClass < 0 ? null : Float64Array.from(this.classes, (_, k) => (k === outlierClass ? 1 : 0));
    return classifierStructure(this, this.meansOf(values, outlier), probabilityLink);
  }

  /** The class of a row without neighbours; −1 where there is none. */
  protected get outlierClass(): number {
    return -1;
  }

  /** The neighbours that vote on one row, the nearest first. */
  explain(row: ArrayLike<number>): Vote<L>[] {
    const where = `${this.id}.explain`;
    const z = this.points.read(where, [row as Float64Array]);
    let votes: Vote<L>[] = [];
    this.eachNeighborhood(where, z, (_, indices, distances) => {
      const weights = voteWeights(where, this.params["weights"] as WeightsParam, distances);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      votes = Array.from(indices, (index, e) => ({
        index,
        distance: distances[e]!,
        label: this.classes[this.codes[index]!]!,
        weight: sum > 0 ? weights[e]! / sum : 1 / indices.length,
      }));
    });
    return votes.sort((a, b) => a.distance - b.distance || a.index - b.index);
  }

  /** Sums of the weights of votes per class, `classes.length` per row; of the training rows, each by the others, without z. */
  #votes(where: string, z: Design | undefined): Float64Array {
    const K = this.classes.length;
    const out = new Float64Array((z ?? this.points.x).rows * K);
    this.eachNeighborhood(where, z, (i, indices, distances) => {
      if (indices.length === 0) {
        if (this.outlierClass < 0) this.refuseLonely(where, i, "outlierLabel");
        out[i * K + this.outlierClass] = 1;
        return;
      }
      const weight = voteWeights(where, this.params["weights"] as WeightsParam, distances);
      for (let e = 0; e < indices.length; e++) out[i * K + this.codes[indices[e]!]!]! += weight[e]!;
    });
    return out;
  }

  #labels(votes: Float64Array): L[] {
    const K = this.classes.length;
    return Array.from({ length: votes.length / K }, (_, i) => this.classes[argmax(votes, i * K, K)]!);
  }

  /** The class with the largest sum of weights; ties go to the first of `classes`. */
  protected override predictedLabels(where: string, x: MatrixLike): L[] {
    return this.#labels(this.#votes(where, this.points.read(where, x)));
  }

  /** Proportions of the weights of votes. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const K = this.classes.length;
    const votes = this.#votes(where, this.points.read(where, x));
    for (let at = 0; at < votes.length; at += K) normalizeInto(at, K, votes);
    return new Matrix(votes, votes.length / K, K);
  }

  protected override learned(): Learned {
    return { classes: this.classes, codes: this.codes };
  }
}

/** What a saved classifier of neighbours is made of. */
export function readClassified<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params, points, rows } = readTraining(table, state);
  const classes = reader.labels("classes", 2);
  const codes = reader.integers("codes", [rows]);
  if (!codes.every((k) => k >= 0 && k < classes.length))
    reader.fail("codes", `from 0 to ${classes.length - 1}`, "others");
  return { reader, params, points, classes, codes };
}
