import { DecisionStump, FittedDecisionStump, Matrix } from "argmax";
import { maxOf } from "argmax/numeric";
import { beats, type Split, StumpSearch, withClassProportions } from "argmax/sums";
import { divide, type Expression, number, shared } from "../../expressions/expression.js";
import { type SumGroup, type SumQuery, sumOf } from "../../expressions/sums.js";
import { learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { boostingFacts } from "./boosting-facts.js";
import { type BinnedColumns, treeBins } from "./tree-bins.js";

/**
 * Stumps from histograms: a pass for each, of the weights per bin and class. The kernel of stumps in memory searches them, as if a bin's rows of
 * a class were one row. Where a column has at most 255 values it is the stump of all rows; else thresholds are edges of bins.
 */
export class SummedStumps {
  readonly #rows: TrainingRows;
  readonly #columns: BinnedColumns;
  readonly #criterion: "gini" | "error";
  /** Per column: its search, and the place of a bin's class among the rows that it searches. */
  #searches: readonly { readonly search: StumpSearch; readonly places: ReadonlyMap<string, number> }[] = [];

  private constructor(rows: TrainingRows, columns: BinnedColumns, criterion: "gini" | "error") {
    this.#rows = rows;
    this.#columns = columns;
    this.#criterion = criterion;
  }

  /** `count`: the number of rows. */
  static async open(rows: TrainingRows, { params }: DecisionStump, count: number): Promise<SummedStumps> {
    await rows.requireFinite();
    const table = { rows, table: undefined, features: rows.features, x: rows.x };
    return new SummedStumps(rows, await treeBins(table, [], count), params.criterion);
  }

  /** The best stump for these weights, which sum to about 1, with class proportions, and its weighted error rate. */
  async best(weight: Expression): Promise<{ readonly split: Split; readonly error: number }> {
    const { value } = this.#rows.target!;
    const queries = this.#columns.keys.map(
      (bin): SumQuery => ({
        groupBy: [bin, value].map((of) => ({ of, type: "number" })),
        aggregates: [sumOf(weight)],
      }),
    );
    const answers = await this.#rows.several(queries);
    if (this.#searches.length === 0) this.#searches = answers.map((groups, j) => this.#search(j, groups));
    let best: (Split & { readonly score: number }) | undefined;
    for (const [j, { search, places }] of this.#searches.entries()) {
      const weights = new Float64Array(places.size);
      for (const { keys, values } of answers[j]!) weights[places.get(placeName(keys))!] = values[0]!;
      const found = search.best(weights);
      if (best === undefined || (found.feature === 0 && (best.feature < 0 || beats(found.score, best.score))))
        best = { ...found, ...(found.feature === 0 && { feature: j, threshold: this.#threshold(j, found) }) };
    }
    const split = withClassProportions(best!);
    return { split, error: errorOf(best!, split) };
  }

  #search(j: number, groups: readonly SumGroup[]) {
    const bins = this.#columns.bins[j]!;
    const { classes } = this.#rows.target!;
    const x = Float64Array.from(groups, ({ keys }) => bins.values?.[Number(keys[0])] ?? Number(keys[0]));
    const codes = Int32Array.from(groups, ({ keys }) => Number(keys[1]));
    const places = new Map(groups.map(({ keys }, i) => [placeName(keys), i]));
    const rows = new Matrix(x, x.length, 1);
    return {
      search: new StumpSearch(this.#rows.where, rows, codes, classes.length, this.#criterion, 1),
      places,
    };
  }

  /** Without values, rows were searched by the numbers of their bins. */
  #threshold(j: number, { threshold }: Split): number {
    const { values, edges } = this.#columns.bins[j]!;
    return values ? threshold : edges[Math.floor(threshold)]!;
  }

  close(): void {
    for (const { search } of this.#searches) search.close();
  }
}

/** Weights of rows that are not of the class that their side predicts. */
function errorOf({ feature, leaves }: Split, split: Split): number {
  const K = leaves.length / 2;
  const sides = feature < 0 ? [0] : [0, K];
  let [wrong, total] = [0, 0];
  for (const from of sides) {
    const own = split.leaves.subarray(from, from + K);
    const answer = own.indexOf(maxOf(own));
    for (let k = 0; k < K; k++) {
      total += leaves[from + k]!;
      if (k !== answer) wrong += leaves[from + k]!;
    }
  }
  return wrong / total;
}

const placeName = (keys: SumGroup["keys"]): string => `${keys[0]} ${keys[1]}`;

export const stumpLearners = [
  learner(DecisionStump, async (estimator, rows) => {
    const facts = await boostingFacts(rows, undefined);
    const stumps = await SummedStumps.open(rows, estimator, facts.rows);
    try {
      const { split } = await stumps.best(shared(divide(rows.weight, number(facts.total))));
      const { classes } = rows.target!;
      return new FittedDecisionStump(estimator.params, classes, rows.x.length, split, rows.namesIn);
    } finally {
      stumps.close();
    }
  }),
];
