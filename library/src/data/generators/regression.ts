import { Random } from "../../core/numbers/random.js";
import { flag, integer, type Params, randomState, readParams, real } from "../../core/params/params.js";
import { Matrix } from "../matrix.js";

export const makeRegressionParams = {
  nSamples: integer({ atLeast: 1, default: 100, doc: "Rows." }),
  nFeatures: integer({ atLeast: 1, default: 100, doc: "Columns." }),
  nInformative: integer({
    atLeast: 0,
    default: 10,
    doc: "Columns with a coefficient that is not 0 (at most all).",
  }),
  bias: real({ default: 0, doc: "The intercept." }),
  noise: real({ atLeast: 0, default: 0, doc: "Standard deviation of the Gaussian noise added to y." }),
  shuffle: flag({ default: true, doc: "Put the informative columns in random places." }),
  randomState: randomState(),
};

export interface RegressionSample {
  readonly X: Matrix;
  readonly y: Float64Array;
  /** The coefficients that made y. */
  readonly coef: Float64Array;
}

/**
 * y = X · coef + bias + noise, X standard normal, the informative coefficients uniform in [0, 100).
 * Parity: scikit-learn's make_regression with one target and full rank, with other random numbers.
 */
export function makeRegression(params: Params<typeof makeRegressionParams> = {}): RegressionSample {
  const given = readParams("makeRegression", makeRegressionParams, params);
  const { nSamples, nFeatures, bias, noise } = given;
  const random = new Random(given.randomState);
  const X = new Matrix(
    Float64Array.from({ length: nSamples * nFeatures }, () => random.normal()),
    nSamples,
    nFeatures,
  );
  const coef = new Float64Array(nFeatures);
  const place = given.shuffle ? random.permutation(nFeatures) : coef.keys();
  const informative = Array.from(place).slice(0, given.nInformative);
  for (const j of informative) coef[j] = 100 * random.uniform();
  const y = new Float64Array(nSamples);
  for (let i = 0; i < nSamples; i++) {
    let sum = bias;
    for (const j of informative) sum += coef[j]! * X.data[i * nFeatures + j]!;
    y[i] = noise === 0 ? sum : sum + noise * random.normal();
  }
  return { X, y, coef };
}
