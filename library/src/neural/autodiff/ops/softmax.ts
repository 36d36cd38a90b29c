import { DataError, ShapeError, show } from "../../../core/errors.js";
import { binaryInto } from "../../../numeric/tensors/broadcasting.js";
import { unaryInto } from "../../../numeric/tensors/elementwise.js";
import { axpyInto } from "../../../numeric/tensors/optimizer.js";
import {
  logSoftmaxGradientInto,
  logSoftmaxInto,
  sigmoidCrossEntropyInto,
  softmaxCrossEntropyInto,
  softmaxGradientInto,
  softmaxInto,
  squaredErrorInto,
} from "../../../numeric/tensors/softmax.js";
import type { Integers, Reals } from "../../../numeric/tensors/space.js";
import { type Operand, operandOf } from "../computation.js";
import { showShape } from "../shape.js";
import type { Sink, Tensor } from "../tensor.js";

/** e^zₖ / Σ e^zⱼ along the last axis. */
export const softmax = (z: Operand): Tensor => rowwise("softmax", z, softmaxInto, softmaxGradientInto);

/** log softmax along the last axis. */
export const logSoftmax = (z: Operand): Tensor =>
  rowwise("logSoftmax", z, logSoftmaxInto, logSoftmaxGradientInto);

/** A function of rows whose gradient is computed from its values. */
function rowwise(
  op: string,
  z: Operand,
  valueInto: typeof softmaxInto,
  gradientInto: typeof softmaxGradientInto,
): Tensor {
  const input = rows(op, operandOf(op, "z", z));
  const { tape, values } = input;
  const cols = input.shape.at(-1)!;
  let y!: Reals;
  const value = (out: Reals) => {
    y = out;
    valueInto(tape.space, values, cols, out);
  };
  return tape.record(op, [input], input.shape, value, [
    (g, into) => gradientInto(tape.space, y, g, cols, into.values, into.accumulate),
  ]);
}

/** A loss per row whose gradient is computed with its value. */
function rowLosses(
  op: string,
  input: Tensor,
  cols: number,
  evaluate: (losses: Reals, gradient: Reals | undefined) => void,
): Tensor {
  const { tape } = input;
  const { space } = tape;
  const n = input.size / cols;
  const local = input.needsGradient ? space.reals(input.size) : undefined;
  return tape.record(op, [input], [n], (out) => evaluate(out, local), [
    (g, into) => scaleRows(input, n, cols, local!, g, into),
  ]);
}

/** Row i of the local gradient times gᵢ. */
function scaleRows(input: Tensor, n: number, cols: number, local: Reals, g: Reals, into: Sink): void {
  const { space } = input.tape;
  const seed = input.tape.seedOf(g);
  if (seed !== undefined) {
    // Of a training: all rows count alike.
    if (into.accumulate) axpyInto(space, seed, local, into.values);
    else unaryInto(space, { name: "scale", a: seed }, local, into.values);
    return;
  }
  if (!into.accumulate) {
    binaryInto(space, "multiply", local, [n, cols], g, [n, 1], into.values);
    return;
  }
  space.step(() => {
    const scaled = space.reals(local.length);
    binaryInto(space, "multiply", local, [n, cols], g, [n, 1], scaled);
    axpyInto(space, 1, scaled, into.values);
  });
}

/** −log softmax(zᵢ)[codeᵢ] for every row, times its weight. */
export function softmaxCrossEntropy(
  logits: Operand,
  codes: ArrayLike<number> | Integers,
  weights?: Operand,
): Tensor {
  const input = rows("softmaxCrossEntropy", operandOf("softmaxCrossEntropy", "logits", logits));
  const cols = input.shape.at(-1)!;
  const { space } = input.tape;
  const own = "ptr" in codes ? codes : space.integers(readCodes(codes, input.size / cols, cols));
  const given = rowWeights("softmaxCrossEntropy", weights, input.size / cols);
  return rowLosses("softmaxCrossEntropy", input, cols, (losses, gradient) =>
    softmaxCrossEntropyInto(space, input.values, cols, own, given, losses, gradient),
  );
}

/** log(1 + e^zᵢ) − tᵢ zᵢ for every row with one logit, times its weight. */
export function sigmoidCrossEntropy(logits: Operand, targets: Operand, weights?: Operand): Tensor {
  const input = operandOf("sigmoidCrossEntropy", "logits", logits);
  const wanted = sameSize("sigmoidCrossEntropy", input, constant("sigmoidCrossEntropy", "targets", targets));
  const given = rowWeights("sigmoidCrossEntropy", weights, input.size);
  return rowLosses("sigmoidCrossEntropy", input, 1, (losses, gradient) =>
    sigmoidCrossEntropyInto(input.tape.space, input.values, wanted.values, given, losses, gradient),
  );
}

/** ½ Σ (zᵢⱼ − tᵢⱼ)² for every row, times its weight. */
export function squaredError(predictions: Operand, targets: Operand, weights?: Operand): Tensor {
  const input = operandOf("squaredError", "predictions", predictions);
  const wanted = sameSize("squaredError", input, constant("squaredError", "targets", targets));
  const cols = input.rank < 2 ? 1 : input.shape.at(-1)!;
  const given = rowWeights("squaredError", weights, input.size / cols);
  return rowLosses("squaredError", input, cols, (losses, gradient) =>
    squaredErrorInto(input.tape.space, input.values, cols, wanted.values, given, losses, gradient),
  );
}

function readCodes(codes: ArrayLike<number>, n: number, classes: number): ArrayLike<number> {
  const where = "softmaxCrossEntropy";
  if (codes.length !== n) throw new ShapeError(where, "codes", `one per row, ${n}`, `${codes.length}`);
  for (let i = 0; i < n; i++) {
    if (Number.isSafeInteger(codes[i]) && codes[i]! >= 0 && codes[i]! < classes) continue;
    throw new DataError(where, `codes[${i}]`, `an integer from 0 to ${classes - 1}`, show(codes[i]));
  }
  return codes;
}

/** Losses differentiate with respect to their first argument only: another one whose gradient is wanted would silently have none. */
function constant(where: string, subject: string, x: Operand): Tensor {
  const own = operandOf(where, subject, x);
  if (!own.needsGradient) return own;
  const expected = "constant, since this loss passes no gradient to it";
  const received = "a tensor that depends on an argument of the function";
  const advice = "Write the loss with other operations, e.g. scale(sum(square(subtract(a, b))), 0.5).";
  throw new DataError(where, subject, expected, received, advice);
}

function rowWeights(where: string, weights: Operand | undefined, n: number): Reals | undefined {
  if (weights === undefined) return undefined;
  const { size, values } = constant(where, "weights", weights);
  if (size === n) return values;
  throw new ShapeError(where, "weights", `one per row, ${n}`, `${size}`);
}

function rows(where: string, input: Tensor): Tensor {
  if (input.rank > 0) return input;
  throw new ShapeError(where, "z", "at least one axis", "one number");
}

function sameSize(where: string, input: Tensor, targets: Tensor): Tensor {
  if (targets.size === input.size) return targets;
  throw new ShapeError(where, "targets", showShape(input.shape), showShape(targets.shape));
}
