import type { Random } from "../core/numbers/random.js";
import type { Matrix } from "../data/matrix.js";
import type { TreeControls } from "../numeric/trees/grow-tree.js";
import { Deviations, weightedMedian } from "./absolute-error.js";

/** Training rows and limits of one tree. */
export interface AbsoluteProblem {
  readonly x: Matrix;
  /** Number of categories per column; 0 for a numeric one. */
  readonly categories: Int32Array;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly controls: TreeControls;
  /** Buffer: the rank of each row's target within the current node. */
  readonly ranks: Int32Array;
}

/** A split and its rows on the left. */
export interface AbsoluteSplit {
  readonly column: number;
  /** Σ w|y − m| over both sides. */
  readonly deviation: number;
  readonly threshold: number;
  /** Categories that go left, ascending; undefined for a threshold. */
  readonly categories: readonly number[] | undefined;
  readonly missingLeft: boolean;
  readonly left: Int32Array;
}

/** Splits whose deviations differ by less than this fraction of the node's are ties: that much may be rounding. */
const TIE = 1e-12;

/** A node: its rows in the order of their targets, with their median and deviation. */
export class AbsoluteNode {
  readonly rows: Int32Array;
  readonly weight: number;
  readonly median: number;
  /** Σ w|y − m|. */
  readonly deviation: number;
  readonly #problem: AbsoluteProblem;

