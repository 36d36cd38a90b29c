import { clusterer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import { choice, integer, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { Matrix } from "../data/matrix.js";
import { StepwiseClusterer } from "../fitted/clusterers.js";
import { type KMeansResult, kMeans, kMeansSteps } from "../numeric/clustering/k-means.js";
import { nearestCenters } from "../numeric/clustering/nearest-centers.js";
import { type DenseSet, denseSet } from "./dense-rows.js";
import { centersReport, requireStart } from "./enough-rows.js";
import { FittedCenters, readCenters } from "./fitted-centers.js";
import { init, initOf, nClusters, nInit, randomState } from "./params.js";

export const kMeansParams = {
  nClusters,
  init,
  nInit: nInit(10),
  maxIter: integer({ atLeast: 1, default: 300, doc: "Most iterations per start." }),
  tol: real({
    atLeast: 0,
    default: 1e-4,
    doc: "Stop when Σ ‖centre moved‖² ≤ tol × mean variance of the columns; 0: when no row changes its cluster.",
  }),
  algorithm: choice(["auto", "lloyd", "hamerly"], {
    default: "auto",
    doc: "lloyd compares every row with every centre, hamerly leaves out rows that cannot change their cluster; both give the same bits. auto: hamerly.",
  }),
  randomState: randomState(),
};
type KMeansParams = typeof kMeansParams;

/**
 * Groups rows around k centres:
 *
 *   minimise over centres c:   Σᵢ wᵢ min_k ‖xᵢ − c_k‖²        (the inertia)
 *
 * by Lloyd's algorithm: assign every row to its nearest centre, move every centre to the mean of its rows, until nothing moves. This
 * finds a local minimum; the best of `nInit` starts counts. A cluster that loses all rows gets the row farthest from its centre.
 * Labels are nearest centres by Σⱼ (xⱼ − cⱼ)² in doubles, the smaller number of equally near ones.
 *
 * A step is an iteration; with several starts those of the first, then those of the second, …
 * Parity: scikit-learn's KMeans: from the same given centres it takes the same steps. Random starts differ, since the random numbers
 * do; k-means++ draws its first row by weight, as scikit-learn does since 1.3.
 */
export class KMeans extends StepwiseClusterer<KMeansParams, FittedKMeans> {
  static readonly id = "KMeans";
  static readonly table = kMeansParams;
  static readonly title = "k-means";
  static readonly capabilities = clusterer({ sparse: true, transforms: true });
  static readonly starter = { place: 1, params: { nClusters: 3 } } as const;

  protected *learn(where: string, x: MatrixLike, y: Unlabelled, options?: FitOptions): Steps<FittedKMeans> {
    const set = denseSet(where, x, y, options);
    const { nClusters: k, init, algorithm, ...rules } = this.params;
    requireStart(where, this.params, set.x);
    const plan = { ...rules, k, weights: set.weights, init: initOf(init), bounds: algorithm !== "lloyd" };
    let iteration = 0;
    const result = yield* mapSteps(kMeansSteps(where, set.x, plan), (step) => {
      iteration++;
      const model = () => this.#atStep(where, set, step.centers, step.iteration);
      return { iteration, model };
    });
    return this.#model(where, set, result);
  }

  /** Labels and inertia follow from the centres. */
  #atStep(where: string, set: DenseSet, centers: Float64Array, iterations: number): FittedKMeans {
    const { nClusters: k } = this.params;
    const given = new Matrix(centers, k, set.x.cols);
    const result = kMeans(where, set.x, { k, weights: set.weights, init: given, maxIter: 0 });
    return this.#model(where, set, { ...result, iterations });
  }

  #model(where: string, set: DenseSet, result: KMeansResult): FittedKMeans {
    const k = this.params.nClusters;
    const centers = new Matrix(result.centers, k, set.x.cols);
    const { algorithm } = this.params;
    const solver = algorithm === "auto" ? "hamerly" : algorithm;
    const stopped = `Stopped after ${result.iterations} iterations, before the centres stood still.`;
    const { inertia } = result;
    const report = centersReport(result, k, solver, stopped);
    // Rows of weight 0 take part in nothing, but have a nearest centre as all others.
    const labels = set.kept ? nearestCenters(where, set.given, centers).labels : result.labels;
    return new FittedKMeans(this.params, set, centers, labels, inertia, report);
  }

  static restore(state: ModelState): FittedKMeans {
    const { params, known, centers, labels, inertia, report } = readCenters(kMeansParams, state);
    return new FittedKMeans(params, known, centers, labels, inertia, report);
  }
}

export class FittedKMeans extends FittedCenters<KMeansParams> {
  protected readonly id = KMeans.id;
}
