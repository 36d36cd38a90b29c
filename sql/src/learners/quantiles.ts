import type { Ranked, Weighed } from "argmax/sums";
import {
  add,
  type Comparison,
  call,
  choose,
  compare,
  type Expression,
  isNull,
  multiply,
  negative,
  nothing,
  number,
  shared,
  subtract,
  when,
} from "../expressions/expression.js";
import { type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** The smallest number of a column such that the weight of all up to it is more than `weight`, or, with `orEqual`, at least that. */
interface Place {
  readonly weight: number;
  readonly orEqual: boolean;
}

/** What a column holds besides gaps. */
export interface ColumnRange {
  /** The number of rows. */
  readonly count: number;
  /** Σ of their weights. */
  readonly total: number;
  /** NaN where there is no number. */
  readonly least: number;
  readonly greatest: number;
}

/** Rows of a column between two of its numbers, and the places among them. */
interface Bracket {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Weight of all numbers below. */
  readonly before: number;
  readonly places: readonly Place[];
}

/** Intervals that a pass divides a column into: so many for each place that is wanted, within limits. */
const PER_PLACE = 8;
const FEWEST_INTERVALS = 1024;
const MOST_INTERVALS = 16_384;
/** Rows that are few enough to ask for the numbers themselves. */
const FEW = 4096;
const FEW_PER_PLACE = 32;
/** A pass that leaves more than this of the rows has met a long tail: the next one divides by orders of magnitude. */
const POOR = 1 / 8;

/** Ranges of columns, in one pass. */
export async function columnRanges(
  rows: TrainingRows,
  columns: readonly Expression[],
): Promise<readonly ColumnRange[]> {
  const present = (x: Expression, value: Expression) => when(isNull(x), number(0), value);
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: columns.flatMap((of) => [
      sumOf(present(of, number(1))),
      sumOf(present(of, rows.weight)),
      { kind: "min" as const, of },
      { kind: "max" as const, of },
    ]),
  });
  return columns.map((_, j) => {
    const [count = 0, total = 0, least = Number.NaN, greatest = Number.NaN] = group!.values.slice(
      4 * j,
      4 * j + 4,
    );
    return { count, total, least, greatest };
  });
}

/**
 * Exact quantiles of many columns at once, by counting. `of` computes what is wanted from a column: it is called twice, first to see which
 * ranks and weights it asks for, then with the numbers at these.
 */
export async function quantilesOf<T>(
  rows: TrainingRows,
  columns: readonly Expression[],
  of: (column: Ranked & { readonly weighed: Weighed }, range: ColumnRange, j: number) => T,
): Promise<T[]> {
  const ranges = await columnRanges(rows, columns);
  const asked = ranges.map((range, j) => {
    const places = new Map<string, Place>();
    const noted = (place: Place) => {
      places.set(keyOf(place), place);
      return range.least;
    };
    of(column(range, noted), range, j);
    return [...places.values()];
  });
  const found = await numbersAt(rows, columns, ranges, asked);
  return ranges.map((range, j) =>
    of(
      column(range, (place) => found[j]!.get(keyOf(place))!),
      range,
      j,
    ),
  );
}

const keyOf = ({ weight, orEqual }: Place): string => `${weight} ${orEqual}`;

/** A column as functions of order statistics see it. Ranks are weights where every row counts once. */
function column({ count, total, least, greatest }: ColumnRange, at: (place: Place) => number) {
  return {
    length: count,
    at: (rank: number) =>
      rank <= 0 ? least : rank >= count - 1 ? greatest : at({ weight: rank, orEqual: false }),
    weighed: {
      total,
      beyond: (weight: number) => at({ weight, orEqual: false }),
      reaching: (weight: number) => at({ weight, orEqual: true }),
    },
  };
}

/** What is known of a column. */
interface Search {
  readonly brackets: readonly Bracket[];
  /** Whether intervals are of equal width, not of equal orders of magnitude. */
  readonly isEven: boolean;
}

/**
 * The numbers at places, by repeated counting: each pass divides the brackets that are known into intervals, and asks for the weight, the
 * least and the greatest number of each. A bracket is found when these two are equal. Where few rows are left, their numbers themselves
 * are the groups.
 */
async function numbersAt(
  rows: TrainingRows,
  columns: readonly Expression[],
  ranges: readonly ColumnRange[],
  asked: readonly (readonly Place[])[],
): Promise<readonly ReadonlyMap<string, number>[]> {
  const found = ranges.map(() => new Map<string, number>());
  let searches = ranges.map(({ count, least, greatest }, j): Search => {
    const isAsked = count > 0 && asked[j]!.length > 0;
    const all = { low: least, high: greatest, count, before: 0, places: asked[j]! };
    return { brackets: isAsked ? [all] : [], isEven: true };
  });
  for (;;) {
    searches = searches.map(({ brackets, isEven }, j) => ({
      brackets: brackets.filter((bracket) => !isFound(bracket, found[j]!)),
      isEven,
    }));
    const left = [...searches.keys()].filter((j) => searches[j]!.brackets.length > 0);
    if (left.length === 0) return found;
    const answers = await rows.several(left.map((j) => queryOf(rows, columns[j]!, searches[j]!)));
    const next = [...searches];
    left.forEach((j, e) => {
      const { brackets, isEven } = searches[j]!;
      const own = narrowed(brackets, answers[e]!);
      next[j] = { brackets: own, isEven: !isEven || rowsIn(own) <= POOR * rowsIn(brackets) };
    });
    searches = next;
  }
}

