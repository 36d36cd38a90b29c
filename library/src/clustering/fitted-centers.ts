import type {
  FitReport,
  FittedClusterer,
  FittedTransformer,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { describeParams, restoreParams } from "../core/estimator.js";
import { readWeights } from "../core/labels.js";
import { Model } from "../core/model.js";
import { readOptions, scoreOptions } from "../core/params/options.js";
import type { ParamsTable, ParamValues } from "../core/params/params.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { inputsOf, type Structure, structure } from "../core/structure.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
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

  constructor(
    readonly params: ParamValues<T>,
    /** One row per cluster. */
    readonly clusterCenters: Matrix,
    /** The cluster of every row of fit. */
    readonly labels: Int32Array,
    /** Σ w ‖x − c‖² over the rows of fit and their centres. */
    readonly inertia: number,
    readonly report: FitReport,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
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
    const { rows, cols, data } = this.clusterCenters;
    return {
      kind: this.id,
      params: describeParams(this.params),
      values: {
        nClusters: rows,
        nFeatures: cols,
        inertia: this.inertia,
        report: reportJson(this.report),
        ...featureNamesJson(this.featureNamesIn),
      },
      tensors: {
        clusterCenters: { shape: [rows, cols], data },
        labels: { shape: [this.labels.length], data: this.labels },
      },
    };
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
export function readCenters(reader: StateReader): {
  centers: Matrix;
  labels: Int32Array;
  inertia: number;
  report: FitReport;
  names: readonly string[] | undefined;
} {
  const k = reader.count("nClusters");
  const d = reader.count("nFeatures");
  if (k === 0 || d === 0) reader.fail("nClusters and nFeatures", "at least 1", `${k} and ${d}`);
  const data = reader.floats("clusterCenters", [k, d]);
  if (!data.every(Number.isFinite)) reader.fail("clusterCenters", "finite", "±∞");
  return {
    centers: new Matrix(data, k, d),
    labels: readLabels(reader, k, 0),
    inertia: reader.number("inertia"),
    report: readReport(reader),
    names: readFeatureNames(reader, d),
  };
}

export function readCentersState<T extends ParamsTable, M>(
  state: ModelState,
  table: T,
  type: new (
    params: ParamValues<T>,
    centers: Matrix,
    labels: Int32Array,
    inertia: number,
    report: FitReport,
    names: readonly string[] | undefined,
  ) => M,
): M {
  const reader = new StateReader(state);
  const { centers, labels, inertia, report, names } = readCenters(reader);
  return new type(restoreParams(table, reader), centers, labels, inertia, report, names);
}
