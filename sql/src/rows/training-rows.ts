import { DataError, type Label } from "argmax/core";
import type { Cells } from "../compile/cells.js";
import {
  both,
  type Condition,
  choose,
  compare,
  type Expression,
  isNull,
  multiply,
  not,
  number,
  shared,
  text,
  when,
} from "../expressions/expression.js";
import { mergedGroups, type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
import type { Passes } from "./passes.js";

/** What a supervised learner predicts. */
export interface Target {
  readonly name: string;
  /** A number, or the place of the class. */
  readonly value: Expression;
  /** Ascending; none for a regression. */
  readonly classes: readonly Label[];
}

/** Rows that are left out: those of one fold. */
export interface FoldView {
  /** The number of the fold, from 0 on. */
  readonly key: Expression;
  readonly without: number;
}

interface Known {
  readonly where: string;
  readonly passes: Passes;
  readonly features: readonly Cells[];
  /** Of a table's columns; undefined for what a step has made. */
  readonly namesIn: readonly string[] | undefined;
  readonly target: Target | undefined;
  /** Whether X would be a sparse matrix in memory. */
  readonly sparse?: boolean | undefined;
  /** Sample weights; those of classes are in `weight`. */
  readonly sampleWeight: Expression | undefined;
  readonly weight?: Expression | undefined;
  readonly fold?: FoldView | undefined;
}

/** The rows that an estimator learns from: expressions of a source, and sums of them. */
export class TrainingRows {
  readonly where: string;
  readonly passes: Passes;
  /** The columns of X. */
  readonly features: readonly Cells[];
  readonly namesIn: readonly string[] | undefined;
  readonly target: Target | undefined;
  /** The weight of a row; 1 where no weights are given. */
  readonly weight: Expression;
  readonly #known: Known;
  #x: readonly Expression[] | undefined;

  constructor(known: Known) {
    this.where = known.where;
    this.passes = known.passes;
    this.features = known.features;
    this.namesIn = known.namesIn;
    this.target = known.target;
    this.weight = known.weight ?? known.sampleWeight ?? number(1);
    this.#known = known;
  }

  /** The columns of X as numbers: the same expressions each time, so that what several sums read is computed once. */
  get x(): readonly Expression[] {
    this.#x ??= this.features.map((column) => shared(column.number));
    return this.#x;
  }

  /** Column j in messages. */
  nameOf(j: number): string {
    return JSON.stringify(this.namesIn?.[j] ?? j);
  }

  /** Means of columns over all rows, left-out folds included: points to sum around, the same for every fold. */
  async centres(columns: readonly Expression[]): Promise<Float64Array> {
    const { passes } = this.#known;
    const sums = await passes.columnSums(columns);
    return sums.map((sum) => (Number.isFinite(sum) ? sum / passes.rows : 0));
  }

  /** Whether no row is left out, be it of weight 0 or of a fold. */
  get isWhole(): boolean {
    const { fold, sampleWeight } = this.#known;
    return fold === undefined && sampleWeight === undefined;
  }

  get isWeighted(): boolean {
    return this.weight.kind !== "number";
  }

  /** The same rows with other columns, as steps before an estimator make them. */
  withFeatures(
    features: readonly Cells[],
    namesIn: readonly string[] | undefined,
    sparse = false,
  ): TrainingRows {
    return new TrainingRows({ ...this.#known, features, namesIn, sparse });
  }

  /** Whether X would be a sparse matrix in memory, which some estimators refuse. */
  get isSparse(): boolean {
    return this.#known.sparse ?? false;
  }

  /** The same rows for another learner. */
  for(where: string, target: Target | undefined, weight?: Expression): TrainingRows {
    return new TrainingRows({ ...this.#known, where, target, weight });
  }

  /** The same rows without weights, for a step that takes none: rows of weight 0 are rows. */
  unweighted(): TrainingRows {
    return new TrainingRows({ ...this.#known, sampleWeight: undefined, weight: undefined });
  }

  withoutFold(fold: FoldView): TrainingRows {
    return new TrainingRows({ ...this.#known, fold });
  }

  /** w e: a term of a weighted sum. */
  weighted(e: Expression): Expression {
    return this.isWeighted ? multiply(this.weight, e) : e;
  }

  /** Σ over the rows per group; rows of weight 0 are no rows. */
  async sums(query: SumQuery): Promise<SumGroup[]> {
    return (await this.several([query]))[0]!;
  }

  /** Several in one pass. */
  async several(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const { fold, sampleWeight, passes } = this.#known;
    // Groups that are left out are asked for too, so that every pass counts all rows, and so that folds share their passes.
    const hidden = [
      ...(sampleWeight ? [when(compare(sampleWeight, ">", number(0)), number(1), number(0))] : []),
      ...(fold ? [fold.key] : []),
    ].map((of) => ({ of, type: "number" as const }));
    const asked = queries.map(({ groupBy, aggregates }) => ({
      groupBy: [...groupBy, ...hidden],
      aggregates,
    }));
    const answers = await (fold ? passes.sharedSums(asked) : passes.sums(asked));
    return answers.map((groups, q) => {
      const own = queries[q]!.groupBy.length;
      const kept = groups.filter(
        ({ keys }) => (!sampleWeight || keys[own] === 1) && (!fold || keys.at(-1) !== fold.without),
      );
      const visible = kept.map((group) => ({ ...group, keys: group.keys.slice(0, own) }));
      return hidden.length === 0 ? groups : mergedGroups(visible, queries[q]!.aggregates);
    });
  }

  /**
   * Values of the first rows that a source gives, at most so many: none of weight 0, none of a fold left out. They are read again after a lost
   * connection, as a pass is.
   */
  first(
    most: number,
    columns: readonly Expression[],
    options: { readonly test?: Condition | undefined; readonly orderBy?: Expression } = {},
  ): Promise<Float64Array[] | undefined> {
    const { asked, own } = this.#asBlocks(columns, options);
    const { passes } = this.#known;
    return passes.firstBlock(asked, { ...own, rows: most, limit: most }) as Promise<
      Float64Array[] | undefined
    >;
  }

  /** Values of all rows, or of those that pass a test, in blocks: none of weight 0, none of a fold left out. */
  blocks(
    rows: number,
    columns: readonly Expression[],
    options: { readonly test?: Condition | undefined; readonly limit?: number | undefined } = {},
  ): AsyncIterable<Float64Array[]> {
    const { asked, own } = this.#asBlocks(columns, options);
    const { limit } = options;
    return this.#known.passes.batches(asked, { ...own, rows, limit }) as AsyncIterable<Float64Array[]>;
  }

  #asBlocks(
    columns: readonly Expression[],
    { test, orderBy }: { readonly test?: Condition | undefined; readonly orderBy?: Expression | undefined },
  ) {
    const { fold, sampleWeight, passes } = this.#known;
    const tests = [
      ...(sampleWeight ? [compare(sampleWeight, ">", number(0))] : []),
      ...(fold ? [not(compare(fold.key, "=", number(fold.without)))] : []),
      ...(test ? [test] : []),
    ];
    const where = tests.length > 0 ? when(both(...tests), number(1), number(0)) : undefined;
    const asked = columns.map((of) => ({ of, type: "number" as const }));
    return { asked, own: { ...passes.options, where, orderBy } };
  }

  /** The result of many passes, for checkpoints; see `Passes.stage`. `name` has the parameters that it depends on. */
  stage<T>(name: string, compute: () => Promise<T>): Promise<T> {
    const { fold, passes } = this.#known;
    const read = [...this.x, ...(this.target ? [this.target.value] : []), this.weight];
    const groupBy = fold ? [{ of: fold.key, type: "number" as const }] : [];
    const of = { groupBy, aggregates: read.map(sumOf) };
    return passes.stage(`${this.where} ${fold?.without} ${name}`, of, compute);
  }

  /** Refuses gaps and infinities, as `fit` in memory does. */
  async requireFinite(): Promise<void> {
    const all = this.x;
    const x = all.filter((e) => !this.passes.isFinite(e));
    if (x.length === 0) return;
    const gaps = x.map((e) => sumOf(when(isNull(e), number(1), number(0))));
    const far = x.map((e) => sumOf(when(isInfinite(e), number(1), number(0))));
    const [group] = await this.sums({ groupBy: [], aggregates: [...gaps, ...far] });
    if (group === undefined || group.count === 0)
      throw new DataError(this.where, "the source", "at least one row", "none");
    const at = group.values.findIndex((count) => count > 0);
    if (at < 0) return;
    const isGap = at < x.length;
    const received = `${isGap ? "a gap" : "±Infinity"} in ${group.values[at]} of them`;
    const advice = isGap
      ? "Fill gaps in a step before it: SimpleImputer, tableVectorizer()."
      : "Leave these rows out, or clip them, in the query.";
    throw new DataError(
      this.where,
      `column ${this.nameOf(all.indexOf(x[at % x.length]!))}`,
      "finite numbers in all rows",
      received,
      advice,
    );
  }
}

const isInfinite = (e: Expression) =>
  ({
    kind: "or",
    all: [compare(e, "=", number(Infinity)), compare(e, "=", number(-Infinity))],
  }) as const;

/** The place of a label among the classes; NULL for others. */
export function placeOf(
  column: (as: "number" | "text") => Expression,
  classes: readonly Label[],
): Expression {
  const places = classes.map((label, k) => ({
    test:
      typeof label === "string"
        ? compare(column("text"), "=", text(label))
        : compare(column("number"), "=", number(Number(label))),
    value: number(k),
  }));
  return shared(choose(places));
}
