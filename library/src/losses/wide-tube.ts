import { isMarginLoss, type Loss } from "./loss.js";

/** The largest distance of the targets from the best constant, which is 0 without an intercept. */
export function halfSpread(y: Float64Array, intercept: boolean): number {
  let least = intercept ? Infinity : 0;
  let most = intercept ? -Infinity : 0;
  for (let i = 0; i < y.length; i++) {
    if (y[i]! < least) least = y[i]!;
    if (y[i]! > most) most = y[i]!;
  }
  // Halved first: the difference of the largest doubles overflows.
  return intercept ? most / 2 - least / 2 : Math.max(most, -least);
}

/**
 * If a tube around a constant contains all targets, the minimum is at w = 0 with a loss of 0. No warning if all
 * targets are equal.
 */
export function wideTubeWarning(epsilon: number, y: Float64Array, intercept: boolean): string | undefined {
  const width = halfSpread(y, intercept);
  if (!(width > 0 && epsilon >= width)) return undefined;
  return (
    `No row is outside the tube: epsilon = ${epsilon} is not below ${round(width)}, the distance of y from a constant, ` +
    "and the model predicts the same for every row. Lower epsilon, or scale y."
  );
}

/** `wideTubeWarning` for the losses that have a tube. */
export function tubeWarnings(loss: Loss, y: Float64Array, intercept: boolean): string[] {
  if (!isMarginLoss(loss) || loss.tube === undefined) return [];
  const warning = wideTubeWarning(loss.tube, y, intercept);
  return warning === undefined ? [] : [warning];
}

/** Rounds to three digits, for messages. */
export const round = (value: number): number => Number(value.toPrecision(3));
