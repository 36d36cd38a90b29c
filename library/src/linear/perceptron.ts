import type { FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { classificationSet } from "../data/training-set.js";
import { perceptron } from "../losses/losses.js";
import { elasticNet, l1, l2, none } from "../penalties/penalties.js";
import { sgd } from "../solvers/sgd.js";
import { linearClassifier } from "./fits/capabilities.js";
import { accuracyOf, earlyStopping, splitClasses, validationFraction } from "./fits/hold-out.js";
import { type ClassifierParts, classifierSetSteps, linearRules } from "./fits/linear-fit.js";
import { sharedParams } from "./fits/stochastic.js";
import { FittedLinearClassifier, readLinearState } from "./fitted-classifier.js";

/** The parameters that Perceptron and KernelPerceptron share. */
export const mistakeParams = {
  eta0: real({ above: 0, default: 1, doc: "Learning rate: the step for every mistake." }),
  fitIntercept: sharedParams.fitIntercept,
  classWeight: classWeight(),
  shuffle: sharedParams.shuffle,
  nIterNoChange: sharedParams.nIterNoChange,
  tol: sharedParams.tol,
  maxIter: sharedParams.maxIter,
  randomState: sharedParams.randomState,
};

export const perceptronParams = {
  penalty: choice(["none", "l2", "l1", "elasticnet"], {
    default: "none",
    doc: "Penalty on the coefficients.",
  }),
  alpha: real({ atLeast: 0, default: 1e-4, doc: "Regularisation strength α, if there is a penalty." }),
  l1Ratio: sharedParams.l1Ratio,
  ...mistakeParams,
  earlyStopping: earlyStopping(),
  validationFraction: validationFraction(),
};

/**
 * Rosenblatt's perceptron: for every misclassified row,  w ← w + η yᵢ xᵢ,  b ← b + η yᵢ.
 *
 * This is stochastic gradient descent on Σᵢ max(0, −yᵢ(w·xᵢ + b)). It converges to zero mistakes if the classes are
 * linearly separable. More than two classes: one-vs-rest.
 * Parity: scikit-learn's Perceptron; with earlyStopping the best epoch is kept instead of the last.
 */
export class Perceptron extends Estimator<typeof perceptronParams> {
  static readonly id = "Perceptron";
  static readonly table = perceptronParams;
  static readonly capabilities = linearClassifier();

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedPerceptron<L> {
    return runSteps(this.where("fit"), this.#learn(this.where("fit"), x, y, options), options);
  }

  steps<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Steps<FittedPerceptron<L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState): FittedPerceptron {
    return new FittedPerceptron(readLinearState(state));
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Steps<FittedPerceptron<L>> {
    const set = classificationSet(where, x, y, options, linearRules, this.params.classWeight);
    const { train, held } = splitClasses(where, set, this.params);
    const heldOutScore = held ? (k: number) => accuracyOf(where, held, k) : undefined;
    const parts = { ...this.#parts(), heldOutScore };
    return yield* classifierSetSteps(where, this, parts, train, (state) => new FittedPerceptron(state));
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