  constructor(problem: AbsoluteProblem, rows: Int32Array) {
    this.#problem = problem;
    this.rows = rows;
    const { y } = problem;
    this.weight = rows.reduce((sum, i) => sum + this.#weightOf(i), 0);
    this.median = weightedMedian(rows, y, (i) => this.#weightOf(i));
    this.deviation = rows.reduce((sum, i) => sum + this.#weightOf(i) * Math.abs(y[i]! - this.median), 0);
  }

  #weightOf(row: number): number {
    return this.#problem.weights ? this.#problem.weights[row]! : 1;
  }

  /** The best split among the first `maxFeatures` columns of the order, and more only while all were constant; ties go to the first. */
  best(order: Iterable<number>, maxFeatures: number, random: Random): AbsoluteSplit | undefined {
    this.rows.forEach((i, rank) => {
      this.#problem.ranks[i] = rank;
    });
    let best: AbsoluteSplit | undefined;
    let considered = 0;
    let any = false;
    for (const column of order) {
      if (considered++ >= maxFeatures && any) break;
      const { present, missing } = this.#presentAndMissing(column);
      if (present.length === 0 || (missing.length === 0 && this.#isConstant(column, present))) continue;
      any = true;
      const split = this.#bestSplit(column, present, missing, random);
      if (split && (!best || split.deviation < best.deviation - TIE * this.deviation)) best = split;
    }
    return best;
  }

  #isConstant(column: number, rows: readonly number[]): boolean {
    const { x } = this.#problem;
    const first = x.at(rows[0]!, column);
    return rows.every((i) => x.at(i, column) === first);
  }

  #presentAndMissing(column: number): { present: number[]; missing: number[] } {
    const { x } = this.#problem;
    const present: number[] = [];
    const missing: number[] = [];
    for (const i of this.rows) (Number.isNaN(x.at(i, column)) ? missing : present).push(i);
    return { present, missing };
  }

  #bestSplit(
    column: number,
    present: number[],
    missing: readonly number[],
    random: Random,
  ): AbsoluteSplit | undefined {
    const { x, categories, controls } = this.#problem;
    if (categories[column]! > 0) return this.#splitCategories(column, present, missing);
    if (controls.random) return this.#splitAtRandom(column, present, random);
    const value = (i: number) => x.at(i, column);
    present.sort((a, b) => value(a) - value(b));
    const found = this.#scan(present, missing, (a, b) => value(a) !== value(b));
    if (!found) return undefined;
    const threshold =
      found.count === present.length
        ? Number.MAX_VALUE
        : midpoint(value(present[found.count - 1]!), value(present[found.count]!));
    return this.#split(column, found, present, missing, threshold, undefined);
  }

  /** Categories in the order of their medians: an approximation, since no order is optimal for absolute errors. */
  #splitCategories(column: number, present: number[], missing: readonly number[]): AbsoluteSplit | undefined {
    const { x, y } = this.#problem;
    const groups = new Map<number, number[]>();
    for (const i of present) {
      const code = x.at(i, column);
      const group = groups.get(code);
      if (group) group.push(i);
      else groups.set(code, [i]);
    }
    const medians = new Map<number, number>();
    for (const [code, group] of groups)
      medians.set(
        code,
        weightedMedian(group, y, (i) => this.#weightOf(i)),
      );
    const order = [...groups.keys()].sort((a, b) => medians.get(a)! - medians.get(b)! || a - b);
    const rows = order.flatMap((code) => groups.get(code)!);
    const found = this.#scan(rows, missing, (a, b) => x.at(a, column) !== x.at(b, column));
    if (!found) return undefined;
    const categories = [...new Set(rows.slice(0, found.count).map((i) => x.at(i, column)))].sort(
      (a, b) => a - b,
    );
    return this.#split(column, found, rows, missing, 0, categories);
  }

  /** A threshold drawn uniformly between the smallest and the largest value; missing values go right. */
  #splitAtRandom(column: number, present: readonly number[], random: Random): AbsoluteSplit | undefined {
    const { x, controls } = this.#problem;
    const values = present.map((i) => x.at(i, column));
    const low = values.reduce((least, v) => Math.min(least, v), Infinity);
    const high = values.reduce((most, v) => Math.max(most, v), -Infinity);
    const drawn = low + random.uniform() * (high - low);
    const threshold = drawn < high ? drawn : low;
    const left = this.rows.filter((i) => x.at(i, column) <= threshold);
    const right = this.rows.filter((i) => !(x.at(i, column) <= threshold));
    if (left.length === 0 || right.length === 0) return undefined;
    if (left.length < controls.minLeaf || right.length < controls.minLeaf) return undefined;
    const sides = [new AbsoluteNode(this.#problem, left), new AbsoluteNode(this.#problem, right)] as const;
    if (sides[0].weight < controls.minWeight || sides[1].weight < controls.minWeight) return undefined;
    const deviation = sides[0].deviation + sides[1].deviation;
    return { column, deviation, threshold, categories: undefined, missingLeft: false, left };
  }

  /** The best number of rows, in their order, to send left; rows for which `differ` is false stay together, missing values go to either side. */
  #scan(
    rows: readonly number[],
    missing: readonly number[],
    differ: (a: number, b: number) => boolean,
  ): Found | undefined {
    const deviations = new Deviations(Float64Array.from(this.rows, (i) => this.#problem.y[i]!));
    let best: Found | undefined;
    for (const missingLeft of missing.length > 0 ? [false, true] : [false]) {
      const lefts = this.#prefixes(rows, missingLeft ? missing : [], deviations);
      const rights = this.#prefixes(rows.toReversed(), missingLeft ? [] : missing, deviations);
      const extra = missingLeft ? missing.length : 0;
      for (let count = 1; count <= rows.length; count++) {
        const isEnd = count === rows.length;
        if (isEnd ? missing.length === 0 || missingLeft : !differ(rows[count - 1]!, rows[count]!)) continue;
        const other = rows.length - count;
        const deviation = lefts.deviation[count]! + rights.deviation[other]!;
        if (!this.#isAllowed(count + extra, lefts.weight[count]!, rights.weight[other]!)) continue;
        if (!best || deviation < best.deviation - TIE * this.deviation)
          best = { count, deviation, missingLeft };
      }
    }
    return best;
  }

  #isAllowed(left: number, leftWeight: number, rightWeight: number): boolean {
    const { minLeaf, minWeight } = this.#problem.controls;
    const enough = left >= minLeaf && this.rows.length - left >= minLeaf;
    return enough && leftWeight >= minWeight && rightWeight >= minWeight;
  }

  /** Deviation and weight of the first 0, 1, 2, … rows, together with `others`. */
  #prefixes(
    rows: readonly number[],
    others: readonly number[],
    deviations: Deviations,
  ): { deviation: Float64Array; weight: Float64Array } {
    const { ranks } = this.#problem;
    const deviation = new Float64Array(rows.length + 1);
    const weight = new Float64Array(rows.length + 1);
    deviations.clear();
    for (const i of others) deviations.add(ranks[i]!, this.#weightOf(i));
    for (let count = 0; count <= rows.length; count++) {
      if (count > 0) deviations.add(ranks[rows[count - 1]!]!, this.#weightOf(rows[count - 1]!));
      deviation[count] = deviations.weight > 0 ? deviations.total() : 0;
      weight[count] = deviations.weight;
    }
    return { deviation, weight };
  }

  #split(
    column: number,
    { count, deviation, missingLeft }: Found,
    rows: readonly number[],
    missing: readonly number[],
    threshold: number,
    categories: readonly number[] | undefined,
  ): AbsoluteSplit {
    const leftRows = new Set(rows.slice(0, count));
    if (missingLeft) for (const i of missing) leftRows.add(i);
    const left = this.rows.filter((i) => leftRows.has(i));
    // Without missing values in fit, those in predict go to the heavier side.
    const weight = left.reduce((sum, i) => sum + this.#weightOf(i), 0);
    const later = missing.length > 0 ? missingLeft : weight > this.weight - weight;
    return { column, deviation, threshold, categories, missingLeft: later, left };
  }
}

interface Found {
  readonly count: number;
  readonly deviation: number;
  readonly missingLeft: boolean;
}

/** The midpoint, or `low` if there is no double between the two: the threshold itself goes left. */
function midpoint(low: number, high: number): number {
  const middle = low + 0.5 * (high - low);
  return middle < high ? middle : low;
}
