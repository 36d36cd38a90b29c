import { DataError, ShapeError } from "../core/errors.js";
import type { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { kMeans } from "../numeric/clustering/k-means.js";
import { choleskyWhitening } from "../numeric/linalg/whitening.js";
import type { ExpectationMaximisation, MixtureRows } from "./expectation-maximisation.js";
import { covarianceShape, type Gaussians, gaussians } from "./gaussians.js";
import type { MixtureParams } from "./params.js";
import { timesTransposed } from "./quantities.js";
import type { NestedNumbers, StartParams } from "./start-params.js";

/** Where one run of EM begins: as given, or by `initParams`. */
export function startOf(
  where: string,
  rows: MixtureRows,
  em: ExpectationMaximisation,
  params: MixtureParams,
  given: StartParams | undefined,
  random: Random,
): Gaussians {
  const { weights, means, covariances, whole } = givenStart(where, params, rows.x.cols, given);
  if (whole) return whole;
  const found = drawn(where, rows, em, params, random);
  const equal = new Float64Array(params.nComponents).fill(1 / params.nComponents);
  return gaussians(
    where,
    params.covarianceType,
    params.equalWeights ? equal : (weights ?? found.weights),
    means ?? found.means,
    covariances ?? found.covariances,
  );
}

interface GivenStart {
  readonly weights: Float64Array | undefined;
  readonly means: Float64Array | undefined;
  readonly covariances: Float64Array | undefined;
  /** Undefined where some of it has to be found. */
  readonly whole: Gaussians | undefined;
}

/** What is given of a start, for rows of d columns. */
export function givenStart(
  where: string,
  params: Pick<MixtureParams, "nComponents" | "covarianceType" | "equalWeights">,
  d: number,
  given: StartParams | undefined,
): GivenStart {
  const { nComponents: K, covarianceType: type, equalWeights } = params;
  const weights = given?.weightsInit ? weightsOf(where, given.weightsInit, K) : undefined;
  const means = given?.meansInit ? flatten(where, "meansInit", given.meansInit, [K, d]) : undefined;
  const covariances = given?.precisionsInit
    ? covariancesOf(where, given.precisionsInit, params, d)
    : undefined;
  const complete = means !== undefined && (covariances !== undefined || type === "identity");
  if (!complete || (weights === undefined && !equalWeights))
    return { weights, means, covariances, whole: undefined };
  const equal = new Float64Array(K).fill(1 / K);
  const whole = gaussians(where, type, weights ?? equal, means, covariances ?? new Float64Array(0));
  return { weights, means, covariances, whole };
}

function drawn(
  where: string,
  { x, weights: given }: MixtureRows,
  em: ExpectationMaximisation,
  params: MixtureParams,
  random: Random,
): Gaussians {
  const { nComponents: K, initParams, regCovar, covarianceType } = params;
  const d = x.cols;
  if (initParams === "random") return em.startFrom(randomResponsibilities(x.rows, K, random));
  const seed = random.uint32();
  // Weights of 1 draw the same rows as none.
  const weights = given?.every((s) => s === 1) ? undefined : given;
  if (initParams === "kmeans") {
    const { labels } = kMeans(where, x, { k: K, weights, nInit: 1, randomState: seed });
    const responsibilities = new Float64Array(x.rows * K);
    for (let i = 0; i < x.rows; i++) responsibilities[i * K + labels[i]!] = 1;
    return em.startFrom(responsibilities);
  }
  // One row per component: the mean is that row, and of the covariance only what is added to it remains.
  const means =
    initParams === "k-means++"
      ? kMeans(where, x, { k: K, weights, nInit: 1, maxIter: 0, randomState: seed }).centers
      : x.selectRows(random.permutation(x.rows).subarray(0, K)).data;
  const covariances = new Float64Array(covarianceShape(covarianceType, K, d).reduce((a, b) => a * b, 1));
  const pairs = covarianceType === "full" || covarianceType === "tied";
  for (let e = 0; e < covariances.length; e++)
    covariances[e] = !pairs || (e % (d * d)) % (d + 1) === 0 ? regCovar : 0;
  return gaussians(where, covarianceType, new Float64Array(K).fill(1 / K), means, covariances);
}

function randomResponsibilities(n: number, K: number, random: Random): Float64Array {
  const out = new Float64Array(n * K);
  for (let at = 0; at < out.length; at += K) {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += out[at + k] = random.uniform();
    for (let k = 0; k < K; k++) out[at + k]! /= sum;
  }
  return out;
}

function weightsOf(where: string, given: readonly number[], K: number): Float64Array {
  const weights = flatten(where, "weightsInit", given, [K]);
  const sum = weights.reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) <= 1e-9) return weights;
  throw new DataError(where, "weightsInit", "numbers that sum to 1", `a sum of ${sum}`);
}

/** Σ from Σ⁻¹, in the shape of the covariance type. */
function covariancesOf(
  where: string,
  given: NestedNumbers,
  { covarianceType: type, nComponents: K }: Pick<MixtureParams, "covarianceType" | "nComponents">,
  d: number,
): Float64Array {
  if (type === "identity") {
    const [expected, received] = ["absent, since every covariance is the identity", "precisions"];
    throw new DataError(where, "precisionsInit", expected, received);
  }
  const flat = flatten(where, "precisionsInit", given, covarianceShape(type, K, d));
  if (type === "diag" || type === "spherical") {
    if (flat.every((p) => p > 0)) return flat.map((p) => 1 / p);
    throw notDefinite(where, "numbers above 0");
  }
  const out = new Float64Array(flat.length);
  for (let at = 0; at < flat.length; at += d * d) {
    const own = new Matrix(flat.subarray(at, at + d * d), d, d);
    const { w, deficient } = choleskyWhitening(own.data, d);
    const symmetric = own.data.every(
      (p, e) => Math.abs(p - own.at(e % d, Math.floor(e / d))) <= 1e-9 * Math.abs(p),
    );
    if (deficient > 0 || !symmetric) throw notDefinite(where, "symmetric and positive definite");
    out.set(timesTransposed(w, d), at);
  }
  return out;
}

const notDefinite = (where: string, expected: string) =>
  new DataError(where, "precisionsInit", expected, "others");

/** Nested lists of a known shape as one list. */
function flatten(
  where: string,
  subject: string,
  given: NestedNumbers,
  shape: readonly number[],
): Float64Array {
  const fits = (value: number | NestedNumbers, depth: number): boolean =>
    typeof value === "number"
      ? depth === shape.length
      : value.length === shape[depth] && value.every((entry) => fits(entry, depth + 1));
  if (fits(given, 0)) return Float64Array.from((given as unknown[]).flat(3) as number[]);
  throw new ShapeError(where, subject, `of shape ${shape.join(" × ")}`, "another shape");
}
