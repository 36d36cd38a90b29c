/** Splits by trying all of them: what trees are compared with. */

/** What a tree lowers: the summed impurity (times the weight) of rows with these weights and targets. */
export type Held = (rows: readonly number[]) => number;

const xlogx = (v: number) => (v > 0 ? v * Math.log(v) : 0);
const sumOf = (rows: readonly number[], of: (i: number) => number) => rows.reduce((sum, i) => sum + of(i), 0);

/** Gini, entropy and node error of classes 0 … K − 1. */
export function classHeld(criterion: string, codes: readonly number[], weights: readonly number[]): Held {
  const K = Math.max(...codes) + 1;
  return (rows) => {
    const counts = Array.from({ length: K }, (_, k) =>
      sumOf(rows, (i) => (codes[i] === k ? weights[i]! : 0)),
    );
    const total = counts.reduce((sum, v) => sum + v, 0);
    if (total === 0) return 0;
    if (criterion === "gini") return total - counts.reduce((sum, v) => sum + v * v, 0) / total;
    if (criterion === "nodeError") return total - Math.max(...counts);
    return xlogx(total) - counts.reduce((sum, v) => sum + xlogx(v), 0);
  };
}

/** Squared error around the weighted mean, absolute error around a weighted median, or half the Poisson deviance, which allows no side without an event. */
export function targetHeld(criterion: string, y: readonly number[], weights: readonly number[]): Held {
  return (rows) => {
    const total = sumOf(rows, (i) => weights[i]!);
    const sum = sumOf(rows, (i) => weights[i]! * y[i]!);
    if (total === 0) return 0;
    if (criterion === "squaredError") return sumOf(rows, (i) => weights[i]! * (y[i]! - sum / total) ** 2);
    if (criterion === "absoluteError") {
      // The median is one of the targets.
      const errors = rows.map((m) => sumOf(rows, (i) => weights[i]! * Math.abs(y[i]! - y[m]!)));
      return Math.min(...errors);
    }
    return sum > 0 ? sumOf(rows, (i) => weights[i]! * xlogx(y[i]!)) - sum * Math.log(sum / total) : Infinity;
  };
}

/** The least that two sides can hold: thresholds of every column, missing values on either side, or alone. */
export function bestThreshold(X: readonly (readonly number[])[], held: Held): number {
  const all = X.map((_, i) => i);
  let best = Infinity;
  for (let j = 0; j < X[0]!.length; j++) {
    const missing = all.filter((i) => Number.isNaN(X[i]![j]!));
    const present = all.filter((i) => !Number.isNaN(X[i]![j]!));
    const values = [...new Set(present.map((i) => X[i]![j]!))].sort((a, b) => a - b);
    for (const threshold of values) {
      const low = present.filter((i) => X[i]![j]! <= threshold);
      const high = present.filter((i) => X[i]![j]! > threshold);
      for (const [left, right] of [
        [[...low, ...missing], high],
        [low, [...high, ...missing]],
      ] as const) {
        if (left.length > 0 && right.length > 0) best = Math.min(best, held(left) + held(right));
      }
    }
  }
  return best;
}

/** The least that two groups of categories can hold, of all 2^C − 2 ways; NaN is a category that may be alone. */
export function bestSubset(column: readonly number[], held: Held): number {
  const all = column.map((_, i) => i);
  const categories = [...new Set(column)];
  let best = Infinity;
  for (let mask = 1; mask < 2 ** categories.length - 1; mask++) {
    const goes = (i: number) =>
      (mask >> categories.findIndex((category) => Object.is(category, column[i]))) & 1;
    best = Math.min(best, held(all.filter((i) => goes(i) === 1)) + held(all.filter((i) => goes(i) === 0)));
  }
  return best;
}
