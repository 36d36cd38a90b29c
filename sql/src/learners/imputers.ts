import { MissingIndicator, SimpleImputer } from "argmax";
import { DataError, type Json } from "argmax/core";
import { type Category, rankedMedian, refuseFill, sortedCategories, takes } from "argmax/sums";
import { sumOf } from "../expressions/sums.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { type CellCount, cellCounts, gapsIn, requireNoInfinities } from "./cells.js";
import { quantilesOf } from "./quantiles.js";
import { modelState } from "./state.js";

/** The number of gaps of each column. */
async function gapCounts(rows: TrainingRows): Promise<Float64Array> {
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: rows.features.map((column) => sumOf(gapsIn(column))),
  });
  return group!.values;
}

const placesOfGaps = (gaps: Float64Array): number[] => [...gaps.keys()].filter((j) => gaps[j]! > 0);

/** The most frequent cell, of several the first; null where there is none. */
function modeOf(counts: readonly CellCount[]): Category {
  const known = new Map(counts.map(({ value, count }) => [value, count]));
  let best: Category = null;
  for (const value of sortedCategories([...known.keys()]))
    if (value !== null && (best === null || known.get(value)! > known.get(best)!)) best = value;
  return best;
}

type Statistics = readonly (Category | undefined)[];

async function means(rows: TrainingRows, gaps: Float64Array): Promise<Statistics> {
  const sums = await rows.passes.columnSums(rows.x);
  return Array.from(sums, (sum, j) => {
    const count = rows.passes.rows - gaps[j]!;
    if (!Number.isFinite(sum)) refuseSum(rows, j);
    return count === 0 ? null : sum / count;
  });
}

function refuseSum(rows: TrainingRows, j: number): never {
  const advice = 'strategy: "median" needs no sum.';
  throw new DataError(
    rows.where,
    `column ${rows.nameOf(j)}`,
    "of a sum that fits a double",
    "Infinity",
    advice,
  );
}

const medians = (rows: TrainingRows): Promise<Statistics> =>
  quantilesOf(rows, rows.x, (column) => (column.length === 0 ? null : rankedMedian(column)));

async function fills(estimator: SimpleImputer, rows: TrainingRows, gaps: Float64Array): Promise<Statistics> {
  const { strategy, fillValue } = estimator.params;
  switch (strategy) {
    case "constant":
      return rows.features.map(({ kind }, j) => {
        const fill = fillValue ?? { numeric: 0, boolean: false, categorical: "missing_value" }[kind];
        const isEmpty = gaps[j] === rows.passes.rows;
        if (!isEmpty && !takes(kind, fill)) refuseFill(rows.where, `column ${rows.nameOf(j)}`, kind, fill);
        return fill;
      });
    case "mostFrequent":
      return (await cellCounts(rows)).map(modeOf);
    default: {
      const j = rows.features.findIndex(({ kind }) => kind === "categorical");
      if (j >= 0) {
        const expected = `numbers, since text has no ${strategy}`;
        const advice = 'strategy: "mostFrequent" and "constant" fill text too.';
        throw new DataError(rows.where, `column ${rows.nameOf(j)}`, expected, "text", advice);
      }
      return strategy === "mean" ? means(rows, gaps) : medians(rows);
    }
  }
}

export const imputerLearners = [
  learner(
    SimpleImputer,
    async (estimator, rows) => {
      const [gaps] = await Promise.all([gapCounts(rows), requireNoInfinities(rows)]);
      const statistics = (await fills(estimator, rows, gaps)) as Json;
      const kinds = rows.features.map(({ kind }) => kind);
      const values = { kinds, statistics, withGaps: placesOfGaps(gaps) };
      return SimpleImputer.restore(modelState(estimator, rows, values, {}));
    },
    { gaps: true },
  ),
  learner(
    MissingIndicator,
    async (estimator, rows) => {
      const [gaps] = await Promise.all([gapCounts(rows), requireNoInfinities(rows)]);
      const features = estimator.params.features === "all" ? [...gaps.keys()] : placesOfGaps(gaps);
      return MissingIndicator.restore(modelState(estimator, rows, { nFeatures: gaps.length, features }, {}));
    },
    { gaps: true },
  ),
];
