import type {
  FitReport,
  FittedClusterer,
  FittedTransformer,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { readWeights } from "../core/labels.js";
import { Model } from "../core/model.js";
import { readOptions, scoreOptions } from "../core/params/options.js";
import type { ParamsTable, ParamValues } from "../core/params/params.js";
import { readReport, reportJson } from "../core/report.js";
import { type Learned, restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { inputsOf, type Structure, structure } from "../core/structure.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { centerDistances, nearestCenters } from "../numeric/clustering/nearest-centers.js";
import { denseRows } from "./dense-rows.js";

/** Σ w·v, or Σ v without weights. */
export function weightedSum(values: Float64Array, weights: Float64Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * (weights ? weights[i]! : 1);
  return sum;
}

/** Clusters that are the regions nearest to each of k centres. */
export abstract class FittedCenters<T extends ParamsTable>
  extends Model
  implements FittedClusterer, FittedTransformer
{
  protected abstract readonly id: string;
  readonly featureNamesIn: readonly string[] | undefined;

  constructor(
    readonly params: ParamValues<T>,
    { featureNamesIn }: KnownFeatures,
    /** One row per cluster. */
    readonly clusterCenters: Matrix,
    /** The cluster of every row of fit. */
    readonly labels: Int32Array,
    /** Σ w ‖x − c‖² over the rows of fit and their centres. */
    readonly inertia: number,
    readonly report: FitReport,
  ) {
    super();
    this.featureNamesIn = featureNamesIn;
  }

  get nFeatures(): number {
    return this.clusterCenters.cols;
  }

  /** The cluster with the nearest centre, per row; of equally near ones the first. */
  predict(x: MatrixLike): Int32Array {
    const where = `${this.id}.predict`;
    return nearestCenters(where, denseRows(where, x, { like: this }), this.clusterCenters).labels;
  }

  /** Distances to all centres: one column per cluster. */
  transform(x: MatrixLike): Matrix {
    const where = `${this.id}.transform`;
    return centerDistances(where, denseRows(where, x, { like: this }), this.clusterCenters);
  }

  [structure](): Structure {
    const { clusterCenters: centers } = this;
    return {
      kind: "clusterer",
      inputs: inputsOf(this),
      steps: [],
      scores: { kind: "centers", centers, metric: "euclidean" },
      transform: [{ kind: "distances", centers }],
    };
  }

  /** −Σ w ‖x − c‖² over rows and their nearest centres: larger is better. */
  score(x: MatrixLike, options: ScoreOptions = {}): number {
    const where = `${this.id}.score`;
    const { sampleWeight } = readOptions(where, scoreOptions, options);
    const design = denseRows(where, x, { like: this });
    const weights = readWeights(where, sampleWeight, design.rows);
    return -weightedSum(nearestCenters(where, design, this.clusterCenters).distances, weights);
  }

  toState(): ModelState {
    return stateOf(this.id, this, this.learned());
  }

  protected learned(): Learned {
    const { clusterCenters, labels, nFeatures, inertia } = this;
    const report = reportJson(this.report);
    return { nClusters: clusterCenters.rows, nFeatures, inertia, report, clusterCenters, labels };
  }
}

/** Labels of a saved model: whole numbers from `least` to clusters − 1. */
export function readLabels(reader: StateReader, clusters: number, least: number): Int32Array {
  const labels = reader.integers("labels", [-1]);
  const wrong = labels.find((label) => label < least || label >= clusters);
  if (wrong !== undefined) reader.fail("labels", `from ${least} to ${clusters - 1}`, `${wrong}`);
  return labels;
}

/** What all models of centres save. */
export function readCenters<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params } = restoring(table, state);
  const k = reader.count("nClusters");
  const known = readColumns(reader);
  const d = known.nFeatures;
  if (k === 0 || d === 0) reader.fail("nClusters and nFeatures", "at least 1", `${k} and ${d}`);
  const centers = new Matrix(reader.finite("clusterCenters", [k, d]), k, d);
  const labels = readLabels(reader, k, 0);
  return {
    reader,
    params,
    known,
    centers,
    labels,
    inertia: reader.number("inertia"),
    report: readReport(reader),
  };
}
