/** The package has no types of its own; this is what the benchmark uses of it. */
declare module "ml-logistic-regression" {
  import type { Matrix } from "ml-matrix";

  export default class LogisticRegression {
    constructor(options?: { numSteps?: number; learningRate?: number });
    readonly classifiers: readonly { readonly weights: Matrix }[];
    train(X: Matrix, Y: Matrix): void;
  }
}
