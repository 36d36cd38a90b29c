import { KBinsDiscretizer, SplineTransformer } from "argmax";
import { ParameterError } from "argmax/core";
import { binCounts, binEdges, givenKnots, learnedKnots } from "argmax/sums";
import { number } from "../expressions/expression.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { quantilesOf } from "./quantiles.js";
import { requireRange } from "./scalers.js";
import { modelState, stacked } from "./state.js";

/** Whether weights differ between rows: equal ones count as none. */
async function areWeightsEqual(rows: TrainingRows): Promise<boolean> {
  if (!rows.isWeighted) return true;
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: [
      { kind: "min", of: rows.weight },
      { kind: "max", of: rows.weight },
    ],
  });
  return group!.values[0] === group!.values[1];
}

export const binLearners = [
  learner(KBinsDiscretizer, async (estimator, rows) => {
    const { params } = estimator;
    const bins = binCounts(rows.where, params, rows.x.length);
    const refuse = () => {
      const expected = '"quantile" or "uniform", which are found by counting';
      throw new ParameterError(rows.where, "strategy", expected, '"kmeans"');
    };
    if (params.strategy === "kmeans") refuse();
    const edges = await quantilesOf(rows, rows.x, (column, { least, greatest }, j) => {
      requireRange(rows, j, least, greatest);
      return binEdges(params, column, bins[j]!, refuse as never);
    });
    const counts = Int32Array.from(edges, (list) => list.length);
    const all = Float64Array.from(edges.flatMap((list) => [...list]));
    return KBinsDiscretizer.restore(
      modelState(estimator, rows, { nFeatures: rows.x.length }, { counts, edges: all }),
    );
  }),
  learner(SplineTransformer, async (estimator, rows) => {
    const { params } = estimator;
    const isPlain = await areWeightsEqual(rows);
    // Rows of weight 0 are still no rows.
    const counted = isPlain ? rows.for(rows.where, rows.target, number(1)) : rows;
    const knots =
      givenKnots(rows.where, params, rows.x.length) ??
      (await quantilesOf(counted, rows.x, (column) =>
        learnedKnots(params, {
          length: column.length,
          at: column.at,
          weights: isPlain ? undefined : column.weighed,
        }),
      ));
    return SplineTransformer.restore(
      modelState(estimator, rows, { nFeatures: rows.x.length }, { knots: stacked(knots) }),
    );
  }),
];
