import { isMarginLoss, type Loss } from "./loss.js";

/** How far targets are from the best constant, which is 0 where there is no intercept. */
export function halfSpread(y: Float64Array, intercept: boolean): number {
  let least = intercept ? Infinity : 0;
  let most = intercept ? -Infinity : 0;
  for (let i = 0; i < y.length; i++) {
    if (y[i]! < least) least = y[i]!;
    if (y[i]! > most) most = y[i]!;
  }
  // Halves first: the difference of the largest doubles is not finite.
  return intercept ? most / 2 - least / 2 : Math.max(most, -least);
}

/**
 * A tube that contains all targets around a constant leaves nothing to learn: the minimum has w = 0 and costs nothing. Returns
 * no warning where all targets are equal.
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

/** Three digits are enough to compare by eye. */
export const round = (value: number): number => Number(value.toPrecision(3));
