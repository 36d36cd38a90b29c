/** All splits of a node that trees promise to choose from, by trying each: what the kernels are compared with. */

/** What larger is better of: the two sides of a split. */
export type SplitScore = (left: readonly number[], right: readonly number[]) => number;

/** Statistic by which the categories of a column are ordered: the proportion of a class, the mean or the median of the targets. */
export type CategoryOrder = (rows: readonly number[]) => number;

type Rows = readonly number[];
interface Sides {
  readonly left: Rows;
  readonly right: Rows;
}

/** Both ways to send missing values, where there are any; a side may consist of them alone. */
function* withMissing(left: Rows, right: Rows, missing: Rows): Generator<Sides> {
  yield { left, right: [...right, ...missing] };
  if (missing.length > 0) yield { left: [...left, ...missing], right };
}

/** Every threshold of a column. */
export function* thresholdSides(column: Rows): Generator<Sides> {
  const all = column.map((_, i) => i);
  const missing = all.filter((i) => Number.isNaN(column[i]!));
  const present = all.filter((i) => !Number.isNaN(column[i]!));
  for (const threshold of new Set(present.map((i) => column[i]!))) {
    const left = present.filter((i) => column[i]! <= threshold);
    const right = present.filter((i) => column[i]! > threshold);
    yield* withMissing(left, right, missing);
  }
}

/** Every group of categories, missing values being one: 2^C ways. */
export function* subsetSides(column: Rows): Generator<Sides> {
  const all = column.map((_, i) => i);
  const codes = [...new Set(column)];
  for (let mask = 1; mask < 2 ** codes.length - 1; mask++) {
    const goes = (i: number) => ((mask >> codes.findIndex((code) => Object.is(code, column[i]))) & 1) === 1;
    yield { left: all.filter(goes), right: all.filter((i) => !goes(i)) };
  }
}

/** The first categories by each of the given orders. */
export function* orderedSides(column: Rows, orders: readonly CategoryOrder[]): Generator<Sides> {
  const all = column.map((_, i) => i);
  const missing = all.filter((i) => Number.isNaN(column[i]!));
  const codes = [...new Set(column)].filter((code) => !Number.isNaN(code)).sort((a, b) => a - b);
  const rowsOf = new Map(codes.map((code) => [code, all.filter((i) => column[i] === code)]));
  for (const order of orders) {
    const statistic = new Map(codes.map((code) => [code, order(rowsOf.get(code)!)]));
    const sorted = codes.toSorted((a, b) => statistic.get(a)! - statistic.get(b)! || a - b);
    for (let count = 1; count <= sorted.length; count++) {
      const left = sorted.slice(0, count).flatMap((code) => rowsOf.get(code)!);
      const right = sorted.slice(count).flatMap((code) => rowsOf.get(code)!);
      yield* withMissing(left, right, missing);
    }
  }
}

/** The largest score of the given splits with at least `minLeaf` rows on both sides; −∞ if there is none. */
export function bestScore(sides: Iterable<Sides>, score: SplitScore, minLeaf = 1): number {
  let best = -Infinity;
  for (const { left, right } of sides) {
    if (left.length < Math.max(1, minLeaf) || right.length < Math.max(1, minLeaf)) continue;
    best = Math.max(best, score(left, right));
  }
  return best;
}

/** Rows of X on both sides of a tree's split. */
export function sidesOf(
  X: readonly Rows[],
  split: {
    readonly feature: number;
    readonly threshold?: number;
    readonly categories?: Int32Array;
    readonly missingLeft: boolean;
  },
): Sides {
  const all = X.map((_, i) => i);
  const goes = (i: number) => {
    const value = X[i]![split.feature]!;
    if (Number.isNaN(value)) return split.missingLeft;
    return split.categories ? split.categories.includes(value) : value <= split.threshold!;
  };
  return { left: all.filter(goes), right: all.filter((i) => !goes(i)) };
}
