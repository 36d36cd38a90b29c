import { classifier } from "../core/capabilities.js";
import type {
  Capabilities,
  FitOptions,
  FittedClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { Model } from "../core/model.js";
import { beginFit, refuseOptions, refuseWeights } from "../core/params/options.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, optional, real } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { classifierStructure, type Structure, structure } from "../core/structure.js";
import { readColumns } from "../data/feature-names-in.js";
import { readMatrix, tooLarge } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { classMeans, classMedians, shrinkInto } from "./centroids.js";

export const nearestCentroidParams = {
  metric: choice(["euclidean", "manhattan"], {
    default: "euclidean",
    doc: "Distance to a centroid, which is the mean of a class for euclidean and the median for manhattan.",
  }),
  shrinkThreshold: optional(
    real({
      above: 0,
      default: 1,
      doc: "Moves centroids towards the mean of all rows, by this many standard errors per column: columns that do not separate the classes have no effect.",
    }),
  ),
};
type NearestCentroidParams = typeof nearestCentroidParams;
/** The threshold is in standard errors of means; manhattan has medians. */
type NearestCentroidChoice =
  | Params<NearestCentroidParams, { metric: "euclidean" }>
  | ParamsWith<NearestCentroidParams, { metric: "manhattan"; shrinkThreshold?: null }>;

/**
 * Every class is represented by its centroid; a row belongs to the nearest one:
 *
 *   μ_c = mean of the rows of class c (median for manhattan),      ŷ(x) = argmin_c d(x, μ_c)
 *
 * With shrinkThreshold Δ (nearest shrunken centroids [Tibshirani et al. 2002]):
 *
 *   d_cj = (μ_cj − μ_j) / (m_c (s_j + s₀)),   m_c = √(1/n_c − 1/n),   s_j² = pooled variance,   s₀ = median of the s_j
 *   μ_cj ← μ_j + m_c (s_j + s₀) sign(d_cj) max(|d_cj| − Δ, 0)
 *
 * Parity: scikit-learn's NearestCentroid, which takes no weights.
 */
export class NearestCentroid extends Estimator<NearestCentroidParams> {
  static readonly id = "NearestCentroid";
  static readonly table = nearestCentroidParams;
  static readonly capabilities = classifier({ sparse: true, scale: "standard", form: "distribution" });
  declare readonly params: FilledIn<NearestCentroidChoice>;

  constructor(params: NearestCentroidChoice = {}) {
    super(params);
    const { shrinkThreshold, metric }: ParamValues<NearestCentroidParams> = this.params;
    if (shrinkThreshold !== null && metric === "manhattan") {
      const expected = "null with medians (manhattan), since it is in standard errors of means";
      const received = `${shrinkThreshold}`;
      throw new ParameterError(this.id, "shrinkThreshold", expected, received);
    }
  }

  /** Medians require dense rows and no weights. */
  get capabilities(): Capabilities {
    const means = this.params.metric === "euclidean";
    return { ...NearestCentroid.capabilities, sparse: means, sampleWeight: means };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedNearestCentroid<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const { metric, shrinkThreshold } = this.params;
    if (metric === "manhattan") refuseWeights(where, options, " with medians (manhattan)");
    const set = classificationSet(where, x, y, options, { sparse: metric === "euclidean" }, null);
    const centroids = this.#centroids(where, set, shrinkThreshold);
    if (!centroids.every(Number.isFinite)) tooLarge(where, "values whose sums are not finite");
    return new FittedNearestCentroid(
      this.params,
      set.classes,
      new Matrix(centroids, set.classes.length, set.x.cols),
      set.featureNamesIn,
    );
  }

  #centroids(where: string, set: ClassificationSet<Label>, threshold: number | null): Float64Array {
    const K = set.classes.length;
    if (this.params.metric === "manhattan") return classMedians(set.x as Matrix, set.codes, K);
    const means = classMeans(set.x, set.codes, set.weights, K);
    if (threshold !== null) shrinkInto(where, set, means, threshold, means.centroids);
    return means.centroids;
  }

  static restore(state: ModelState): FittedNearestCentroid {
    const { reader, params } = restoring(nearestCentroidParams, state);
    const classes = reader.labels("classes", 2);
    const { nFeatures: cols, featureNamesIn } = readColumns(reader);
    const centroids = new Matrix(reader.finite("centroids", [classes.length, cols]), classes.length, cols);
    return new FittedNearestCentroid(params, classes, centroids, featureNamesIn);
  }
}

export class FittedNearestCentroid<L extends Label = Label> extends Model implements FittedClassifier<L> {
  constructor(
    readonly params: ParamValues<NearestCentroidParams>,
    readonly classes: readonly L[],
    /** One row per class. */
    readonly centroids: Matrix,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
  }

  get nFeatures(): number {
    return this.centroids.cols;
  }

  /** The class of the nearest centroid; of equally near ones the first. */
  predict(x: MatrixLike): L[];
  predict(x: MatrixLike, ...given: readonly unknown[]): L[] {
    const where = "NearestCentroid.predict";
    refuseOptions(where, given);
    const { cols: d, data: mu } = this.centroids;
    const K = this.classes.length;
    const squares = this.params.metric === "euclidean";
    const scale = squares ? scaleOf(mu) : 1;
    const design = readMatrix(where, x, { sparse: squares, like: this });
    return Array.from({ length: design.rows }, (_, i) => {
      const row = design.row(i);
      let best = 0;
      let least = Infinity;
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let j = 0, e = k * d; j < d && sum <= least; j++, e++) {
          const gap = Math.abs(row[j]! - mu[e]!) * scale;
          sum += squares ? gap * gap : gap;
        }
        if (sum < least) {
          least = sum;
          best = k;
        }
      }
      return this.classes[best]!;
    });
  }

  [structure](): Structure {
    const { centroids: centers, params } = this;
    return classifierStructure(this, { kind: "centers", centers, metric: params.metric }, null);
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    return stateOf(NearestCentroid.id, this, ["classes", "nFeatures", "centroids"]);
  }
}

/** A power of two by which differences are multiplied before they are squared, so that squares neither overflow nor underflow. */
function scaleOf(centroids: Float64Array): number {
  const most = centroids.reduce((top, v) => Math.max(top, Math.abs(v)), 0);
  if (most === 0 || (most < 2 ** 400 && most > 2 ** -300)) return 1;
  return most > 1 ? 2 ** -600 : 2 ** 600;
}
