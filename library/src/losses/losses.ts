import { ParameterError, show } from "../core/errors.js";
import { exp, log1pExp, sigmoid } from "../core/numbers/elementary.js";
import { refuseOptions } from "../core/params/options.js";
import type { HingeForm, Loss, MarginLoss, MarginLossName } from "./loss.js";

const identity = (z: number) => z;

type Optional = "param" | "mean" | "infimum";
type Formula = Omit<MarginLoss, "name" | "code" | "toJSON" | Optional> &
  Partial<Pick<MarginLoss, Optional>> & { readonly json?: Readonly<Record<string, number>> };

function loss<Name extends MarginLossName>(
  name: Name,
  code: number,
  { json, ...formula }: Formula,
): MarginLoss<Name> {
  const toJSON = () => (json ? { name, ...json } : name);
  return Object.freeze({ name, code, param: 0, mean: identity, infimum: 0, ...formula, toJSON });
}

/** A loss without parameters. */
function plainLoss<Name extends MarginLossName>(
  given: readonly unknown[],
  name: Name,
  code: number,
  formula: Formula,
): MarginLoss<Name> {
  refuseOptions(name, given);
  const made = plain.get(name) ?? loss(name, code, formula);
  plain.set(name, made);
  return made as MarginLoss<Name>;
}

/** Losses without parameters, created once: every fit uses one. */
const plain = /* @__PURE__ */ new Map<string, MarginLoss>();

function inRange(name: string, subject: string, value: number, expected: string, fine: boolean): void {
  if (fine && Number.isFinite(value)) return;
  throw new ParameterError(name, subject, expected, show(value));
}

/** max(0, 1 − yz)ᵖ. */
const marginHinge = (power: 1 | 2): HingeForm => ({
  pieces: [{ sigma: (y) => y, c: () => 1 }],
  power,
  tilt: 0,
});

/** max(0, (y − ε) − z): targets above the tube; and below it, max(0, z − (y + ε)). */
const above = (epsilon: number) => ({ sigma: () => 1, c: (y: number) => y - epsilon });
const below = (epsilon: number) => ({ sigma: () => -1, c: (y: number) => -y - epsilon });
const tubeHinges = (epsilon: number, power: 1 | 2): HingeForm => ({
  pieces: [above(epsilon), below(epsilon)],
  power,
  tilt: 0,
});

/** ½(z − y)². */
export const squared = (...given: []): MarginLoss<"squared"> =>
  plainLoss(given, "squared", 0, {
    targets: "numbers",
    shape: "quadratic",
    value: (z, y) => 0.5 * (z - y) * (z - y),
    derivative: (z, y) => z - y,
    curvature: () => 1,
  });

/** log(1 + e^−yz), y = ±1; the mean is the probability of +1. */
export const logistic = (...given: []): MarginLoss<"logistic"> =>
  plainLoss(given, "logistic", 1, {
    targets: "signs",
    shape: "curved",
    tieCost: Math.LN2,
    value: (z, y) => log1pExp(-y * z),
    derivative: (z, y) => -y * sigmoid(-y * z),
    curvature: (z) => sigmoid(z) * sigmoid(-z),
    mean: sigmoid,
  });

/** max(0, 1 − yz), y = ±1. */
export const hinge = (...given: []): MarginLoss<"hinge"> =>
  plainLoss(given, "hinge", 2, {
    targets: "signs",
    shape: "piecewiseLinear",
    hinges: marginHinge(1),
    value: (z, y) => Math.max(0, 1 - y * z),
    derivative: (z, y) => (1 - y * z > 0 ? -y : 0),
    curvature: () => 0,
  });

/** max(0, 1 − yz)², y = ±1. */
export const squaredHinge = (...given: []): MarginLoss<"squaredHinge"> =>
  plainLoss(given, "squaredHinge", 3, {
    targets: "signs",
    shape: "piecewiseQuadratic",
    hinges: marginHinge(2),
    value: (z, y) => Math.max(0, 1 - y * z) ** 2,
    derivative: (z, y) => -2 * y * Math.max(0, 1 - y * z),
    curvature: (z, y) => (1 - y * z > 0 ? 2 : 0),
  });

/** max(0, −yz), y = ±1. At z = 0 the example counts as a mistake, so that steps from w = 0 are not zero. */
export const perceptron = (...given: []): MarginLoss<"perceptron"> =>
  plainLoss(given, "perceptron", 4, {
    targets: "signs",
    shape: "piecewiseLinear",
    value: (z, y) => Math.max(0, -y * z),
    derivative: (z, y) => (-y * z >= 0 ? -y : 0),
    curvature: () => 0,
  });

/** e^−yz, y = ±1: AdaBoost's loss. */
export const exponential = (...given: []): MarginLoss<"exponential"> =>
  plainLoss(given, "exponential", 5, {
    targets: "signs",
    shape: "curved",
    tieCost: 1,
    value: (z, y) => exp(-y * z),
    derivative: (z, y) => -y * exp(-y * z),
    curvature: (z, y) => exp(-y * z),
    // The minimiser of the expected loss is half the log-odds.
    mean: (z) => sigmoid(2 * z),
  });

