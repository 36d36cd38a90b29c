import { ParameterError } from "../../core/errors.js";
import type { Integers, Reals, TensorSpace } from "../../numeric/tensors/space.js";
import { add, minimum, multiply, subtract } from "../autodiff/ops/arithmetic.js";
import { abs, scale, sigmoid, square } from "../autodiff/ops/functions.js";
import { reshape } from "../autodiff/ops/shapes.js";
import { sigmoidCrossEntropy, softmax, softmaxCrossEntropy, squaredError } from "../autodiff/ops/softmax.js";
import { type Shape, showShape, sizeOf } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";

/** What a network learns to give: class indices or numbers, one per row. */
export type Targets =
  | { readonly kind: "classes"; readonly codes: Int32Array; readonly classes: number }
  | { readonly kind: "numbers"; readonly values: Float64Array };

/** The targets of a batch in the memory of the kernels, and its weights if there are any. */
export interface BatchTargets {
  /** Class indices. */
  readonly codes: Integers;
  /** The same, or the numbers to predict. */
  readonly values: Reals;
  readonly weights: Reals | undefined;
}

/** A loss per row, from the output of a network. */
export interface NetworkLoss {
  readonly name: string;
  /** Throws unless the network's output fits the targets. */
  check(where: string, output: Shape, targets: Targets): void;
  rows(output: Tensor, targets: BatchTargets): Tensor;
}

export const classificationLossNames = ["crossEntropy", "squaredError"] as const;
export type ClassificationLossName = (typeof classificationLossNames)[number];
export const regressionLossNames = ["squaredError", "absoluteError", "huber"] as const;
export type RegressionLossName = (typeof regressionLossNames)[number];

/**
 * What a last softmax or sigmoid was applied to: losses and probabilities are computed from it, since log(softmax) of a number that has
 * underflowed to 0 would be −∞.
 */
export function logitsOf(output: Tensor): Tensor {
  const op = output.source?.op;
  return op === "softmax" || op === "sigmoid" ? output.source!.inputs[0]! : output;
}

/** −log of the probability of the class: softmax over K outputs, or the sigmoid of one output for two classes. */
export const crossEntropy: NetworkLoss = {
  name: "crossEntropy",
  check(where, output, targets) {
    const classes = targets.kind === "classes" ? targets.classes : 0;
    const units = sizeOf(output);
    if (units === classes || (units === 1 && classes === 2)) return;
    const expected = classes === 2 ? "1 or 2 numbers for two classes" : `${classes} numbers, one per class`;
    const received = showShape(output);
    throw new ParameterError(where, "the output of the last layer", expected, received);
  },
  rows(output, { codes, values, weights }) {
    const logits = matchingLogits(output);
    const n = logits.shape[0]!;
    const own = weights && weightsOf(output, weights);
    if (logits.size === n) return sigmoidCrossEntropy(logits, leafOf(output, values), own);
    return softmaxCrossEntropy(logits.rank === 2 ? logits : reshape(logits, [n, -1]), codes, own);
  },
};

/** ½ Σₖ (pₖ − [k is the class])² of the probabilities: what a network minimised before cross-entropy was common. */
export const squaredProbabilityError: NetworkLoss = {
  name: "squaredError",
  check: crossEntropy.check,
  rows(output, { codes, values, weights }) {
    const logits = matchingLogits(output);
    const n = logits.shape[0]!;
    const { space } = output.tape;
    const own = weights && weightsOf(output, weights);
    if (logits.size === n) return squaredError(sigmoid(reshape(logits, [n])), leafOf(output, values), own);
    const classes = logits.size / n;
    const wanted = space.zeros(n * classes);
    const hot = wanted.array;
    const list = codes.array;
    for (let i = 0; i < n; i++) hot[i * classes + list[i]!] = 1;
    return squaredError(softmax(reshape(logits, [n, classes])), output.tape.leaf([n, classes], wanted), own);
  },
};

export const classificationLosses: Readonly<Record<ClassificationLossName, NetworkLoss>> = {
  crossEntropy,
  squaredError: squaredProbabilityError,
};

