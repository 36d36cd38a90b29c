import { clusterer } from "../core/capabilities.js";
import type { FitOptions, FitReport, MatrixLike, Unlabelled } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Steps } from "../core/estimator.js";
import { integer, optional, type ParamValues, real } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import { mapSteps } from "../core/steps.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import type { Matrix } from "../data/matrix.js";
import { StepwiseClusterer } from "../fitted/clusterers.js";
import { kMeans } from "../numeric/clustering/k-means.js";
import { type DenseSet, denseSet } from "./dense-rows.js";
import { centersReport, requireStart } from "./enough-rows.js";
import { FittedCenters, readCenters } from "./fitted-centers.js";
import { type BatchCenters, batchStart, batchSteps, updateByBatch } from "./mini-batches.js";
import { init, nClusters, nInit, randomState } from "./params.js";

export const miniBatchKMeansParams = {
  nClusters,
  init,
  nInit: nInit(3),
  maxIter: integer({ atLeast: 1, default: 100, doc: "Most passes over as many rows as X has." }),
  batchSize: integer({ atLeast: 1, default: 1024, doc: "Rows per batch." }),
  tol: real({
    atLeast: 0,
    default: 0,
    doc: "Stop when Σ ‖centre moved‖² of a batch ≤ tol × mean variance of the columns; 0: never for that reason.",
  }),
  maxNoImprovement: {
    ...optional(
      integer({
        atLeast: 1,
        default: 10,
        doc: "Stop after so many batches in a row that have not lowered the running mean of the inertia; null: never for that reason.",
      }),
    ),
    default: 10 as number | null,
  },
  initSize: optional(
    integer({
      atLeast: 1,
      default: 3072,
      doc: "Rows drawn for each start; null: 3 × batchSize, and at least 3 × nClusters.",
    }),
  ),
  reassignmentRatio: real({
    atLeast: 0,
    default: 0.01,
    doc: "Centres with less than this fraction of the largest weight are moved to rows of the batch.",
  }),
  randomState: randomState(),
};
type MiniBatchKMeansParams = typeof miniBatchKMeansParams;

/**
 * k-means by batches of rows [Sculley 2010]: assigns a random batch to the nearest centres and moves each centre c of weight v to
 *
 *   c ← (v c + Σ w x) / (v + Σ w)      over its rows of the batch,      v ← v + Σ w
 *
 * so that every centre is the mean of all rows it was ever given. Approximates the minimum of KMeans with less work on large data.
 *
 * A step is a batch. Parity: the rules of scikit-learn's MiniBatchKMeans (starts, reassignment, early stopping); the draws differ.
 */
export class MiniBatchKMeans extends StepwiseClusterer<MiniBatchKMeansParams, FittedMiniBatchKMeans> {
  static readonly id = "MiniBatchKMeans";
  static readonly table = miniBatchKMeansParams;
  static readonly title = "k-means, mini-batches";
  static readonly capabilities = clusterer({ sparse: true, transforms: true, partialFit: true });

  protected *learn(
    where: string,
    x: MatrixLike,
    y: Unlabelled,
    options?: FitOptions,
  ): Steps<FittedMiniBatchKMeans> {
    const set = denseSet(where, x, y, options);
    requireStart(where, this.params, set.x);
    const steps = batchSteps(where, set.x, set.weights, this.params);
    let iterations = 0;
    const { centers, converged } = yield* mapSteps(steps, (centers) => {
      const iteration = ++iterations;
      return { iteration, model: () => this.#model(where, set, centers, iteration, false) };
    });
    return this.#model(where, set, centers, iterations, converged);
  }

  /** Continues with all rows of X as one batch; `null` starts with them. Labels and inertia of the new model are those of X. */
  partialFit(
    model: FittedMiniBatchKMeans | null,
    x: MatrixLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): FittedMiniBatchKMeans {
    const where = this.where("partialFit");
    requireModel(where, model, this.params.nClusters);
    const set = denseSet(where, x, y, options, model ? { like: model } : {});
    if (!model) requireStart(where, this.params, set.x);
    const start = model
      ? { centers: model.clusterCenters, counts: model.counts }
      : batchStart(where, set.x, set.weights, this.params);
    const updated = updateByBatch(where, start, set.x, set.weights).state;
    return this.#model(where, set, updated, (model?.report.iterations ?? 0) + 1, true);
  }

  #model(
    where: string,
    set: DenseSet,
    { centers, counts }: BatchCenters,
    iterations: number,
    converged: boolean,
  ): FittedMiniBatchKMeans {
    const k = centers.rows;
    const own = kMeans(where, set.x, { k, weights: set.weights, init: centers, maxIter: 0 });
    const stopped = `Stopped after ${iterations} batches, before the inertia stood still.`;
    const report = centersReport({ ...own, converged, iterations }, k, "mini-batch", stopped);
    const labels = set.kept ? kMeans(where, set.given, { k, init: centers, maxIter: 0 }).labels : own.labels;
    return new FittedMiniBatchKMeans(this.params, set, centers, labels, own.inertia, report, counts);
  }

  static restore(state: ModelState): FittedMiniBatchKMeans {
    const { reader, params, known, centers, labels, inertia, report } = readCenters(
      miniBatchKMeansParams,
      state,
    );
    const counts = readSums(reader, "counts", [centers.rows]);
    return new FittedMiniBatchKMeans(params, known, centers, labels, inertia, report, counts);
  }
}

/** What partialFit continues: a model of as many clusters, or nothing. */
function requireModel(where: string, model: unknown, nClusters: number): void {
  if (model === null || model === undefined) return;
  const fits = model instanceof FittedMiniBatchKMeans && model.clusterCenters.rows === nClusters;
  if (fits) return;
  throw new ParameterError({
    where,
    subject: "model",
    expected: `a FittedMiniBatchKMeans of ${nClusters} clusters, or null`,
    received:
      model instanceof FittedMiniBatchKMeans ? `one of ${model.clusterCenters.rows} clusters` : show(model),
  });
}

export class FittedMiniBatchKMeans extends FittedCenters<MiniBatchKMeansParams> {
  protected readonly id = MiniBatchKMeans.id;

  constructor(
    params: ParamValues<MiniBatchKMeansParams>,
    known: KnownFeatures,
    centers: Matrix,
    labels: Int32Array,
    inertia: number,
    report: FitReport,
    /** Weight of all rows that each centre is the mean of. */
    readonly counts: Float64Array,
  ) {
    super(params, known, centers, labels, inertia, report);
  }

  protected override learned(): Learned {
    return { ...super.learned(), counts: this.counts };
  }
}
