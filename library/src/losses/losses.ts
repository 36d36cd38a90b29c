import { exp, log1pExp, sigmoid } from "../core/elementary.js";
import { ParameterError, show } from "../core/errors.js";
import { refuseOptions } from "../core/options.js";
import type { Loss, LossName } from "./loss.js";

const identity = (z: number) => z;

interface Formula {
  readonly param?: number;
  readonly value: (z: number, y: number) => number;
  readonly slope: (z: number, y: number) => number;
  readonly curvature: (z: number, y: number) => number;
  readonly mean?: (z: number) => number;
  readonly json?: Readonly<Record<string, number>>;
}

function loss<Name extends LossName>(name: Name, code: number, formula: Formula): Loss<Name> {
  const { param = 0, mean = identity, json, value, slope, curvature } = formula;
  const toJSON = () => (json ? { name, ...json } : name);
  return Object.freeze({ name, code, param, value, slope, curvature, mean, toJSON });
}

/** A loss without anything to set. */
function plainLoss<Name extends LossName>(
  given: readonly unknown[],
  name: Name,
  code: number,
  formula: Formula,
): Loss<Name> {
  refuseOptions(name, given);
  return loss(name, code, formula);
}

function inRange(name: string, subject: string, value: number, expected: string, fine: boolean): void {
  if (fine && Number.isFinite(value)) return;
  throw new ParameterError({ where: name, subject, expected, received: show(value) });
}

/** ½(z − y)². */
export const squared = (...given: []): Loss<"squared"> =>
  plainLoss(given, "squared", 0, {
    value: (z, y) => 0.5 * (z - y) * (z - y),
    slope: (z, y) => z - y,
    curvature: () => 1,
  });

/** log(1 + e^−yz), y = ±1; the mean is the probability of +1. */
export const logistic = (...given: []): Loss<"logistic"> =>
  plainLoss(given, "logistic", 1, {
    value: (z, y) => log1pExp(-y * z),
    slope: (z, y) => -y * sigmoid(-y * z),
    curvature: (z) => sigmoid(z) * sigmoid(-z),
    mean: sigmoid,
  });

/** max(0, 1 − yz), y = ±1. */
export const hinge = (...given: []): Loss<"hinge"> =>
  plainLoss(given, "hinge", 2, {
    value: (z, y) => Math.max(0, 1 - y * z),
    slope: (z, y) => (1 - y * z > 0 ? -y : 0),
    curvature: () => 0,
  });

/** max(0, 1 − yz)², y = ±1. */
export const squaredHinge = (...given: []): Loss<"squaredHinge"> =>
  plainLoss(given, "squaredHinge", 3, {
    value: (z, y) => Math.max(0, 1 - y * z) ** 2,
    slope: (z, y) => -2 * y * Math.max(0, 1 - y * z),
    curvature: (z, y) => (1 - y * z > 0 ? 2 : 0),
  });

/** max(0, −yz), y = ±1. At z = 0 the example counts as a mistake, so that learning can leave w = 0. */
export const perceptron = (...given: []): Loss<"perceptron"> =>
  plainLoss(given, "perceptron", 4, {
    value: (z, y) => Math.max(0, -y * z),
    slope: (z, y) => (-y * z >= 0 ? -y : 0),
    curvature: () => 0,
  });

/** e^−yz, y = ±1: AdaBoost's loss. */
export const exponential = (...given: []): Loss<"exponential"> =>
  plainLoss(given, "exponential", 5, {
    value: (z, y) => exp(-y * z),
    slope: (z, y) => -y * exp(-y * z),
    curvature: (z, y) => exp(-y * z),
    // The minimiser of the expected loss is half the log-odds.
    mean: (z) => sigmoid(2 * z),
  });

/** e^z − yz, y ≥ 0: the negative log-likelihood of a Poisson count with mean e^z, less log y!. */
export const poisson = (...given: []): Loss<"poisson"> =>
  plainLoss(given, "poisson", 6, {
    value: (z, y) => exp(z) - y * z,
    slope: (z, y) => exp(z) - y,
    curvature: (z) => exp(z),
    mean: exp,
  });

