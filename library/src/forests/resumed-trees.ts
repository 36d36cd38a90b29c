import type { FitOptions } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { fitOptions, option } from "../core/options.js";
import type { TableColumns } from "../data/table-columns.js";
import type { Tree } from "../trees/tree.js";
import { FittedForest, type ForestTask } from "./forest.js";

export interface ForestFitOptions<M> extends FitOptions {
  /**
   * A model of the same estimator with fewer trees: the others are added to it. With the same rows and parameters, that is the model
   * of all trees at once.
   */
  readonly resume?: M | undefined;
}

export const forestFitOptions = {
  ...fitOptions,
  resume: option<FittedForest>(
    "model",
    "A forest to which trees are added.",
    "a fitted forest",
    (value) => value instanceof FittedForest,
  ),
};

/** The trees of a model that others are added to; none without one. */
export function resumedTrees(
  task: Pick<ForestTask, "where" | "id" | "params" | "rows">,
  resume: FittedForest | undefined,
  width: number,
): readonly Tree[] {
  if (resume === undefined) return [];
  const { where, id, params, rows } = task;
  const { trees, estimatorId } = resume;
  const subject = "resume";
  if (estimatorId !== id)
    throw new ParameterError({
      where,
      subject,
      expected: `a model of ${id}`,
      received: `one of ${estimatorId}`,
    });
  if (trees.length > params.nEstimators) {
    const expected = `a model of at most nEstimators trees (${params.nEstimators})`;
    const advice = "nEstimators counts its trees too.";
    throw new ParameterError({ where, subject, expected, received: `${trees.length} trees`, advice });
  }
  const [{ nFeatures, columns, grown }] = trees as [Tree];
  const isAlike = nFeatures === rows.x.cols && grown.width === width && same(columns, rows.columns);
  if (isAlike) return trees;
  throw new DataError({
    where,
    subject,
    expected: `a model of the same columns${width > 1 ? " and targets" : ""}`,
    received:
      `${nFeatures} columns${columns ? ` (${columns.names.slice(0, 8).map(show).join(", ")})` : ""}` +
      (grown.width === width ? "" : ` and ${grown.width} values per leaf instead of ${width}`),
    advice: "Its trees would read the rows in another way: categories, too, must be the same.",
  });
}

const same = (a: TableColumns | undefined, b: TableColumns | undefined): boolean =>
  JSON.stringify(a?.toJson()) === JSON.stringify(b?.toJson());
