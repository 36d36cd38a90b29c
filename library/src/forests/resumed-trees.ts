import { show } from "../core/errors.js";
import { areAlike, refuseColumns, requireShorter, resumeOptions } from "../ensembles/resume.js";
import type { Tree } from "../trees/tree.js";
import { FittedForest, type ForestTask } from "./forest.js";

export const forestFitOptions = resumeOptions<FittedForest>(
  "a fitted forest",
  (value) => value instanceof FittedForest,
);

/** The trees of a model that others are added to; none without one. */
export function resumedTrees(
  { where, id, params, rows }: Pick<ForestTask, "where" | "id" | "params" | "rows">,
  resume: FittedForest | undefined,
  width: number,
): Pick<ForestTask, "first" | "firstDraw"> {
  if (resume === undefined) return { first: [], firstDraw: undefined };
  const { trees } = resume;
  const model = { id: resume.estimatorId, count: trees.length, unit: "trees" };
  requireShorter(where, { id, most: params.nEstimators, param: "nEstimators" }, model);
  const [{ nFeatures, columns, grown }] = trees as [Tree];
  if (nFeatures === rows.x.cols && grown.width === width && areAlike(columns, rows.columns))
    return { first: trees, firstDraw: resume.draw };
  const names = columns ? ` (${columns.names.slice(0, 8).map(show).join(", ")})` : "";
  const leaves = grown.width === width ? "" : ` and ${grown.width} values per leaf instead of ${width}`;
  refuseColumns(where, `${nFeatures} columns${names}${leaves}`);
}