/** ½r² for |r| ≤ δ, δ|r| − ½δ² beyond; r = z − y. */
export function huber(delta = 1.35): Loss<"huber"> {
  inRange("huber", "delta", delta, "a number > 0", delta > 0);
  return loss("huber", 7, {
    param: delta,
    json: { delta },
    value: (z, y) => {
      const r = Math.abs(z - y);
      return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
    },
    slope: (z, y) => Math.max(-delta, Math.min(delta, z - y)),
    curvature: (z, y) => (Math.abs(z - y) <= delta ? 1 : 0),
  });
}

/** |z − y|: the fit is a conditional median. */
export const absolute = (...given: []): Loss<"absolute"> =>
  plainLoss(given, "absolute", 8, {
    value: (z, y) => Math.abs(z - y),
    slope: (z, y) => Math.sign(z - y),
    curvature: () => 0,
  });

/** τ(y − z) above the line, (1 − τ)(z − y) below: the fit is a conditional τ-quantile. */
export function quantile(tau = 0.5): Loss<"quantile"> {
  inRange("quantile", "tau", tau, "a number > 0 and < 1", tau > 0 && tau < 1);
  return loss("quantile", 9, {
    param: tau,
    json: { tau },
    value: (z, y) => (z > y ? (1 - tau) * (z - y) : tau * (y - z)),
    slope: (z, y) => (z > y ? 1 - tau : z < y ? -tau : 0),
    curvature: () => 0,
  });
}

/** max(0, |z − y| − ε). */
export function epsilonInsensitive(epsilon = 0.1): Loss<"epsilonInsensitive"> {
  inRange("epsilonInsensitive", "epsilon", epsilon, "a number ≥ 0", epsilon >= 0);
  return loss("epsilonInsensitive", 10, {
    param: epsilon,
    json: { epsilon },
    value: (z, y) => Math.max(0, Math.abs(z - y) - epsilon),
    slope: (z, y) => (Math.abs(z - y) > epsilon ? Math.sign(z - y) : 0),
    curvature: () => 0,
  });
}

/** max(0, |z − y| − ε)². */
export function squaredEpsilonInsensitive(epsilon = 0.1): Loss<"squaredEpsilonInsensitive"> {
  inRange("squaredEpsilonInsensitive", "epsilon", epsilon, "a number ≥ 0", epsilon >= 0);
  return loss("squaredEpsilonInsensitive", 11, {
    param: epsilon,
    json: { epsilon },
    value: (z, y) => Math.max(0, Math.abs(z - y) - epsilon) ** 2,
    slope: (z, y) => 2 * Math.sign(z - y) * Math.max(0, Math.abs(z - y) - epsilon),
    curvature: (z, y) => (Math.abs(z - y) > epsilon ? 2 : 0),
  });
}

/** max(0, 1 − yz)² for yz ≥ −1, −4yz below: a squared hinge that forgives outliers. */
export const modifiedHuber = (...given: []): Loss<"modifiedHuber"> =>
  plainLoss(given, "modifiedHuber", 12, {
    value: (z, y) => (y * z >= -1 ? Math.max(0, 1 - y * z) ** 2 : -4 * y * z),
    slope: (z, y) => (y * z >= -1 ? -2 * y * Math.max(0, 1 - y * z) : -4 * y),
    curvature: (z, y) => (y * z >= -1 && 1 - y * z > 0 ? 2 : 0),
    mean: (z) => (Math.max(-1, Math.min(1, z)) + 1) / 2,
  });

/**
 * Softmax cross-entropy log Σ_k e^{z_k} − z_y over K margins at once. Its sums live in `numeric/rows/softmax-sum.ts`;
 * the one-margin functions here are those of K = 2 with z the difference of the two margins.
 */
export const softmax = (...given: []): Loss<"softmax"> => {
  const two = logistic();
  return plainLoss(given, "softmax", -1, {
    value: two.value,
    slope: two.slope,
    curvature: two.curvature,
    mean: two.mean,
  });
};
