import { MaxAbsScaler, MinMaxScaler, QuantileTransformer, RobustScaler, StandardScaler } from "argmax";
import { DataError } from "argmax/core";
import { isRoundingNoise, robustStatistics, spacedQuantiles } from "argmax/sums";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { groupMoments } from "./moments.js";
import { columnRanges, quantilesOf } from "./quantiles.js";
import { modelState, stacked } from "./state.js";

/** The least and the greatest number of each column; a range that overflows a double is an error. */
async function rangesOf(rows: TrainingRows) {
  const ranges = await columnRanges(rows, rows.x);
  for (const [j, { least, greatest }] of ranges.entries()) requireRange(rows, j, least, greatest);
  return ranges;
}

export function requireRange(rows: TrainingRows, j: number, least: number, greatest: number): void {
  if (Number.isFinite(greatest - least)) return;
  const expected = "of a range that fits a double";
  throw new DataError(
    rows.where,
    `column ${rows.nameOf(j)}`,
    expected,
    `values from ${least} to ${greatest}`,
  );
}

export const scalerLearners = [
  learner(StandardScaler, async (estimator, rows) => {
    const { withStd } = estimator.params;
    const [{ total, mean, squares }] = await groupMoments(rows, rows.x);
    const variance = squares.map((sum) => sum / total);
    const scale = variance.map((v, j) =>
      withStd && !isRoundingNoise(Math.sqrt(v), mean[j]!) ? Math.sqrt(v) : 1,
    );
    return StandardScaler.restore(
      modelState(estimator, rows, { nSamplesSeen: total }, { mean, variance, scale }),
    );
  }),
  learner(MinMaxScaler, async (estimator, rows) => {
    const ranges = await rangesOf(rows);
    const dataMin = Float64Array.from(ranges, ({ least }) => least);
    const dataMax = Float64Array.from(ranges, ({ greatest }) => greatest);
    return MinMaxScaler.restore(modelState(estimator, rows, {}, { dataMin, dataMax }));
  }),
  learner(MaxAbsScaler, async (estimator, rows) => {
    const ranges = await columnRanges(rows, rows.x);
    const scale = Float64Array.from(
      ranges,
      ({ least, greatest }) => Math.max(Math.abs(least), Math.abs(greatest)) || 1,
    );
    return MaxAbsScaler.restore(modelState(estimator, rows, { nFeatures: rows.x.length }, { scale }));
  }),
  learner(RobustScaler, async (estimator, rows) => {
    const found = await quantilesOf(rows, rows.x, (column) => robustStatistics(estimator.params, column));
    const scale = Float64Array.from(found, (own) => own.scale);
    const center = Float64Array.from(found, (own) => own.center ?? 0);
    const tensors = estimator.params.withCentering ? { scale, center } : { scale };
    return RobustScaler.restore(modelState(estimator, rows, { nFeatures: rows.x.length }, tensors));
  }),
  learner(QuantileTransformer, async (estimator, rows) => {
    const found = await quantilesOf(rows, rows.x, (column) => spacedQuantiles(estimator.params, column));
    const tensors = { quantiles: stacked(found) };
    return QuantileTransformer.restore(modelState(estimator, rows, { nFeatures: rows.x.length }, tensors));
  }),
];
