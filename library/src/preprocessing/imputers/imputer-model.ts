import { show } from "../../core/errors.js";
import { flag } from "../../core/params/params.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import { TransformerModel } from "../../fitted/transformers.js";

/** What every imputer does with gaps besides filling them. */
export const gapParams = {
  addIndicator: flag({
    default: false,
    doc: "Append a column of 0 and 1 for every column that had gaps in fit: 1 where the entry is missing.",
  }),
  keepEmptyFeatures: flag({
    default: false,
    doc: "Keep a column that has no value in fit, filled with 0; otherwise it is dropped, with a warning.",
  }),
};

interface GapValues {
  readonly addIndicator: boolean;
  readonly keepEmptyFeatures: boolean;
}

/** A fitted imputer: the columns that it keeps, then the indicators. */
export abstract class ImputerModel<P extends GapValues> extends TransformerModel<P> {
  /** Numbers of the columns that are kept. */
  readonly #kept: readonly number[];
  /** Numbers of the columns with an indicator. */
  readonly #indicators: readonly number[];

  constructor(params: P, known: KnownFeatures, isEmpty: (j: number) => boolean, withGaps: readonly number[]) {
    super(params, known);
    const all = Array.from({ length: known.nFeatures }, (_, j) => j);
    this.#kept = params.keepEmptyFeatures ? all : all.filter((j) => !isEmpty(j));
    this.#indicators = params.addIndicator ? withGaps : [];
  }

  protected get outputs() {
    return {
      kept: this.#kept,
      indicators: this.#indicators,
      count: this.#kept.length + this.#indicators.length,
    };
  }

  /** The columns that had no value in fit and are dropped. */
  get droppedFeatures(): readonly string[] {
    return this.namesIn().filter((_, j) => !this.#kept.includes(j));
  }

  get warnings(): readonly string[] {
    return this.droppedFeatures.map(
      (name) => `${this.id}: column ${show(name)} has no value and is dropped; keepEmptyFeatures keeps it.`,
    );
  }

  /** Names of the output columns; those of indicators are `missingindicator_` and the column's name. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    const indicators = this.#indicators.map((j) => `missingindicator_${names[j]}`);
    return [...this.#kept.map((j) => names[j]!), ...indicators];
  }
}
