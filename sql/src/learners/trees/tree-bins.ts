import { DataError } from "argmax/core";
import { BINNED_ROWS, binColumns, Random, type TreeBins } from "argmax/sums";
import { compare, type Expression, number, shared, sum, when } from "../../expressions/expression.js";
import { sumOf } from "../../expressions/sums.js";
import { binOf } from "./bins.js";
import { placeOfRow, sampleOf } from "./sample.js";
import { categoriesOf, type TableRows } from "./table-rows.js";

/** Bins of a column, as many as those of boosting. */
const MOST_BINS = 255;

/** A binned column, and the bin of a row. */
export interface BinnedColumns {
  readonly bins: readonly TreeBins[];
  readonly keys: readonly Expression[];
}

/** Bins of all columns: one per value where there are few, else quantiles of a sample. `count`: the number of rows. */
export async function treeBins(
  table: TableRows,
  categorical: readonly number[],
  count: number,
): Promise<BinnedColumns> {
  const { rows, x } = table;
  await requireNoInfinity(table);
  const place = count > BINNED_ROWS ? await placeOfRow(rows, x) : undefined;
  const [sample, categories] = await Promise.all([
    sampleOf(table, count, place, 0),
    categoriesOf(table, categorical),
  ]);
  const edges = binColumns(rows.where, sample, null, [], MOST_BINS, new Random(0), undefined);
  const values = x.map((_, j) => (categories.has(j) ? null : distinct(sample.column(j))));
  // A sample may lack values that are rare.
  const few = count > BINNED_ROWS ? [...x.keys()].filter((j) => values[j] !== null) : [];
  const asked = few.map((j) => ({ groupBy: [{ of: x[j]!, type: "number" as const }], aggregates: [] }));
  const answers = few.length > 0 ? await rows.several(asked) : [];
  for (const [e, j] of few.entries())
    values[j] = distinct(answers[e]!.flatMap(({ keys }) => (keys[0] === null ? [] : [Number(keys[0])])));
  const bins = x.map((_, j): TreeBins => {
    const codes = categories.get(j);
    if (codes) return categoryBins(table, j, codes);
    const own = values[j];
    if (!own)
      return {
        count: edges[j]!.edges.length + 1,
        edges: edges[j]!.edges,
        values: undefined,
        categories: undefined,
      };
    return { count: Math.max(1, own.length), edges: between(own), values: own, categories: undefined };
  });
  const keys = bins.map(({ edges: own, categories: codes }, j) =>
    binOf(x[j]!, { edges: codes ? Float64Array.from(codes) : own, categorical: codes !== undefined }),
  );
  return { bins, keys };
}

/** The values of a list, ascending, without gaps; null if there are too many of them. */
function distinct(list: ArrayLike<number>): Float64Array | null {
  const seen = new Set<number>();
  for (let i = 0; i < list.length && seen.size <= MOST_BINS; i++)
    if (!Number.isNaN(list[i])) seen.add(list[i]!);
  return seen.size > MOST_BINS ? null : Float64Array.from(seen).sort();
}

/** Midpoints of neighbours; the lower one where there is no number between them. */
const between = (values: Float64Array): Float64Array =>
  values.subarray(1).map((high, b) => {
    const low = values[b]!;
    const middle = low + 0.5 * (high - low);
    return middle < high ? middle : low;
  });

/** Limit of categories per column: every leaf has sums of all of them. */
const MOST_CATEGORIES = 65_535;

function categoryBins({ rows }: TableRows, j: number, codes: Float64Array): TreeBins {
  const column = `column ${rows.nameOf(j)}`;
  if (codes.length > MOST_CATEGORIES)
    throw new DataError(rows.where, column, `of at most ${MOST_CATEGORIES} categories`, `${codes.length}`);
  const wrong = codes.find((code) => !(Number.isInteger(code) && code >= 0 && code < 2 ** 24));
  if (wrong !== undefined)
    throw new DataError(
      rows.where,
      `a category of ${column}`,
      `an integer from 0 to ${2 ** 24 - 1}`,
      String(wrong),
    );
  return {
    count: codes.length,
    edges: new Float64Array(),
    values: undefined,
    categories: Int32Array.from(codes),
  };
}

/** Thresholds are midpoints, which infinite values do not have. */
async function requireNoInfinity({ rows, x }: TableRows): Promise<void> {
  const unknown = x.filter((e) => !rows.passes.isFinite(e.kind === "shared" ? e.of : e));
  if (unknown.length === 0) return;
  const isFar = (e: Expression) =>
    sum([Infinity, -Infinity].map((end) => when(compare(e, "=", number(end)), number(1), number(0))));
  const [group] = await rows.sums({ groupBy: [], aggregates: unknown.map((e) => sumOf(shared(isFar(e)))) });
  const at = group?.values.findIndex((count) => count > 0) ?? -1;
  if (at < 0) return;
  const column = `column ${rows.nameOf(x.indexOf(unknown[at]!))}`;
  throw new DataError(
    rows.where,
    column,
    "finite, or a gap for a missing value",
    `±Infinity in ${group!.values[at]} rows`,
  );
}
