import type { FittedModel } from "../core/contract.js";
import { Model } from "../core/model.js";
import { maxOf } from "../core/numbers/extremes.js";
import { stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { type Structure, structure, structureOf } from "../core/structure.js";
import type { Design } from "../data/input.js";
import type { CellsLike } from "../data/table/cells.js";
import { type DataWarning, isDataWarning } from "../data/table/data-warning.js";
import type { FittedVectorizer } from "../text/fitted-vectorizer.js";
import type { ColumnChoice } from "./column-treatments.js";
import { FittedColumnTransformer } from "./fitted-column-transformer.js";

export class FittedTableVectorizer extends Model implements FittedModel {
  readonly #params: object;

  constructor(
    params: object,
    /** What is done with every column of fit, and why. */
    readonly choices: readonly ColumnChoice[],
    /** The transformers, each with its columns. */
    readonly transformer: FittedColumnTransformer,
    /** Columns and words that are left out, though they hold something. */
    readonly warnings: readonly DataWarning[] = [],
  ) {
    super();
    this.#params = params;
  }

  get nFeatures(): number {
    return this.transformer.nFeatures;
  }

  /** Names of the columns in fit, where X was a table. */
  get featureNamesIn(): readonly string[] | undefined {
    return this.transformer.featureNamesIn;
  }

  /** Number of outputs. */
  get nOutputs(): number {
    return this.transformer.nOutputs;
  }

  transform(x: CellsLike): Design {
    return this.transformer.transform(x);
  }

  featureNames(input?: readonly string[]): string[] {
    return this.transformer.featureNames(input);
  }

  /** A line per column: what it holds, what is done with it, and why. */
  override toString(): string {
    const { nFeatures, nOutputs, transformer } = this;
    const lines = this.choices.map(({ column, treatment, reason }): [string, string] => [
      String(column),
      `${treatment === "drop" ? "dropped" : (this.#transformerOf(column) ?? treatment)}: ${reason}${this.#words(column)}`,
    ]);
    lines.unshift([
      "features",
      `${nFeatures} → ${nOutputs}, ${transformer.sparseOutput ? "sparse" : "dense"}`,
    ]);
    for (const { message } of this.warnings) lines.push(["warning", message]);
    const width = maxOf(lines.map(([name]) => name.length));
    return ["FittedTableVectorizer", ...lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)].join(
      "\n",
    );
  }

  /** The classes of the steps that a column goes through. */
  #transformerOf(column: string | number): string | undefined {
    const model = partOf(this.transformer, column);
    if (model === null) return undefined;
    if (model === undefined) return "as it is";
    const { kind, parts = [] } = model.toState();
    return parts.length > 0 ? parts.map((part) => part.kind).join(", ") : kind;
  }

  [structure](): Structure {
    return structureOf(this.transformer);
  }

  /** How many words of a text column are used, of how many. */
  #words(column: string | number): string {
    const { termsFound, nFeatures } = (partOf(this.transformer, column) ?? {}) as Partial<
      FittedVectorizer<never>
    >;
    return termsFound === undefined ? "" : `; ${nFeatures} of ${termsFound} words used`;
  }

  toState(): ModelState {
    const choices = this.choices.map((choice) => ({ ...choice }));
    const warnings = this.warnings.map((warning) => ({ ...warning }));
    const learned = { choices, ...(warnings.length > 0 && { warnings }) };
    return stateOf("TableVectorizer", { params: this.#params }, learned, [this.transformer.toState()]);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedTableVectorizer {
    const reader = new StateReader(state);
    const isChoices = (value: unknown): value is readonly ColumnChoice[] =>
      Array.isArray(value) && value.every(isChoice);
    const choices = reader.value("choices", "a treatment and a reason per column", isChoices);
    const [part] = state.parts ?? [];
    const transformer = part && restorePart(part);
    if (transformer instanceof FittedColumnTransformer && transformer.nFeatures === choices.length)
      return new FittedTableVectorizer(state.params, choices, transformer, readWarnings(reader));
    return reader.fail("parts", `a column transformer of ${choices.length} columns`, part?.kind ?? "none");
  }
}

/** The model that a column goes into: undefined if it is passed through, null if none reads it. */
export function partOf(
  transformer: FittedColumnTransformer,
  column: string | number,
): FittedModel | undefined | null {
  for (const [name, columns] of transformer.columns)
    if (name !== "remainder" && columns.includes(column))
      return transformer.part(name) as FittedModel | undefined;
  return null;
}

/** Models of earlier versions have none. */
function readWarnings(reader: StateReader): readonly DataWarning[] {
  if (!Object.hasOwn(reader.state.values, "warnings")) return [];
  const isList = (value: unknown): value is readonly DataWarning[] =>
    Array.isArray(value) && value.every(isDataWarning);
  return reader.value("warnings", "a code, a column and a message each", isList);
}

function isChoice(value: unknown): boolean {
  const { column, kind, treatment, reason } = (value ?? {}) as Partial<Record<keyof ColumnChoice, unknown>>;
  return (
    (typeof column === "string" || Number.isSafeInteger(column)) &&
    [kind, treatment, reason].every((text) => typeof text === "string")
  );
}