const weightsOf = (output: Tensor, weights: Reals): Tensor => leafOf(output, weights);
/** Throws where the last activation gives no probabilities: a softmax over one output, a sigmoid of several. */
function matchingLogits(output: Tensor): Tensor {
  const units = output.size / output.shape[0]!;
  const op = output.source?.op;
  if ((op === "softmax" && units === 1) || (op === "sigmoid" && units > 1)) {
    const subject = "the last activation";
    const expected = units === 1 ? "sigmoid or none for one output" : "softmax or none for several outputs";
    const received = op;
    throw new ParameterError(output.tape.space.where, subject, expected, received);
  }
  return logitsOf(output);
}

const leafOf = (output: Tensor, values: Reals): Tensor => output.tape.leaf([values.length], values);

function checkOne(where: string, output: Shape): void {
  if (sizeOf(output) === 1) return;
  throw new ParameterError(where, "the output of the last layer", "1 number", showShape(output));
}

const weighted = (losses: Tensor, weights: Reals | undefined): Tensor =>
  weights === undefined ? losses : multiply(losses, weightsOf(losses, weights));

const difference = (output: Tensor, values: Reals): Tensor =>
  subtract(reshape(output, [values.length]), leafOf(output, values));

/** ½(z − y)²; by itself, so that a bundle has no other loss. */
export const halfSquaredError: NetworkLoss = {
  name: "squaredError",
  check: checkOne,
  rows: (output, { values, weights }) =>
    squaredError(
      reshape(output, [values.length]),
      leafOf(output, values),
      weights && weightsOf(output, weights),
    ),
};

/** ½(z − y)², |z − y|, or Huber's mixture of the two: quadratic up to a difference of 1. */
export const regressionLosses: Readonly<Record<RegressionLossName, NetworkLoss>> = {
  squaredError: halfSquaredError,
  absoluteError: {
    name: "absoluteError",
    check: checkOne,
    rows: (output, { values, weights }) => weighted(abs(difference(output, values)), weights),
  },
  huber: {
    name: "huber",
    check: checkOne,
    rows(output, { values, weights }) {
      // With m = min(|r|, 1): ½m² + (|r| − m), which is ½r² up to 1 and |r| − ½ beyond.
      const size = abs(difference(output, values));
      const near = minimum(size, 1);
      return weighted(add(scale(square(near), 0.5), subtract(size, near)), weights);
    },
  },
};

/** Room for the targets of the largest batch, filled again for every batch. */
export class TargetBatches {
  readonly #space: TensorSpace;
  readonly #targets: Targets;
  readonly #rowWeights: Float64Array | undefined;
  readonly #codes: Integers;
  readonly #values: Reals;
  readonly #weights: Reals | undefined;

  constructor(space: TensorSpace, targets: Targets, rowWeights: Float64Array | undefined, most: number) {
    this.#space = space;
    this.#targets = targets;
    this.#rowWeights = rowWeights;
    this.#codes = space.integers(new Int32Array(most));
    this.#values = space.zeros(most);
    this.#weights = rowWeights && space.zeros(most);
  }

  /** The targets of the rows `order[from] … order[from + count − 1]`. */
  load(order: Int32Array, from: number, count: number): BatchTargets {
    const targets = this.#targets;
    const values = this.#values.array;
    if (targets.kind === "classes") {
      const codes = this.#codes.array;
      for (let e = 0; e < count; e++) {
        const code = targets.codes[order[from + e]!]!;
        codes[e] = code;
        values[e] = code;
      }
    } else {
      for (let e = 0; e < count; e++) values[e] = targets.values[order[from + e]!]!;
    }
    if (this.#rowWeights !== undefined) {
      const weights = this.#weights!.array;
      for (let e = 0; e < count; e++) weights[e] = this.#rowWeights[order[from + e]!]!;
    }
    return {
      codes: this.#codes,
      values: this.#space.part(this.#values, 0, count),
      weights: this.#weights && this.#space.part(this.#weights, 0, count),
    };
  }
}
