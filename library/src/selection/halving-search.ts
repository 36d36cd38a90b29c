import type { FittedModel } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { approximateMode } from "../core/numbers/approximate-mode.js";
import { pushAll } from "../core/numbers/extremes.js";
import { Random } from "../core/numbers/random.js";
import { choice, either, integer, type ParamsWith, randomState } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import type { Fold } from "../data/splitters/splitter.js";
import { type Candidate, drawCandidates, requireSpace, type Space, spaceParam } from "./candidates.js";
import type { ScorerOf } from "./cross-validate.js";
import { FittedSearch } from "./fitted-search.js";
import { type Measured, type Rounds, rounds, Search, type SearchTask } from "./search.js";
import { oneScorerSearchParams, type Searchable, timeBudget } from "./search-params.js";

export const halvingSearchParams = {
  ...oneScorerSearchParams,
  space: spaceParam,
  nCandidates: either(
    choice(["exhaust"], {
      default: "exhaust",
      doc: 'How many candidates are drawn in the beginning; "exhaust": so many that the last round uses all rows.',
    }),
    integer({ atLeast: 1, default: 1, doc: "" }),
  ),
  factor: integer({
    atLeast: 2,
    default: 3,
    doc: "One candidate in so many survives a round, and gets so many times the rows.",
  }),
  minRows: either(
    choice(["smallest"], {
      default: "smallest",
      doc: 'Rows of the first round; "smallest": two per fold, and per class for classifiers.',
    }),
    integer({ atLeast: 1, default: 1, doc: "" }),
  ),
  timeBudget: timeBudget("round"),
  randomState: randomState(),
};

/**
 * Successive halving [Jamieson and Talwalkar 2016]: many random candidates are measured on few rows, the best third on three times as
 * many, and so on, until few candidates are measured on all rows. Much faster than `RandomSearch` for slow estimators. With a
 * `timeBudget` the best of the last complete round wins.
 *
 * One scorer decides who survives; several are refused. Parity: scikit-learn's HalvingRandomSearchCV, up to the random numbers.
 */
export class HalvingSearch<E extends Searchable = Searchable> extends Search<typeof halvingSearchParams, E> {
  static readonly id = "HalvingSearch";
  static readonly table = halvingSearchParams;

  constructor(
    params: ParamsWith<
      typeof halvingSearchParams,
      { estimator: E; scoring?: ScorerOf<E> | null; space: Space<E> }
    >,
  ) {
    super(params);
    requireSpace(this.id, "space", this.params.space, spaceParam.expected);
  }

  *[rounds](task: SearchTask): Rounds {
    const { space, factor, nCandidates, timeBudget, randomState } = this.params;
    const random = new Random(randomState);
    const rows = rowsOf(task);
    const least = this.#firstRows(task, rows);
    const count = nCandidates === "exhaust" ? Math.floor(rows / least) : nCandidates;
    let candidates = drawCandidates(space, count, random);
    const planned = plannedRounds(candidates.length, factor, least, rows);
    task.total = planned.reduce((sum, { candidates }) => sum + candidates, 0) * task.plan.folds.length;
    const classOf = this.#classOf(task);
    const measured: Measured[] = [];
    let last: readonly Measured[] = [];
    const end = timeBudget === null ? Infinity : performance.now() + 1000 * timeBudget;
    for (const { candidates: size, rows: used } of planned) {
      if (last.length > 0 && performance.now() > end) break;
      candidates = best(last, size) ?? candidates;
      const part = used / rows;
      const found = yield {
        candidates,
        rowsOf: (fold) => (part < 1 ? subsampled(fold, part, classOf, random) : fold),
      };
      last = found.map((result) => ({ ...result, rows: used }));
      pushAll(measured, last);
    }
    const from = measured.length - last.length;
    return { measured, finalists: (c) => c >= from };
  }

  /** The class of a row, for classifiers of one list of labels; all other rows are of one class. */
  #classOf({ plan: { y } }: SearchTask): (i: number) => unknown {
    const isClassification = this.capabilities.task === "classification" && !isTargetMatrix(y);
    return isClassification ? (i) => (y as ArrayLike<unknown>)[i] : () => undefined;
  }

  #firstRows(task: SearchTask, rows: number): number {
    const { minRows } = this.params;
    const { folds, y } = task.plan;
    const isClassification = this.capabilities.task === "classification";
    const classes = isClassification ? new Set(Array.from(y as ArrayLike<unknown>)).size : 1;
    const least = minRows === "smallest" ? Math.min(rows, folds.length * 2 * classes) : minRows;
    if (least <= rows) return least;
    throw new DataError(task.where, "minRows", `at most the number of rows (${rows})`, `${least}`);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedSearch {
    return FittedSearch.restore(state, restorePart);
  }
}

function rowsOf({ plan }: SearchTask): number {
  const [fold] = plan.folds;
  return fold!.train.length + fold!.test.length;
}

/** How many candidates each round measures on how many rows, until one in `factor` would be less than one or the rows are all. */
function plannedRounds(
  candidates: number,
  factor: number,
  least: number,
  rows: number,
): { readonly candidates: number; readonly rows: number }[] {
  const rounds: { candidates: number; rows: number }[] = [];
  for (let count = candidates, used = least; ; count = Math.ceil(count / factor), used *= factor) {
    rounds.push({ candidates: count, rows: Math.min(used, rows) });
    if (count <= 1 || used * factor > rows) return rounds;
  }
}

/** The best candidates of a round; of equals the first. Undefined before the first. */
function best(measured: readonly Measured[], size: number): Candidate[] | undefined {
  if (measured.length === 0) return undefined;
  const mean = ({ scores: [list] }: Measured) => list!.reduce((sum, score) => sum + score, 0) / list!.length;
  const order = [...measured.keys()].sort((a, b) => {
    const [x, y] = [mean(measured[a]!), mean(measured[b]!)];
    // What failed comes last.
    return Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : y - x;
  });
  return order.slice(0, size).map((c) => measured[c]!.params);
}

/** Rows that a rare class keeps of those to learn from, so that there is something to learn and estimators may fold it once more. */
const RARE = 2;

/**
 * A random part of both rows to learn from and rows to measure on, of the same class proportions. A class that would have fewer keeps
 * `RARE` rows to learn from and one to measure on, as far as it has them.
 */
function subsampled(
  { train, test }: Fold,
  part: number,
  classOf: (i: number) => unknown,
  random: Random,
): Fold {
  const some = (rows: Int32Array, least: number) => {
    const members = new Map<unknown, number[]>();
    for (const place of random.permutation(rows.length)) {
      const label = classOf(rows[place]!);
      const list = members.get(label);
      if (list) list.push(rows[place]!);
      else members.set(label, [rows[place]!]);
    }
    const lists = [...members.values()];
    const counts = lists.map(({ length }) => length);
    const taken = approximateMode(counts, Math.max(1, Math.floor(part * rows.length)), random);
    const drawn = lists.map((list, k) => list.slice(0, Math.max(taken[k]!, Math.min(least, list.length))));
    return Int32Array.from(drawn.flat()).sort();
  };
  return { train: some(train, RARE), test: some(test, 1) };
}
