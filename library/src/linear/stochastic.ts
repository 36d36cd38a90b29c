import type { ParamValues } from "../core/params.js";
import { choice, either, flag, integer, real } from "../core/params.js";
import { elasticNet, l1, l2, none, type Penalty } from "../penalties/penalties.js";
import { type SgdOptions, schedules } from "../solvers/sgd.js";

/** The parameters that SGDClassifier and SGDRegressor share. */
export const stochasticParams = {
  penalty: choice(["l2", "l1", "elasticnet", "none"], {
    default: "l2",
    doc: "What is added to the mean loss.",
  }),
  alpha: real({
    atLeast: 0,
    default: 1e-4,
    doc: "Strength of the penalty; also sets the pace of the optimal rate.",
  }),
  l1Ratio: real({ atLeast: 0, atMost: 1, default: 0.15, doc: "Share of l1 in the elastic net." }),
  fitIntercept: flag({ default: true, doc: "Learn b; when false, b = 0." }),
  maxIter: integer({ atLeast: 1, default: 1000, doc: "Most epochs." }),
  tol: real({
    atLeast: 0,
    default: 1e-3,
    doc: "Smallest fall of the mean loss that counts as improvement; 0 never stops early.",
  }),
  shuffle: flag({ default: true, doc: "Visit the rows in a new random order every epoch." }),
  batchSize: integer({ atLeast: 1, default: 1, doc: "Rows a step; their gradients are averaged." }),
  epsilon: real({
    atLeast: 0,
    default: 0.1,
    doc: "Half-width of the tube, or Huber's δ, for the losses that have one.",
  }),
  learningRate: choice(schedules, { default: "optimal", doc: "How the step shrinks over time." }),
  eta0: real({ above: 0, default: 0.01, doc: "First step of the constant, invscaling and adaptive rates." }),
  powerT: real({ default: 0.25, doc: "Exponent of the invscaling rate." }),
  nIterNoChange: integer({ atLeast: 1, default: 5, doc: "Epochs without improvement before stopping." }),
  average: either(
    flag({ default: false, doc: "Average the coefficients over the steps, or from a given step on." }),
    {
      kind: "integer",
      expected: "a step number ≥ 1",
      range: { atLeast: 1 },
      read: integer({ atLeast: 1, default: 1, doc: "" }).read,
    },
  ),
  randomState: integer({ default: 0, doc: "Seed of the order of rows." }),
};

type StochasticValues = ParamValues<typeof stochasticParams>;

export function stochasticPenalty({ penalty, alpha, l1Ratio }: StochasticValues): Penalty {
  return { none: none(), l2: l2(alpha), l1: l1(alpha), elasticnet: elasticNet(alpha, l1Ratio) }[penalty];
}

export function stochasticOptions(params: StochasticValues): Required<SgdOptions> {
  const { learningRate, eta0, powerT, batchSize, shuffle, average, nIterNoChange } = params;
  return { learningRate, eta0, powerT, batchSize, shuffle, average, nIterNoChange };
}

/** [w, b] as one vector. */
export function joined(w: Float64Array, b: number): Float64Array {
  const theta = new Float64Array(w.length + 1);
  theta.set(w);
  theta[w.length] = b;
  return theta;
}
