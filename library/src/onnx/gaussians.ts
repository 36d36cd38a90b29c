import type { FittedModel } from "../core/contract.js";
import { exp, log, log1p } from "../core/elementary.js";
import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import { choleskyWhitening } from "../numeric/linalg/whitening.js";
import { matrixOf, type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Value } from "./graph.js";
import { affine } from "./linear.js";
import { fromLogPosteriors, largest, softmax } from "./prediction.js";
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
    const scale = row(variance).map((v) => 1 / Math.sqrt(v));
    const whitening = new Float64Array(d * d);
    for (let j = 0; j < d; j++) whitening[j * d + j] = scale[j]!;
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
  const { graph, state } = source;
  const { classes, classLogPrior, featureLogProb } = source.model as Bayes;
  const { rows: K, cols: d, data } = featureLogProb;
  const zeros = data.map((logP) => log1p(-exp(logP)));
  const constants = classLogPrior.map((prior, k) =>
    zeros.subarray(k * d, (k + 1) * d).reduce((sum, v) => sum + v, prior),
  );
  const threshold = state.params["binarize"];
  const x = matrixOf(source);
  const ones =
    typeof threshold === "number"
      ? graph.op("Cast", [graph.op("Greater", [x, graph.number(threshold)])], { to: { int: 11 } })
      : x;
  const scores = affine(
    { ...source, rows: Rows.matrix(ones, d) },
    data.map((logP, e) => logP - zeros[e]!),
    constants,
  );
  return fromLogPosteriors(graph, classes, scores, K);
};

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
  // The second less the first.
  const difference = graph.op("MatMul", [scores, graph.numbers([-1, 1], [2, 1])]);
  return fromLogPosteriors(graph, classes, difference, 1);
};

interface Gaussian {
  readonly mean: ArrayLike<number>;
  /** W with W Wᵀ = Σ⁻¹, d × d. */
  readonly whitening: ArrayLike<number>;
  readonly constant: number;
}

/** constant − ½ ‖Wᵀ(x − μ)‖², a column per Gaussian. */
function gaussianScores(source: Source, parts: readonly Gaussian[]): Value {
  const { graph, rows } = source;
  const d = rows.cols;
  const x = matrixOf(source);
  const columns = parts.map(({ mean, whitening, constant }) => {
    const centred = graph.op("Sub", [x, graph.numbers(mean, [d])]);
    const white = graph.op("MatMul", [centred, graph.numbers(whitening, [d, d])]);
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

/** −½ ‖x − c‖² up to a constant per row: x·c − ½ ‖c‖². */
function nearness(source: Source, centers: Float64Array): Value {
  const d = source.rows.cols;
  const half = Float64Array.from(
    { length: centers.length / d },
    (_, k) => -0.5 * centers.subarray(k * d, (k + 1) * d).reduce((sum, v) => sum + v * v, 0),
  );
  return affine(source, centers, half);
}

type Mixture = FittedModel & {
  readonly weights: Float64Array;
  readonly means: Matrix;
};

/** The most probable component. */
export const gaussianMixture: Predictor = (source) => {
  const { graph, state } = source;
  const { weights, means } = source.model as Mixture;
  const { rows: K, cols: d } = means;
  const covariances = tensorOf(state, "covariances");
  const parts = Array.from({ length: K }, (_, k) => {
    const { w, logDet } = choleskyWhitening(
      covarianceOf(covariances, state.params["covarianceType"], k, d),
      d,
    );
    return {
      mean: means.data.subarray(k * d, (k + 1) * d),
      whitening: w,
      constant: log(weights[k]!) - 0.5 * logDet,
    };
  });
  const scores = gaussianScores(source, parts);
  return {
    kind: "clusters",
    winner: largest(graph, scores),
    probabilities: softmax(graph, scores),
    clusters: K,
  };
};

/** The d × d covariance of component k. */
function covarianceOf(data: Float64Array, type: unknown, k: number, d: number): Float64Array {
  if (type === "full") return data.slice(k * d * d, (k + 1) * d * d);
  if (type === "tied") return data.slice(0, d * d);
  const out = new Float64Array(d * d);
  for (let j = 0; j < d; j++) out[j * d + j] = type === "diag" ? data[k * d + j]! : data[k]!;
  return out;
}
