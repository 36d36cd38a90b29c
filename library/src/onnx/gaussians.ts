import { bernoulliNBParams, coins } from "../bayes/bernoulli-nb.js";
import type { FittedModel } from "../core/contract.js";
import { log } from "../core/elementary.js";
import { restoreParams } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { Matrix } from "../data/matrix.js";
import { type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { affine } from "./linear.js";
import { difference, fromLogPosteriors, indicator, largest } from "./prediction.js";
import { Rows } from "./rows.js";

type Bayes = FittedModel & {
  readonly classes: readonly Label[];
  readonly classLogPrior: Float64Array;
  readonly featureLogProb: Matrix;
};

/** log P(y = k) + Σ log N(x_j; θ_kj, σ²_kj), as a quadratic form: Σ −x²/2σ² + xθ/σ² + constants. */
export const gaussianNB: Predictor = (source) => {
  const {
    classes,
    classLogPrior,
    theta,
    var: variance,
  } = source.model as Bayes & {
    readonly theta: Matrix;
    readonly var: Matrix;
  };
  const { rows: K, cols: d } = theta;
  const parts = classes.map((_, k) => {
    const row = (matrix: Matrix) => matrix.data.subarray(k * d, (k + 1) * d);
    const whitening = row(variance).map((v) => 1 / Math.sqrt(v));
    const logDet = row(variance).reduce((sum, v) => sum + log(v), 0);
    return { mean: row(theta), whitening, constant: classLogPrior[k]! - 0.5 * logDet };
  });
  return fromLogPosteriors(source.graph, classes, gaussianScores(source, parts), K);
};

/** log P(y = k) + Σ x_j log p_kj. */
export const multinomialNB: Predictor = (source) => {
  const { classes, classLogPrior, featureLogProb } = source.model as Bayes;
  const scores = affine(source, featureLogProb.data, classLogPrior);
  return fromLogPosteriors(source.graph, classes, scores, classes.length);
};

/** The same with 1 − p where a column is not above the threshold. */
export const bernoulliNB: Predictor = (source) => {
  const { graph, state, rows } = source;
  const { classes, classLogPrior, featureLogProb } = source.model as Bayes;
  const d = rows.cols;
  const zeros = logsOfZeros(state, d);
  const constants = classLogPrior.map((prior, k) =>
    zeros.subarray(k * d, (k + 1) * d).reduce((sum, v) => sum + v, prior),
  );
  const threshold = state.params["binarize"];
  const x = source.rows.matrix(graph);
  const ones =
    typeof threshold === "number" ? indicator(graph, graph.op("Greater", [x, graph.number(threshold)])) : x;
  const differences = featureLogProb.data.map((logP, e) => logP - zeros[e]!);
  const scores = affine({ ...source, rows: Rows.matrix(ones, d) }, differences, constants);
  return fromLogPosteriors(graph, classes, scores, classes.length);
};

/** log P(x_j = 0 | y = k), from the counts of zeros: 1 − p would be 0 where p rounds to 1. */
function logsOfZeros(state: ModelState, d: number): Float64Array {
  const { alpha } = restoreParams(bernoulliNBParams, new StateReader(state));
  const { ones, zeros } = coins("toOnnx", alpha, d);
  const n = tensorOf(state, "classCount");
  return tensorOf(state, "featureCount").map((count, e) => {
    const [k, j] = [Math.floor(e / d), e % d];
    return log(Math.max(0, n[k]! - count) + zeros[j]!) - log(n[k]! + ones[j]! + zeros[j]!);
  });
}

/** Linear discriminants: log posteriors up to a constant. */
export const linearDiscriminant: Predictor = (source) => {
  const { state, graph } = source;
  const intercept = tensorOf(state, "intercept");
  const scores = affine(source, tensorOf(state, "coef"), intercept);
  return fromLogPosteriors(graph, state.values["classes"] as unknown as Label[], scores, intercept.length);
};

/** log π_k − ½ log |Σ_k| − ½ ‖W_kᵀ(x − μ_k)‖². */
export const quadraticDiscriminant: Predictor = (source) => {
  const { state, graph, rows } = source;
  const d = rows.cols;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const [priors, means] = [tensorOf(state, "priors"), tensorOf(state, "means")];
  const [logDets, whitening] = [tensorOf(state, "logDets"), tensorOf(state, "whitening")];
  const parts = classes.map((_, k) => {
    const shared = logDets.length === 1 ? 0 : k;
    return {
      mean: means.subarray(k * d, (k + 1) * d),
      whitening: whitening.subarray(shared * d * d, (shared + 1) * d * d),
      constant: log(priors[k]!) - 0.5 * logDets[shared]!,
    };
  });
  const scores = gaussianScores(source, parts);
  if (classes.length > 2) return fromLogPosteriors(graph, classes, scores, classes.length);
  return fromLogPosteriors(graph, classes, difference(graph, scores), 1);
};

export interface Gaussian {
  readonly mean: ArrayLike<number>;
  /** W with W Wᵀ = Σ⁻¹, d × d, or its diagonal. */
  readonly whitening: ArrayLike<number>;
  readonly constant: number;
}

/** constant − ½ ‖Wᵀ(x − μ)‖², a column per Gaussian. */
export function gaussianScores(source: Source, parts: readonly Gaussian[]): Value {
  const { graph, rows } = source;
  const d = rows.cols;
  const x = source.rows.matrix(graph);
  const columns = parts.map(({ mean, whitening, constant }) => {
    const centred = graph.op("Sub", [x, graph.numbers(mean, [d])]);
    const white =
      whitening.length === d
        ? graph.op("Mul", [centred, graph.numbers(whitening, [d])])
        : graph.op("MatMul", [centred, graph.numbers(whitening, [d, d])]);
    const square = graph.op("ReduceSumSquare", [white, graph.integers([1], [1])]);
    return graph.op("Sub", [graph.number(constant), graph.op("Mul", [square, graph.number(0.5)])]);
  });
  return graph.op("Concat", columns, { axis: { int: 1 } });
}

/** The nearest centre. */
export const kMeans: Predictor = (source) => {
  const { state } = source;
  const centers = tensorOf(state, "clusterCenters");
  const clusters = centers.length / source.rows.cols;
  return { kind: "clusters", winner: largest(source.graph, nearness(source, centers)), clusters };
};

/** The nearest centroid, by the Euclidean distance. */
export const nearestCentroid: Predictor = (source) => {
  const { state, graph } = source;
  const classes = state.values["classes"] as unknown as readonly Label[];
  const { metric } = state.params;
  if (metric !== "euclidean") refuse("the metric of NearestCentroid", "euclidean", String(metric));
  const centers = tensorOf(state, "centroids");
  return { kind: "classes", classes, winner: largest(graph, nearness(source, centers)) };
};

/** −½ ‖x − c‖² up to a constant per row: x·c − ½ ‖c‖², around the mean of the centres. */
function nearness(source: Source, centers: Float64Array): Value {
  const { graph, rows } = source;
  const d = rows.cols;
  const K = centers.length / d;
  const mean = new Float64Array(d);
  for (let e = 0; e < centers.length; e++) mean[e % d]! += centers[e]! / K;
  const own = centers.map((v, e) => v - mean[e % d]!);
  const half = Float64Array.from(
    { length: K },
    (_, k) => -0.5 * own.subarray(k * d, (k + 1) * d).reduce((sum, v) => sum + v * v, 0),
  );
  const centred = graph.op("Sub", [source.rows.matrix(graph), graph.numbers(mean, [d])]);
  return affine({ ...source, rows: Rows.matrix(centred, d) }, own, half);
}