/** e^z − yz, y ≥ 0: the negative log-likelihood of a Poisson count with mean e^z, minus the constant log y!. */
export const poisson = (...given: []): MarginLoss<"poisson"> =>
  plainLoss(given, "poisson", 6, {
    targets: "counts",
    shape: "curved",
    infimum: -Infinity,
    constantSum: (b, sum, total) => total * exp(b) - sum * b,
    value: (z, y) => exp(z) - y * z,
    derivative: (z, y) => exp(z) - y,
    curvature: (z) => exp(z),
    mean: exp,
  });

/** ½r² for |r| ≤ δ, δ|r| − ½δ² beyond; r = z − y. */
export function huber(delta = 1.35): MarginLoss<"huber"> {
  inRange("huber", "delta", delta, "a number > 0", delta > 0);
  return loss("huber", 7, {
    targets: "numbers",
    shape: "piecewiseQuadratic",
    quantile: 0.5,
    majorant: (z, y) => Math.min(1, delta / Math.abs(z - y)),
    param: delta,
    json: { delta },
    value: (z, y) => {
      const r = Math.abs(z - y);
      return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
    },
    derivative: (z, y) => Math.max(-delta, Math.min(delta, z - y)),
    curvature: (z, y) => (Math.abs(z - y) <= delta ? 1 : 0),
  });
}

/** |z − y|: the fit is a conditional median. */
export const absolute = (...given: []): MarginLoss<"absolute"> =>
  plainLoss(given, "absolute", 8, {
    targets: "numbers",
    shape: "piecewiseLinear",
    quantile: 0.5,
    hinges: tubeHinges(0, 1),
    value: (z, y) => Math.abs(z - y),
    derivative: (z, y) => Math.sign(z - y),
    curvature: () => 0,
  });

/** τ(y − z) above the line, (1 − τ)(z − y) below: the fit is a conditional τ-quantile. */
export function quantile(tau = 0.5): MarginLoss<"quantile"> {
  inRange("quantile", "tau", tau, "a number > 0 and < 1", tau > 0 && tau < 1);
  return loss("quantile", 9, {
    targets: "numbers",
    shape: "piecewiseLinear",
    quantile: tau,
    hinges: { pieces: [above(0)], power: 1, tilt: 1 - tau },
    param: tau,
    json: { tau },
    value: (z, y) => (z > y ? (1 - tau) * (z - y) : tau * (y - z)),
    derivative: (z, y) => (z > y ? 1 - tau : z < y ? -tau : 0),
    curvature: () => 0,
  });
}

/** max(0, |z − y| − ε). */
export function epsilonInsensitive(epsilon = 0.1): MarginLoss<"epsilonInsensitive"> {
  inRange("epsilonInsensitive", "epsilon", epsilon, "a number ≥ 0", epsilon >= 0);
  return loss("epsilonInsensitive", 10, {
    targets: "numbers",
    shape: "piecewiseLinear",
    quantile: 0.5,
    tube: epsilon,
    hinges: tubeHinges(epsilon, 1),
    inUnit: (unit) => epsilonInsensitive(epsilon / unit),
    param: epsilon,
    json: { epsilon },
    value: (z, y) => Math.max(0, Math.abs(z - y) - epsilon),
    derivative: (z, y) => (Math.abs(z - y) > epsilon ? Math.sign(z - y) : 0),
    curvature: () => 0,
  });
}

/** max(0, |z − y| − ε)². */
export function squaredEpsilonInsensitive(epsilon = 0.1): MarginLoss<"squaredEpsilonInsensitive"> {
  inRange("squaredEpsilonInsensitive", "epsilon", epsilon, "a number ≥ 0", epsilon >= 0);
  return loss("squaredEpsilonInsensitive", 11, {
    targets: "numbers",
    shape: "piecewiseQuadratic",
    tube: epsilon,
    hinges: tubeHinges(epsilon, 2),
    param: epsilon,
    json: { epsilon },
    value: (z, y) => Math.max(0, Math.abs(z - y) - epsilon) ** 2,
    derivative: (z, y) => 2 * Math.sign(z - y) * Math.max(0, Math.abs(z - y) - epsilon),
    curvature: (z, y) => (Math.abs(z - y) > epsilon ? 2 : 0),
  });
}

/** max(0, 1 − yz)² for yz ≥ −1, −4yz below: a squared hinge that is robust to outliers. */
export const modifiedHuber = (...given: []): MarginLoss<"modifiedHuber"> =>
  plainLoss(given, "modifiedHuber", 12, {
    targets: "signs",
    shape: "piecewiseQuadratic",
    // Twice that of Huber with δ = 2 and the residual 1 − yz.
    majorant: (z, y) => 2 * Math.min(1, 2 / Math.abs(1 - y * z)),
    value: (z, y) => (y * z >= -1 ? Math.max(0, 1 - y * z) ** 2 : -4 * y * z),
    derivative: (z, y) => (y * z >= -1 ? -2 * y * Math.max(0, 1 - y * z) : -4 * y),
    curvature: (z, y) => (y * z >= -1 && 1 - y * z > 0 ? 2 : 0),
    mean: (z) => (Math.max(-1, Math.min(1, z)) + 1) / 2,
  });

/** Softmax cross-entropy log Σ_k e^{z_k} − z_y over K margins at once. Its sums are in `numeric/rows/softmax-sum.ts`. */
export const softmax = (...given: []): Loss<"softmax"> => {
  refuseOptions("softmax", given);
  return Object.freeze({
    name: "softmax",
    targets: "classes",
    shape: "curved",
    tieCost: Math.LN2,
    toJSON: () => "softmax",
  });
};
