import { PCA, TruncatedSVD } from "argmax";
import { pcaOfSums, type Scatter, truncatedSvdOfSums } from "argmax/sums";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { groupMoments } from "./moments.js";

async function scatterOf(rows: TrainingRows): Promise<Scatter> {
  const [{ total, mean, squares }] = await groupMoments(rows, rows.x, { cross: true });
  return { count: total, mean, scatter: squares };
}

export const decompositionLearners = [
  learner(PCA, async (estimator, rows) =>
    pcaOfSums(rows.where, estimator.params, await scatterOf(rows), rows.namesIn),
  ),
  learner(TruncatedSVD, async (estimator, rows) =>
    truncatedSvdOfSums(rows.where, estimator.params, await scatterOf(rows), rows.namesIn),
  ),
];
