import { ParameterError, show } from "../core/errors.js";
import { refuseOptions } from "../core/params/options.js";

/**
 * A penalty on the coefficients, or a constraint:
 *
 *   R(w) = l1 ‖w‖₁ + ½ l2 ‖w‖²,    or a constraint ‖w‖ ≤ radius
 *
 * The intercept is never penalised. `per: "mean"` adds R to the mean loss, so that its strength does not depend on
 * the number of rows; `per: "sum"` adds it to the summed loss, which is what a prior does (MAP).
 */
export interface Penalty<Name extends PenaltyName = PenaltyName> {
  readonly name: Name;
  readonly per: "mean" | "sum";
  readonly l1: number;
  readonly l2: number;
  /** Radius of the ball, for constraints. */
  readonly radius: number;
  toJSON(): { readonly name: string; readonly [key: string]: string | number };
}

export type PenaltyName = "none" | "l1" | "l2" | "elasticNet" | "l1Ball" | "l2Ball";

interface Parts {
  readonly per?: "mean" | "sum";
  readonly l1?: number;
  readonly l2?: number;
  readonly radius?: number;
}

function penalty<Name extends PenaltyName>(name: Name, parts: Parts, json: object): Penalty<Name> {
  const { per = "mean", l1 = 0, l2 = 0, radius = Infinity } = parts;
  return Object.freeze({ name, per, l1, l2, radius, toJSON: () => ({ ...json }) as { name: string } });
}

function positive(where: string, subject: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new ParameterError(where, subject, "a number > 0", show(value));
}

function notNegative(where: string, subject: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new ParameterError(where, subject, "a number ≥ 0", show(value));
}

/** No penalty: maximum likelihood. */
export function none(...given: []): Penalty<"none"> {
  refuseOptions("none", given);
  return penalty("none", {}, { name: "none" });
}

/** ½ α ‖w‖², added to the mean loss. */
export function l2(alpha = 1): Penalty<"l2"> {
  return penalty("l2", { l2: notNegative("l2", "alpha", alpha) }, { name: "l2", alpha });
}

/** α ‖w‖₁, added to the mean loss. */
export function l1(alpha = 1): Penalty<"l1"> {
  return penalty("l1", { l1: notNegative("l1", "alpha", alpha) }, { name: "l1", alpha });
}

/** α (ρ ‖w‖₁ + ½ (1 − ρ) ‖w‖²), added to the mean loss; ρ = l1Ratio. */
export function elasticNet(alpha = 1, l1Ratio = 0.5): Penalty<"elasticNet"> {
  notNegative("elasticNet", "alpha", alpha);
  if (!(Number.isFinite(l1Ratio) && l1Ratio >= 0 && l1Ratio <= 1)) {
    throw new ParameterError("elasticNet", "l1Ratio", "a number ≥ 0 and ≤ 1", show(l1Ratio));
  }
  const parts = { l1: alpha * l1Ratio, l2: alpha * (1 - l1Ratio) };
  return penalty("elasticNet", parts, { name: "elasticNet", alpha, l1Ratio });
}

/** w ~ N(0, σ²): ‖w‖² / 2σ² added to the summed loss. Ridge, spelled as a prior. */
export function gaussianPrior(sigma = 1): Penalty<"l2"> {
  const l2 = 1 / positive("gaussianPrior", "sigma", sigma) ** 2;
  return penalty("l2", { per: "sum", l2 }, { name: "gaussianPrior", sigma });
}

/** w ~ Laplace(0, b): ‖w‖₁ / b added to the summed loss. Lasso, spelled as a prior. */
export function laplacePrior(b = 1): Penalty<"l1"> {
  return penalty("l1", { per: "sum", l1: 1 / positive("laplacePrior", "b", b) }, { name: "laplacePrior", b });
}

/** The constraint ‖w‖₂ ≤ radius. */
export function l2Ball(radius: number): Penalty<"l2Ball"> {
  return penalty("l2Ball", { radius: positive("l2Ball", "radius", radius) }, { name: "l2Ball", radius });
}

/** The constraint ‖w‖₁ ≤ radius. */
export function l1Ball(radius: number): Penalty<"l1Ball"> {
  return penalty("l1Ball", { radius: positive("l1Ball", "radius", radius) }, { name: "l1Ball", radius });
}