const rowsIn = (brackets: readonly Bracket[]): number => brackets.reduce((sum, { count }) => sum + count, 0);

function isFound({ low, high, places }: Bracket, found: Map<string, number>): boolean {
  if (low !== high) return false;
  for (const place of places) found.set(keyOf(place), low);
  return true;
}

function queryOf(rows: TrainingRows, x: Expression, { brackets, isEven }: Search): SumQuery {
  const places = brackets.reduce((sum, bracket) => sum + bracket.places.length, 0);
  const isFew = rowsIn(brackets) <= Math.max(FEW, FEW_PER_PLACE * places);
  const intervals = Math.min(MOST_INTERVALS, Math.max(FEWEST_INTERVALS, PER_PLACE * places));
  const each = Math.max(2, Math.floor(intervals / brackets.length));
  const edges = brackets.flatMap((bracket, b): Edge[] => [
    { op: "<", at: bracket.low, region: nothing },
    {
      op: "<=",
      at: bracket.high,
      region: isFew ? x : add(number(b * (each + 1)), intervalOf(x, bracket, each, isEven)),
    },
  ]);
  return {
    groupBy: [{ of: regionOf(x, edges), type: "number" }],
    aggregates: [sumOf(rows.weight), { kind: "min", of: x }, { kind: "max", of: x }],
  };
}

/** The interval of x, from 0 to `count`: any function that nowhere falls will do. */
function intervalOf(x: Expression, { low, high }: Bracket, count: number, isEven: boolean): Expression {
  const from = isEven ? low : rootOf(low);
  const scale = count / ((isEven ? high : rootOf(high)) - from);
  if (scale > 0 && scale < Infinity)
    return call("floor", multiply(subtract(isEven ? x : root(x), number(from)), number(scale)));
  const middle = doubleAt((ordinal(low) + ordinal(high)) >> 1n);
  return when(compare(x, "<=", number(middle)), number(0), number(1));
}

/** Square roots of square roots, which are rounded alike everywhere: numbers of all orders of magnitude come near ±1. */
const ROOTS = 10;

function rootOf(x: number): number {
  let size = Math.abs(x);
  for (let r = 0; r < ROOTS; r++) size = Math.sqrt(size);
  return x < 0 ? -size : size;
}

function root(x: Expression): Expression {
  let size: Expression = call("abs", x);
  for (let r = 0; r < ROOTS; r++) size = call("sqrt", size);
  const positive = shared(size);
  return when(compare(x, "<", number(0)), negative(positive), positive);
}

/** Numbers that pass an edge, and none before it, are of its region. */
interface Edge {
  readonly op: Extract<Comparison, "<" | "<=">;
  readonly at: number;
  readonly region: Expression;
}

/** The region of x, by halving the edges; NULL beyond the last and for gaps. */
function regionOf(x: Expression, edges: readonly Edge[], beyond: Expression = nothing): Expression {
  if (edges.length === 0) return beyond;
  const middle = edges.length >> 1;
  const { op, at, region } = edges[middle]!;
  const below = regionOf(x, edges.slice(0, middle), region);
  return choose(
    [{ test: compare(x, op, number(at)), value: below }],
    regionOf(x, edges.slice(middle + 1), beyond),
  );
}

const bits = new DataView(new ArrayBuffer(8));

/** The place of a number among all doubles. */
function ordinal(value: number): bigint {
  bits.setFloat64(0, value === 0 ? 0 : value);
  const own = bits.getBigInt64(0);
  return own >= 0n ? own : -(own & 0x7fffffffffffffffn);
}

function doubleAt(place: bigint): number {
  bits.setBigInt64(0, place < 0n ? -place : place);
  const size = bits.getFloat64(0);
  return place < 0n ? -size : size;
}

/** The brackets of the next pass: for each place the interval that it lies in. */
function narrowed(brackets: readonly Bracket[], groups: readonly SumGroup[]): readonly Bracket[] {
  const intervals = groups
    .filter(({ keys }) => keys[0] !== null)
    .map(({ count, values }) => ({ count, weight: values[0]!, low: values[1]!, high: values[2]! }))
    .sort((a, b) => a.low - b.low);
  return brackets.flatMap((bracket) => {
    const own = intervals.filter(({ low }) => low >= bracket.low && low <= bracket.high);
    const places = own.map((): Place[] => []);
    const upTo: number[] = [];
    own.reduce((sum, { weight }, e) => (upTo[e] = sum + weight), bracket.before);
    for (const place of bracket.places) {
      const e = upTo.findIndex((weight) => (place.orEqual ? weight >= place.weight : weight > place.weight));
      // Sums of fractions may round so that no interval reaches the place: it is in the last.
      places[e < 0 ? own.length - 1 : e]!.push(place);
    }
    return own.flatMap(({ low, high, count }, e) =>
      places[e]!.length === 0
        ? []
        : [{ low, high, count, before: e === 0 ? bracket.before : upTo[e - 1]!, places: places[e]! }],
    );
  });
}
