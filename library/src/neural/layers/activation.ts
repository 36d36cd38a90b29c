import type { Unary } from "../../numeric/tensors/activations.js";
import { mapEntries, scale } from "../autodiff/ops/functions.js";
import { softmax } from "../autodiff/ops/softmax.js";
import type { Tensor } from "../autodiff/tensor.js";
import { type Layer, layer } from "../network/layer.js";
import type { Activation, ActivationPart } from "./activations.js";
import { activationJson, isSmooth, readActivation, unaryOf } from "./activations.js";

/**
 * An activation function as a layer, applied to every entry; softmax to the last axis. { name, a, c } sets
 * its constants.
 *
 *   linear              x
 *   sigmoid             1/(1 + e^(−a(x − c)))                   a = 1, c = 0
 *   tanh                tanh x
 *   relu, leakyRelu     x for x > 0, else 0 or a·x              a = 0.01
 *   gelu                x·Φ(x), Φ the standard normal distribution function
 *   softplus            log(1 + eˣ)
 *   gaussian            exp(−(x − c)²/2a²)                      a = 1, c = 0
 *   inverseMultiquadric 1/√((x − c)² + a²)                      a = 1, c = 0
 *   softmax             e^xₖ / Σⱼ e^xⱼ
 *   sign, heaviside     −1, 0 or 1; 1 for x > 0, else 0
 *   twoStep             1 for a < x < c, else 0                 a = 0.25, c = 0.75
 *
 * The last three are piecewise constant: a network predicts with them, and is refused if weights were to be
 * trained that reach the output through them only.
 */
export function activation(given: Activation): Layer {
  const part = readActivation("activation", given);
  return layer("activation", { activation: activationJson(part) }, (input, builder) => {
    if (!isSmooth(part)) builder.blocksGradient(part.name);
    if (part.name === "softmax" && input.length === 0)
      builder.refuse("the input of softmax", "at least one axis", "one number");
    return { output: input, forward: (x) => activate(part, x) };
  });
}

/**
 * f(x) as an operation of its own. A sigmoid's constants are applied before it, so that what the sigmoid is
 * applied to is the logit, from which losses are computed.
 */
export function activate(part: ActivationPart, x: Tensor): Tensor {
  const { name, a = 1, c = 0 } = part;
  const unary = unaryOf(part);
  if (unary === undefined) return softmax(x);
  if (name === "linear") return x;
  if (name !== "sigmoid") return mapEntries(unary, x);
  return mapEntries({ name }, a === 1 && c === 0 ? x : scale(x, a, -a * c));
}

/**
 * The activation as part of a product's kernel; undefined where it is applied afterwards: softmax is no
 * function of one number, and a sigmoid is an operation of its own, so that a loss can be computed from what
 * it is applied to.
 */
export const fusedActivation = (part: ActivationPart): Unary | undefined =>
  part.name === "sigmoid" ? undefined : unaryOf(part);
