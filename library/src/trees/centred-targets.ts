import { DataError, ParameterError, show } from "../core/errors.js";
import { severalTargets, type TreeTargets } from "../numeric/trees/grow-tree.js";
import type { TreeTargetCriterion } from "./impurities.js";

/**
 * Targets minus a number near their mean, so that a large mean costs no precision; Poisson targets must be counts and are not centred.
 * The number has few significant bits, so that sums of integers stay exact and equally good splits have equal scores in any row order.
 */
export function centredTargets(
  where: string,
  y: Float64Array,
  criterion: TreeTargetCriterion,
  name: TargetName = { list: "y", entry: (i) => `y[${i}]` },
): { targets: Float64Array; uncentred: (value: number) => number } {
  if (criterion === "poisson") {
    requireCounts(where, y, name);
    return { targets: y, uncentred: (value) => value };
  }
  const mean = y.reduce((sum, v) => sum + v / y.length, 0);
  const spread = y.reduce((most, v) => Math.max(most, Math.abs(v - mean)), 0);
  const centre = targetCentre(where, mean, spread, name.list);
  return { targets: y.map((v) => v - centre), uncentred: (value) => value + centre };
}

/** Throws for targets that have no Poisson deviance; the least and the largest of them are enough. */
export function requireCounts(where: string, y: Float64Array, name: TargetName): void {
  const wrong = y.findIndex((v) => v < 0);
  if (wrong < 0 && y.some((v) => v > 0)) return;
  const expected = "≥ 0, and not 0 everywhere, with the poisson criterion";
  const received = wrong >= 0 ? show(y[wrong]) : "all zeros";
  throw new DataError(where, wrong >= 0 ? name.entry(wrong) : name.list, expected, received);
}

/** The number that targets are centred at; `spread` is the largest distance from the mean. */
export function targetCentre(where: string, mean: number, spread: number, name: string): number {
  if (spread < MAX_SPREAD) return roundedMean(mean, spread);
  const expected = `within ${MAX_SPREAD} of its mean, so that sums of squares are finite`;
  throw new DataError(where, name, expected, "larger numbers");
}

/** What errors call a target and its entries. */
interface TargetName {
  readonly list: string;
  entry(i: number): string;
}

/** The same for the columns of a matrix Y; `uncentred` gets the place of a value among those of all nodes. */
export function centredColumns(
  where: string,
  columns: readonly Float64Array[],
  criterion: TreeTargetCriterion,
): { targets: TreeTargets; uncentred: (value: number, e: number) => number } {
  if (criterion === "absoluteError") {
    const expected = '"squaredError" or "poisson" for several targets';
    throw new ParameterError(where, "criterion", expected, show(criterion));
  }
  const each = columns.map((column, t) => {
    const name = { list: `column ${t} of Y`, entry: (i: number) => `Y[${i}][${t}]` };
    return centredTargets(where, column, criterion, name);
  });
  const centred = each.map(({ targets }) => targets);
  return {
    targets: each.length === 1 ? { y: centred[0]! } : severalTargets(centred),
    uncentred: (value, e) => each[e % each.length]!.uncentred(value),
  };
}

/** The mean, rounded to a multiple of a power of two that is about a hundredth of the spread. */
function roundedMean(mean: number, spread: number): number {
  // A hundredth of a smaller spread is not representable.
  if (spread < 1e-300) return mean;
  let grid = 1;
  while (grid > spread) grid /= 2;
  while (2 * grid <= spread) grid *= 2;
  const centre = Math.round((128 * mean) / grid) * (grid / 128);
  return Number.isFinite(centre) ? centre : mean;
}

/** The sum of the squares of this over as many rows as an array can have is finite. */
const MAX_SPREAD = 1e148;
