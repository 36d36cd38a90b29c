import { clustererCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, FitReport, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import { beginUnlabelledFit } from "../core/params/options.js";
import { choice, integer, real } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { Matrix } from "../data/matrix.js";
import { type KMeansResult, kMeans, kMeansSteps } from "../numeric/clustering/k-means.js";
import { nearestCenters } from "../numeric/clustering/nearest-centers.js";
import { type DenseSet, denseSet } from "./dense-rows.js";
import { requireCenters, requireClusters, warnOfEmpty } from "./enough-rows.js";
import { FittedCenters, readCentersState } from "./fitted-centers.js";
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
 * Parity: scikit-learn's KMeans: from the same given centres it takes the same steps. Random starts differ, since the random numbers
 * do; k-means++ draws its first row by weight, as scikit-learn does since 1.3.
 */
export class KMeans extends Estimator<KMeansParams> {
  static readonly id = "KMeans";
  static readonly table = kMeansParams;
  static readonly title = "k-means";
  static readonly capabilities: Capabilities = {
    ...clustererCapabilities,
    sparse: true,
    transforms: true,
  };
  static readonly starter = { place: 1, params: { nClusters: 3 } } as const;

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKMeans {
    const own = beginUnlabelledFit(this.where("fit"), y, options);
    return runSteps(this.where("fit"), this.#learn(this.where("fit"), x, y, options), own);
  }

  /** `fit(x).labels`. */
  fitPredict(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Int32Array {
    return this.fit(x, y, options).labels;
  }

  /** One step per iteration; with several starts those of the first, then those of the second, … */
  steps(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Steps<FittedKMeans> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  *#learn(where: string, x: MatrixLike, y: Unlabelled, options?: FitOptions): Steps<FittedKMeans> {
    const set = denseSet(where, x, y, options);
    const {
      nClusters: k,
      init: start,
      nInit: starts,
      maxIter,
      tol,
      algorithm,
      randomState: seed,
    } = this.params;
    requireClusters(where, k, set.x.rows);
    requireCenters(where, start, k, set.x.cols);
    const own = {
      k,
      weights: set.weights,
      init: initOf(start),
      nInit: starts,
      maxIter,
      tol,
      randomState: seed,
    };
    const iterations = kMeansSteps(where, set.x, { ...own, bounds: algorithm !== "lloyd" });
    let iteration = 0;
    const result = yield* mapSteps(iterations, (step) => {
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
    const { converged, iterations, inertia, gradientNorm } = result;
    const warnings = [
      ...(converged ? [] : [`Stopped after ${iterations} iterations, before the centres stood still.`]),
      ...warnOfEmpty(result.labels, k),
    ];
    const { algorithm } = this.params;
    const solver = algorithm === "auto" ? "hamerly" : algorithm;
    const report: FitReport = { converged, iterations, objective: inertia, gradientNorm, solver, warnings };
    // Rows of weight 0 take part in nothing, but have a nearest centre as all others.
    const labels = set.kept ? nearestCenters(where, set.given, centers).labels : result.labels;
    return new FittedKMeans(this.params, centers, labels, inertia, report, set.featureNamesIn);
  }

  static restore(state: ModelState): FittedKMeans {
    return readCentersState(state, kMeansParams, FittedKMeans);
  }
}

export class FittedKMeans extends FittedCenters<KMeansParams> {
  protected readonly id = KMeans.id;
}
