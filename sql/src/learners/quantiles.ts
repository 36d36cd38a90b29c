import type { Ranked, Weighed } from "argmax/sums";
import {
  type Comparison,
  choose,
  compare,
  type Expression,
  isNull,
  nothing,
  number,
  when,
} from "../expressions/expression.js";
import { type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../fit/training-rows.js";

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

/** Intervals that a pass divides a column into, or two per place where there are more places. */
const INTERVALS = 64;
/** The most of them, which the text of a statement still holds for many columns. */
const MOST_INTERVALS = 2048;
/** Rows that are few enough to ask for the numbers themselves. */
const FEW = 2048;

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
function column({ count, total }: ColumnRange, at: (place: Place) => number) {
  return {
    length: count,
    at: (rank: number) => at({ weight: rank, orEqual: false }),
    weighed: {
      total,
      beyond: (weight: number) => at({ weight, orEqual: false }),
      reaching: (weight: number) => at({ weight, orEqual: true }),
    },
  };
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
  let open = ranges.map(({ count, least, greatest }, j): readonly Bracket[] =>
    count === 0 || asked[j]!.length === 0
      ? []
      : [{ low: least, high: greatest, count, before: 0, places: asked[j]! }],
  );
  for (let pass = 0; ; pass++) {
    open = open.map((brackets, j) => brackets.filter((bracket) => !isFound(bracket, found[j]!)));
    const left = [...open.keys()].filter((j) => open[j]!.length > 0);
    if (left.length === 0) return found;
    const answers = await rows.several(left.map((j) => queryOf(rows, columns[j]!, open[j]!, pass)));
    const next = [...open];
    left.forEach((j, e) => {
      next[j] = narrowed(open[j]!, answers[e]!);
    });
    open = next;
  }
}

function isFound({ low, high, places }: Bracket, found: Map<string, number>): boolean {
  if (low !== high) return false;
  for (const place of places) found.set(keyOf(place), low);
  return true;
}

function queryOf(rows: TrainingRows, x: Expression, brackets: readonly Bracket[], pass: number): SumQuery {
  const count = brackets.reduce((sum, bracket) => sum + bracket.count, 0);
  const places = brackets.reduce((sum, bracket) => sum + bracket.places.length, 0);
  const intervals = Math.min(MOST_INTERVALS, Math.max(INTERVALS, 2 * places));
  const isFew = count <= Math.max(FEW, intervals);
  const each = isFew ? 0 : Math.max(1, Math.floor(intervals / brackets.length) - 1);
  let region = 0;
  const edges = brackets.flatMap((bracket): Edge[] => [
    { op: "<", at: bracket.low, region: nothing },
    ...[...cuts(bracket, each, pass), bracket.high].map(
      (at): Edge => ({ op: "<=", at, region: isFew ? x : number(region++) }),
    ),
  ]);
  return {
    groupBy: [{ of: regionOf(x, edges), type: "number" }],
    aggregates: [sumOf(rows.weight), { kind: "min", of: x }, { kind: "max", of: x }],
  };
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

/** `count` cuts between the ends of a bracket: half of them at equal distances, half at equal numbers of doubles between, for long tails. */
function cuts({ low, high }: Bracket, count: number, pass: number): readonly number[] {
  const even = count === 1 ? pass % 2 : count >> 1;
  const spread = count - even;
  const [from, to] = [ordinal(low), ordinal(high)];
  const made = [
    ...Array.from({ length: even }, (_, c) => {
      const share = (c + 1) / (even + 1);
      return low * (1 - share) + high * share;
    }),
    ...Array.from({ length: spread }, (_, c) =>
      doubleAt(from + ((to - from) * BigInt(c + 1)) / BigInt(spread + 1)),
    ),
  ];
  return [...new Set(made.filter((cut) => cut >= low && cut < high))].sort((a, b) => a - b);
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
