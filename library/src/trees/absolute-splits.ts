import type { Random } from "../core/random.js";
import type { Matrix } from "../data/matrix.js";
import type { TreeControls } from "../numeric/trees/grow-tree.js";
import { Deviations, weightedMedian } from "./absolute-error.js";

/** What is learned from: rows, how many categories each column has (0: numbers), targets and weights. */
export interface AbsoluteProblem {
  readonly x: Matrix;
  readonly categories: Int32Array;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly controls: TreeControls;
  /** Room for the place of every row of a node among its targets, by the row's number; nodes take turns. */
  readonly ranks: Int32Array;
}

/** A question, what both sides of it hold (Σ w|y − m|), and the rows that answer yes. */
export interface AbsoluteSplit {
  readonly column: number;
  readonly held: number;
  readonly threshold: number;
  /** Ascending; absent for a threshold. */
  readonly listed: readonly number[] | undefined;
  readonly missingLeft: boolean;
  readonly left: Int32Array;
}

/** Splits whose sums differ by less than this part of the node's are as good: sums in another order round by less. */
const EQUAL = 1e-12;

/** Rows of a node, in the order of their targets, and what they hold. */
export class AbsoluteNode {
  readonly rows: Int32Array;
  readonly weight: number;
  readonly median: number;
  /** Σ w|y − m|. */
  readonly held: number;
  readonly #problem: AbsoluteProblem;

  constructor(problem: AbsoluteProblem, rows: Int32Array) {
    this.#problem = problem;
    this.rows = rows;
    const { y } = problem;
    this.weight = rows.reduce((sum, i) => sum + this.#weightOf(i), 0);
    this.median = weightedMedian(rows, y, (i) => this.#weightOf(i));
    this.held = rows.reduce((sum, i) => sum + this.#weightOf(i) * Math.abs(y[i]! - this.median), 0);
  }

  #weightOf(row: number): number {
    return this.#problem.weights ? this.#problem.weights[row]! : 1;
  }

  /** The best question about the first `most` columns in the given order, and more only while none could be asked about; the first of equal ones. */
  best(order: Iterable<number>, most: number, random: Random): AbsoluteSplit | undefined {
    this.rows.forEach((i, rank) => {
      this.#problem.ranks[i] = rank;
    });
    let best: AbsoluteSplit | undefined;
    let looked = 0;
    let any = false;
    for (const column of order) {
      if (looked++ >= most && any) break;
      const { present, missing } = this.#parts(column);
      if (present.length === 0 || (missing.length === 0 && this.#isConstant(column, present))) continue;
      any = true;
      const split = this.#bestOf(column, present, missing, random);
      if (split && (!best || split.held < best.held - EQUAL * this.held)) best = split;
    }
    return best;
  }

  #isConstant(column: number, rows: readonly number[]): boolean {
    const { x } = this.#problem;
    const first = x.at(rows[0]!, column);
    return rows.every((i) => x.at(i, column) === first);
  }

  #parts(column: number): { present: number[]; missing: number[] } {
    const { x } = this.#problem;
    const present: number[] = [];
    const missing: number[] = [];
    for (const i of this.rows) (Number.isNaN(x.at(i, column)) ? missing : present).push(i);
    return { present, missing };
  }

  #bestOf(
    column: number,
    present: number[],
    missing: readonly number[],
    random: Random,
  ): AbsoluteSplit | undefined {
    const { x, categories, controls } = this.#problem;
    if (categories[column]! > 0) return this.#byCategories(column, present, missing);
    if (controls.random) return this.#drawn(column, present, random);
    const value = (i: number) => x.at(i, column);
    present.sort((a, b) => value(a) - value(b));
    const found = this.#scan(present, missing, (a, b) => value(a) !== value(b));
    if (!found) return undefined;
    const threshold =
      found.count === present.length
        ? Number.MAX_VALUE
        : between(value(present[found.count - 1]!), value(present[found.count]!));
    return this.#split(column, found, present, missing, threshold, undefined);
  }

  /** Categories in the order of their medians: an approximation, as no order is the best one for absolute errors. */
  #byCategories(column: number, present: number[], missing: readonly number[]): AbsoluteSplit | undefined {
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
    const listed = [...new Set(rows.slice(0, found.count).map((i) => x.at(i, column)))].sort((a, b) => a - b);
    return this.#split(column, found, rows, missing, 0, listed);
  }

  /** A threshold drawn evenly between the least and the greatest value; missing values to the right. */
  #drawn(column: number, present: readonly number[], random: Random): AbsoluteSplit | undefined {
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
    const held = sides[0].held + sides[1].held;
    return { column, held, threshold, listed: undefined, missingLeft: false, left };
  }

  /** How many of the rows, in their order, go left: all prefixes that end where `differ` says so, missing values on either side. */
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
        const held = lefts.held[count]! + rights.held[other]!;
        if (!this.#isAllowed(count + extra, lefts.weight[count]!, rights.weight[other]!)) continue;
        if (!best || held < best.held - EQUAL * this.held) best = { count, held, missingLeft };
      }
    }
    return best;
  }

  #isAllowed(left: number, leftWeight: number, rightWeight: number): boolean {
    const { minLeaf, minWeight } = this.#problem.controls;
    const enough = left >= minLeaf && this.rows.length - left >= minLeaf;
    return enough && leftWeight >= minWeight && rightWeight >= minWeight;
  }

  /** What the first 0, 1, 2, … rows hold and weigh, together with some others. */
  #prefixes(
    rows: readonly number[],
    others: readonly number[],
    deviations: Deviations,
  ): { held: Float64Array; weight: Float64Array } {
    const { ranks } = this.#problem;
    const held = new Float64Array(rows.length + 1);
    const weight = new Float64Array(rows.length + 1);
    deviations.clear();
    for (const i of others) deviations.add(ranks[i]!, this.#weightOf(i));
    for (let count = 0; count <= rows.length; count++) {
      if (count > 0) deviations.add(ranks[rows[count - 1]!]!, this.#weightOf(rows[count - 1]!));
      held[count] = deviations.weight > 0 ? deviations.total() : 0;
      weight[count] = deviations.weight;
    }
    return { held, weight };
  }

  #split(
    column: number,
    { count, held, missingLeft }: Found,
    rows: readonly number[],
    missing: readonly number[],
    threshold: number,
    listed: readonly number[] | undefined,
  ): AbsoluteSplit {
    const goes = new Set(rows.slice(0, count));
    if (missingLeft) for (const i of missing) goes.add(i);
    const left = this.rows.filter((i) => goes.has(i));
    // Where nothing was missing, what is missing later goes with the heavier side.
    const weight = left.reduce((sum, i) => sum + this.#weightOf(i), 0);
    const later = missing.length > 0 ? missingLeft : weight > this.weight - weight;
    return { column, held, threshold, listed, missingLeft: later, left };
  }
}

interface Found {
  readonly count: number;
  readonly held: number;
  readonly missingLeft: boolean;
}

/** Half-way; between neighbours among doubles there is nothing, and the lower one belongs to the left. */
function between(low: number, high: number): number {
  const middle = low + 0.5 * (high - low);
  return middle < high ? middle : low;
}
