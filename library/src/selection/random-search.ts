import type { FittedModel } from "../core/contract.js";
import { pushAll } from "../core/numbers/extremes.js";
import { Random } from "../core/numbers/random.js";
import { integer, type ParamsWith, randomState } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { drawCandidates, requireSpace, type Space, spaceParam } from "./candidates.js";
import type { ScoringOf } from "./cross-validate.js";
import { FittedSearch } from "./fitted-search.js";
import { type Measured, type Rounds, rounds, Search, type SearchTask } from "./search.js";
import { type Searchable, type SearchRefit, searchParams, timeBudget } from "./search-params.js";

export const randomSearchParams = {
  ...searchParams,
  space: spaceParam,
  nIter: integer({ atLeast: 1, default: 10, doc: "How many candidates are drawn." }),
  timeBudget: timeBudget("candidate"),
  randomState: randomState(),
};

/**
 * Tries random combinations of parameters by cross-validation, and fits the best one to all rows [Bergstra and Bengio 2012]:
 *
 *   new RandomSearch({ estimator: new SVC(), space: { C: logUniform(1e-2, 1e3), kernel: ["rbf", "linear"] }, nIter: 40 })
 *
 * With a `timeBudget` candidates are measured one after the other, the first one always: how many there are depends on the machine.
 * Parity: scikit-learn's RandomizedSearchCV, up to the random numbers.
 */
export class RandomSearch<
  E extends Searchable = Searchable,
  S extends ScoringOf<E> = ScoringOf<E>,
> extends Search<typeof randomSearchParams, E, S> {
  static readonly id = "RandomSearch";
  static readonly table = randomSearchParams;

  constructor(
    params: ParamsWith<typeof randomSearchParams, { estimator: E; scoring?: S | null; space: Space<E> }> &
      SearchRefit<S>,
  ) {
    super(params);
    requireSpace(this.id, "space", this.params.space, spaceParam.expected);
  }

  *[rounds](task: SearchTask): Rounds {
    const { space, nIter, timeBudget, randomState } = this.params;
    const candidates = drawCandidates(space, nIter, new Random(randomState));
    task.total = candidates.length * task.plan.folds.length;
    if (timeBudget === null) return { measured: yield { candidates } };
    const started = performance.now();
    const measured: Measured[] = [];
    for (const candidate of candidates) {
      if (measured.length > 0 && performance.now() - started > 1000 * timeBudget) break;
      pushAll(measured, yield { candidates: [candidate] });
    }
    return { measured };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedSearch {
    return FittedSearch.restore(state, restorePart);
  }
}
