import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, flag, integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { perceptron } from "../losses/losses.js";
import { elasticNet, l1, l2, none } from "../penalties/penalties.js";
import { sgd } from "../solvers/sgd.js";
import { linearClassifierCapabilities } from "./capabilities.js";
import { FittedLinearClassifier, readLinearState } from "./fitted-classifier.js";
import { type ClassifierParts, classifierSteps, fitClassifier } from "./linear-fit.js";

/** What every perceptron takes, the one with a kernel too. */
export const mistakeParams = {
  eta0: real({ above: 0, default: 1, doc: "Step for every mistake." }),
  fitIntercept: flag({ default: true, doc: "Learn b; when false, b = 0." }),
  classWeight: classWeight(),
  shuffle: flag({ default: true, doc: "Visit the rows in a new random order every epoch." }),
  nIterNoChange: integer({ atLeast: 1, default: 5, doc: "Epochs without improvement before stopping." }),
  tol: real({
    atLeast: 0,
    default: 1e-3,
    doc: "Smallest fall of the mean loss that counts as improvement; 0 never stops early.",
  }),
  maxIter: integer({ atLeast: 1, default: 1000, doc: "Most epochs." }),
  randomState: integer({ default: 0, doc: "Seed of the order of rows." }),
};

export const perceptronParams = {
  penalty: choice(["none", "l2", "l1", "elasticnet"], { default: "none", doc: "What is added to the loss." }),
  alpha: real({ atLeast: 0, default: 1e-4, doc: "Strength of the penalty, if there is one." }),
  l1Ratio: real({ atLeast: 0, atMost: 1, default: 0.15, doc: "Share of l1 in the elastic net." }),
  ...mistakeParams,
};

/**
 * Rosenblatt's perceptron: for every row on the wrong side,  w ← w + η yᵢ xᵢ,  b ← b + η yᵢ.
 *
 * That is stochastic gradient descent on Σᵢ max(0, −yᵢ(w·xᵢ + b)). It ends without mistakes if the classes are
 * linearly separable. More than two classes: one-vs-rest.
 * Parity: scikit-learn's Perceptron (its early_stopping is not offered).
 */
export class Perceptron extends Estimator<typeof perceptronParams> {
  static readonly id = "Perceptron";
  static readonly table = perceptronParams;
  static readonly capabilities: Capabilities = linearClassifierCapabilities;

  constructor(params: Params<typeof perceptronParams> = {}) {
    super(Perceptron.id, perceptronParams, params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedPerceptron<L> {
    return fitClassifier(
      this,
      () => this.#parts(),
      (state) => new FittedPerceptron(state),
      x,
      y,
      options,
    );
  }

  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedPerceptron<L>>, FittedPerceptron<L>, void> {
    return classifierSteps(
      this,
      () => this.#parts(),
      (state) => new FittedPerceptron(state),
      x,
      y,
      options,
    );
  }

  static restore(state: ModelState): FittedPerceptron {
    return new FittedPerceptron(readLinearState(state));
  }

  #parts(): ClassifierParts {
    const { alpha, l1Ratio, eta0, shuffle, nIterNoChange } = this.params;
    const penalties = { none: none(), l2: l2(alpha), l1: l1(alpha), elasticnet: elasticNet(alpha, l1Ratio) };
    return {
      loss: perceptron(),
      penalty: penalties[this.params.penalty],
      solver: sgd({ learningRate: "constant", eta0, shuffle, nIterNoChange }),
      link: null,
    };
  }
}

export class FittedPerceptron<L extends Label = Label> extends FittedLinearClassifier<L> {}
