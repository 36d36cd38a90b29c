import type { FittedModel } from "../core/contract.js";
import type { ParamsWith } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { combinationsOf, type Grid, gridParam, requireSpace } from "./candidates.js";
import type { ScoringOf } from "./cross-validate.js";
import { FittedSearch } from "./fitted-search.js";
import { type Rounds, rounds, Search, type SearchTask } from "./search.js";
import { type Searchable, type SearchRefit, searchParams } from "./search-params.js";

export const gridSearchParams = { ...searchParams, grid: gridParam };

/**
 * Tries all combinations of a grid of parameters by cross-validation, and fits the best one to all rows:
 *
 *   new GridSearch({ estimator: pipeline(["scale", new StandardScaler()], ["svc", new SVC()]), grid: { "svc.C": [1, 10, 100] } })
 *
 * The compiler knows the names and types of the parameters. With several scorers `refit` names the one that chooses. A search is an
 * estimator: `crossValidate` of it is nested cross-validation, which judges the whole procedure. Parity: scikit-learn's GridSearchCV; of
 * equals the first is the best, `refit` is not a function, and `score` is that of the best model whatever `scoring` is.
 */
export class GridSearch<
  E extends Searchable = Searchable,
  S extends ScoringOf<E> = ScoringOf<E>,
> extends Search<typeof gridSearchParams, E, S> {
  static readonly id = "GridSearch";
  static readonly table = gridSearchParams;

  constructor(
    params: ParamsWith<
      typeof gridSearchParams,
      { estimator: E; scoring?: S | null; grid: Grid<E> | readonly Grid<E>[] }
    > &
      SearchRefit<S>,
  ) {
    super(params);
    requireSpace(this.id, "grid", this.params.grid, gridParam.expected);
  }

  *[rounds](task: SearchTask): Rounds {
    const candidates = this.params.grid.flatMap(combinationsOf);
    task.total = candidates.length * task.plan.folds.length;
    return { measured: yield { candidates } };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedSearch {
    return FittedSearch.restore(state, restorePart);
  }
}
