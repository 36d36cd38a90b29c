import { DataError } from "argmax/core";
import { LARGEST_SHIFT } from "argmax/sums";
import {
  choose,
  compare,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
} from "../expressions/expression.js";
import { type Aggregate, type GroupKey, sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** Moments of columns over the rows of one group. */
export interface GroupMoments {
  /** Σ w. */
  readonly total: number;
  /** The number of rows. */
  readonly count: number;
  readonly mean: Float64Array;
  /** Σ w (x − mean)²; for `cross`, Σ w (x − mean)(x' − mean')ᵀ, d × d. */
  readonly squares: Float64Array;
}

export interface MomentsOptions {
  /** A key of groups 0, 1, … and their number; one group of all rows unless given. */
  readonly by?: { readonly key: Expression; readonly groups: number } | undefined;
  /** Whether products of columns are summed too. */
  readonly cross?: boolean | undefined;
}

/**
 * Means and centred second moments of columns by group, in two passes: raw squares would lose all digits of columns far from 0. The
 * first pass finds a centre c near the data, the second sums around it, and sums are moved to the mean m exactly:
 *
 *   Σ w (x − m)(x − m)ᵀ = Σ w (x − c)(x − c)ᵀ − W (m − c)(m − c)ᵀ
 *
 * c is the mean of all rows, those of left-out folds included, so that folds ask the same queries. Groups that lie many deviations away from
 * it are summed again around their own means.
 */
export async function groupMoments(
  rows: TrainingRows,
  columns: readonly Expression[],
  { by, cross = false }: MomentsOptions = {},
): Promise<[GroupMoments, ...GroupMoments[]]> {
  const centres = await rows.centres(columns);
  const around = columns.map((x, j) => shared(subtract(x, number(centres[j]!))));
  const first = await sumsAround(rows, around, by, cross);
  const moments = several(first.map((group) => moved(group, centres, columns.length, cross)));
  requireFiniteMoments(rows, columns, moments);
  if (!moments.some(({ far }) => far)) return moments;
  const own = columns.map((x, j) => {
    const centre = by
      ? choose(
          moments.map(({ mean }, g) => ({ test: compare(by.key, "=", number(g)), value: number(mean[j]!) })),
        )
      : number(moments[0]!.mean[j]!);
    return shared(subtract(x, centre));
  });
  const second = await sumsAround(rows, own, by, cross);
  return several(second.map((group, g) => moved(group, moments[g]!.mean, columns.length, cross)));
}

/** Refuses columns whose squares overflow: their moments would be ±Infinity or NaN. */
export function requireFiniteMoments(
  rows: TrainingRows,
  columns: readonly Expression[],
  moments: readonly Pick<GroupMoments, "mean" | "squares">[],
): void {
  const d = columns.length;
  const j = columns.findIndex((_, j) =>
    moments.some(({ mean, squares }) => {
      const square = squares[squares.length > d ? j * d + j : j]!;
      return !Number.isFinite(mean[j]!) || !Number.isFinite(square);
    }),
  );
  if (j < 0) return;
  const place = rows.x.indexOf(columns[j]!);
  const subject = place < 0 ? "y" : `column ${rows.nameOf(place)}`;
  const advice = "Scale it (MaxAbsScaler), or divide it by a constant in the query.";
  throw new DataError(rows.where, subject, "small enough for sums of squares", "larger numbers", advice);
}

interface CentredSums {
  readonly count: number;
  readonly total: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

async function sumsAround(
  rows: TrainingRows,
  around: readonly Expression[],
  by: MomentsOptions["by"],
  cross: boolean,
): Promise<CentredSums[]> {
  const d = around.length;
  const products: Aggregate[] = [];
  for (let j = 0; j < d; j++)
    for (let l = j; l < (cross ? d : j + 1); l++)
      products.push(sumOf(rows.weighted(multiply(around[j]!, around[l]!))));
  const aggregates = [sumOf(rows.weight), ...around.map((u) => sumOf(rows.weighted(u))), ...products];
  const groupBy: GroupKey[] = by ? [{ of: by.key, type: "number" }] : [];
  const groups = await rows.sums({ groupBy, aggregates });
  return Array.from({ length: by?.groups ?? 1 }, (_, g) => {
    const found = groups.find(({ keys }) => !by || Number(keys[0]) === g);
    const values = found?.values ?? new Float64Array(aggregates.length);
    return {
      count: found?.count ?? 0,
      total: values[0]!,
      first: values.slice(1, 1 + d),
      second: cross ? mirrored(values.subarray(1 + d), d) : values.slice(1 + d),
    };
  });
}

/** The upper triangle, row by row, as a whole matrix. */
function mirrored(triangle: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let j = 0, e = 0; j < d; j++)
    for (let l = j; l < d; l++, e++) {
      out[j * d + l] = triangle[e]!;
      out[l * d + j] = triangle[e]!;
    }
  return out;
}

/** Moves sums around centres to the means. `far`: the centre was so far away that digits are lost. */
function moved(
  { count, total, first, second }: CentredSums,
  centres: Float64Array,
  d: number,
  cross: boolean,
): GroupMoments & { readonly far: boolean } {
  if (total === 0) return { count, total, mean: new Float64Array(d), squares: second, far: false };
  const shift = first.map((sum) => sum / total);
  const mean = shift.map((change, j) => centres[j]! + change);
  let far = false;
  const squares = second.map((sum, e) => {
    const [j, l] = cross ? [Math.floor(e / d), e % d] : [e, e];
    const rest = sum - shift[j]! * first[l]!;
    if (j !== l) return rest;
    far ||= shift[j]! * first[j]! > LARGEST_SHIFT * Math.max(0, rest);
    return Math.max(0, rest);
  });
  return { count, total, mean, squares, far };
}

const several = <T>(list: readonly T[]) => list as [T, ...T[]];
