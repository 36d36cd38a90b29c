import type { Held } from "../protocol.js";
import { type Metric, probabilityMetrics } from "./metrics.js";
import { type Curves, curvesOf, type Ranking, rankingOf } from "./ranking.js";

/** What is computed once per model and class of interest: it takes the sorting of all rows. */
export interface Ranked {
  /** Undefined for models that give labels only, and for one class. */
  readonly ranking: Ranking | undefined;
  /** Undefined unless there are rows of the class and of the rest. */
  readonly curves: Curves | undefined;
  readonly proper: readonly Metric[];
}

export function ranked(held: Held, classes: number, positive: number): Ranked {
  const ranking = rankingOf(held, classes, positive);
  return {
    ranking,
    curves: ranking && curvesOf(ranking),
    proper: probabilityMetrics(held, classes),
  };
}
