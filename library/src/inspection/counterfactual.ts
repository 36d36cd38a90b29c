import type { FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { Printed, shortNumber } from "../core/text/printing.js";
import type { Cell } from "../data/table/column.js";
import { type CellRow, CellRows } from "./cell-rows.js";
import type { FeatureKey, NamesOption } from "./inspected-rows.js";
import { featureIndex, featureNamesOption, inspectRows } from "./inspected-rows.js";
import type { AnyModel } from "./outputs.js";

export interface CounterfactualOptions extends NamesOption {
  /** The class that should be predicted; of a regressor, the smallest and the largest prediction that will do. */
  readonly target: Label | readonly [number, number];
  /** Rows that occur: changed features take values of theirs. */
  readonly background: Samples;
  /** Features that may change; all by default. */
  readonly features?: readonly FeatureKey[] | undefined;
}

export const counterfactualOptions = {
  target: option<Label | readonly [number, number]>(
    "union",
    "The class that should be predicted; of a regressor, the smallest and the largest prediction that will do.",
    "a class, or two numbers",
    (value) => ["string", "number", "boolean"].includes(typeof value) || isArrayLike(value),
  ),
  background: option<Samples>(
    "union",
    "Rows that occur: changed features take values of theirs.",
    "rows as X",
    (value) => typeof value === "object",
  ),
  features: option<readonly FeatureKey[]>(
    "union",
    "Features that may change; all by default.",
    "an array of columns, by number or name",
    (value) => isArrayLike(value),
  ),
  featureNames: featureNamesOption,
} satisfies TableOf<CounterfactualOptions>;

/** A feature that must change. */
export interface Change {
  readonly feature: string;
  readonly from: Cell | null;
  readonly to: Cell | null;
}

/** A row near the given one with another prediction. Printed as the list of its changes. */
export class Counterfactual extends Printed {
  constructor(
    readonly changes: readonly Change[],
    /** The whole row, feature by feature. */
    readonly row: readonly (Cell | null)[],
    readonly prediction: Label,
    /** Σ |change| / mean absolute deviation over numbers, plus 1 per changed category. */
    readonly distance: number,
  ) {
    super();
  }

  toString(): string {
    const cell = (value: Cell | null) => (typeof value === "number" ? shortNumber(value) : show(value));
    const lines = this.changes.map(({ feature, from, to }) => `  ${feature}: ${cell(from)} → ${cell(to)}`);
    const title = `Counterfactual: the prediction is ${cell(this.prediction as Cell)} with`;
    return [lines.length === 0 ? `${title} no change` : title, ...lines].join("\n");
  }
}

/** Background rows from which the search starts, the nearest first. */
const STARTS = 24;
/** Values between the present and the original one that are tried for a number. */
const BETWEEN = 24;

/**
 * The smallest change of a row that the search finds for the prediction to become `target`. It starts from the nearest rows of the
 * background with that prediction, takes features back to their original value as long as the prediction holds, the largest change first,
 * and then moves numbers back towards it through values of the background. No change of the result alone can be taken back; a smaller
 * combination of others may exist, since finding the smallest is as hard as inverting the model.
 */
export function counterfactual(
  model: FittedModel,
  row: Samples | ArrayLike<number>,
  options: CounterfactualOptions,
): Counterfactual {
  const where = "counterfactual";
  const settings = readOptions(where, counterfactualOptions, options);
  if (settings.background === undefined) throw new ParameterError(where, "background", "given", "nothing");
  const given = inspectRows(where, model, row, settings.featureNames);
  if (given.rows !== 1) throw new DataError(where, "the row", "one row", `${given.rows}`);
  const rows = new CellRows(where, given, inspectRows(where, model, settings.background));
  const mayChange = (settings.features ?? given.names).map((key) =>
    featureIndex(where, "features", key, given.names),
  );
  const isTarget = targetTest(where, model as AnyModel, settings.target);
  const search = new Search(rows, mayChange, isTarget);
  const best = search.best();
  if (best) return describe(model as AnyModel, rows, best, given.names);
  throw new DataError({
    where,
    subject: "background",
    expected: `rows whose ${settings.features ? "changeable features give" : "prediction is"} ${show(settings.target)}`,
    received: "none",
  });
}

function describe(model: AnyModel, rows: CellRows, best: CellRow, names: readonly string[]): Counterfactual {
  const changes = names.flatMap((feature, j) =>
    rows.isSame(j, best) ? [] : [{ feature, from: rows.original[j]!, to: best[j]! }],
  );
  const prediction = (model.predict!(rows.asX([best])) as ArrayLike<Label>)[0]!;
  return new Counterfactual(changes, best, prediction, rows.distance(best));
}

type TargetTest = (x: MatrixLike) => boolean[];

function targetTest(where: string, model: AnyModel, target: unknown): TargetTest {
  const predictions = (x: MatrixLike) => Array.from(model.predict!(x) as ArrayLike<Label>);
  if (model.predict === undefined)
    throw new ParameterError(where, "the model", "one that predicts", show(model));
  if (model.classes) {
    if (model.classes.includes(target as Label))
      return (x) => predictions(x).map((label) => label === target);
    const expected = `one of the classes (${model.classes.map(show).join(", ")})`;
    throw new ParameterError(where, "target", expected, show(target));
  }
  const [low, high] = isArrayLike(target) ? Array.from(target) : [];
  if (typeof low === "number" && typeof high === "number" && low <= high)
    return (x) => predictions(x).map((value) => (value as number) >= low && (value as number) <= high);
  const expected = "[smallest, largest] for a regressor";
  throw new ParameterError(where, "target", expected, show(target));
}

class Search {
  constructor(
    readonly rows: CellRows,
    readonly mayChange: readonly number[],
    readonly isTarget: TargetTest,
  ) {}

  best(): CellRow | undefined {
    const { rows } = this;
    if (this.#holds([rows.original])[0]) return rows.original;
    const starts = rows.background(this.mayChange);
    const holds = this.#holds(starts);
    const fitting = starts.filter((_, b) => holds[b]);
    fitting.sort((a, b) => rows.distance(a) - rows.distance(b));
    const found = fitting.slice(0, STARTS).map((start) => this.#nearer(start));
    return found.sort((a, b) => rows.distance(a) - rows.distance(b))[0];
  }

  #holds(candidates: readonly CellRow[]): boolean[] {
    return candidates.length === 0 ? [] : this.isTarget(this.rows.asX(candidates));
  }

  /** Takes back what can be taken back, then moves numbers, until nothing changes. */
  #nearer(start: CellRow): CellRow {
    let own = start;
    for (let distance = Infinity; this.rows.distance(own) < distance; ) {
      distance = this.rows.distance(own);
      own = this.#takeBack(own);
      for (const j of this.mayChange) own = this.#move(own, j);
    }
    return own;
  }

  #takeBack(start: CellRow): CellRow {
    const { rows } = this;
    let own = start;
    for (;;) {
      const candidates = this.mayChange
        .filter((j) => !rows.isSame(j, own))
        .map((j) => withEntry(own, j, rows.original[j]!));
      const holds = this.#holds(candidates);
      const better = candidates.filter((_, c) => holds[c]);
      if (better.length === 0) return own;
      own = better.reduce((best, other) => (rows.distance(other) < rows.distance(best) ? other : best));
    }
  }

  #move(own: CellRow, j: number): CellRow {
    const candidates = this.rows.between(j, own, BETWEEN).map((value) => withEntry(own, j, value));
    const holds = this.#holds(candidates);
    return candidates.find((_, c) => holds[c]) ?? own;
  }
}

const withEntry = (row: CellRow, j: number, value: Cell | null): CellRow =>
  row.map((entry, at) => (at === j ? value : entry));
