import { log } from "../core/elementary.js";
import type { Label } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { choleskyWhitening } from "../numeric/linalg/whitening.js";
import { type Predictor, tensorOf } from "./converter.js";
import { type Gaussian, gaussianScores } from "./gaussians.js";
import { difference, fromLogPosteriors, largest, softmax } from "./prediction.js";
import { joined } from "./rows.js";

/** The most probable component. */
export const gaussianMixture: Predictor = (source) => {
  const { graph, state } = source;
  const parts = gaussiansOf(state, state.params["covarianceType"], 0);
  const scores = gaussianScores(source, parts);
  return {
    kind: "clusters",
    winner: largest(graph, scores),
    probabilities: softmax(graph, scores),
    clusters: parts.length,
  };
};

/** log P(y = c) + log Σ_k π_k N(x; μ_k, Σ_k), a mixture per class. */
export const gaussianMixtureClassifier: Predictor = (source) => {
  const { graph, state } = source;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const priors = tensorOf(state, "priors");
  const columns = state.parts!.map((mixture, c) => {
    const parts = gaussiansOf(mixture, state.params["covarianceType"], log(priors[c]!));
    return graph.op("ReduceLogSumExp", [gaussianScores(source, parts), graph.integers([1], [1])]);
  });
  const scores = joined(graph, columns);
  return classes.length === 2
    ? fromLogPosteriors(graph, classes, difference(graph, scores), 1)
    : fromLogPosteriors(graph, classes, scores, classes.length);
};

/** The components of a mixture; `prior` is added to their log weights. */
function gaussiansOf(state: ModelState, type: unknown, prior: number): Gaussian[] {
  const [weights, means] = [tensorOf(state, "weights"), tensorOf(state, "means")];
  const K = weights.length;
  const d = means.length / K;
  const covariances = type === "identity" ? new Float64Array(0) : tensorOf(state, "covariances");
  return Array.from({ length: K }, (_, k) => {
    const { whitening, logDet } = whiteningOf(covariances, type, k, d);
    return {
      mean: means.subarray(k * d, (k + 1) * d),
      whitening,
      constant: prior + log(weights[k]!) - 0.5 * (logDet + d * log(2 * Math.PI)),
    };
  });
}

/** Of the covariance of component k: W with W Wᵀ = Σ⁻¹, or its diagonal, and log |Σ|. */
function whiteningOf(data: Float64Array, type: unknown, k: number, d: number) {
  if (type === "full" || type === "tied") {
    const own = type === "full" ? data.slice(k * d * d, (k + 1) * d * d) : data.slice();
    const { w, logDet } = choleskyWhitening(own, d);
    return { whitening: w, logDet };
  }
  const variances =
    type === "diag"
      ? data.slice(k * d, (k + 1) * d)
      : new Float64Array(d).fill(type === "spherical" ? data[k]! : 1);
  return {
    whitening: variances.map((v) => 1 / Math.sqrt(v)),
    logDet: variances.reduce((sum, v) => sum + log(v), 0),
  };
}
