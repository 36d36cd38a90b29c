import { type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { FittedUnivariate, readUnivariate, requireSome } from "./fitted-selector.js";
import { type Scored, testFunction } from "./score-param.js";
import { ScoreSelector, type SelectorParts } from "./score-selector.js";

const byPValue = (doc: string) => ({
  scoreFunction: testFunction,
  alpha: real({ above: 0, atMost: 1, default: 0.05, doc }),
});
export const selectFprParams = byPValue("Columns with a p-value below this are kept.");
export const selectFdrParams = byPValue(
  "Expected fraction of columns that say nothing among those that are kept, at most.",
);
export const selectFweParams = byPValue("Probability that any column is kept that says nothing, at most.");
type PValueParams = typeof selectFprParams;
type Parts = SelectorParts<PValueParams>;

/** Columns whose p-value passes a rule. NaN never passes. */
abstract class SelectByPValue<T extends PValueParams, M extends FittedByPValue> extends ScoreSelector<T, M> {
  protected abstract rule(pValues: Float64Array, alpha: number): (p: number) => boolean;

  protected chosen(where: string, { pValues }: Scored): readonly number[] {
    const { alpha } = this.params as ParamValues<PValueParams>;
    const passes = this.rule(pValues!, alpha);
    const selected = [...pValues!.keys()].filter((j) => passes(pValues![j]!));
    const advice = "Raise alpha, or look at the p-values.";
    requireSome(where, selected, `that passes at alpha = ${alpha}`, advice);
    return selected;
  }
}

abstract class FittedByPValue extends FittedUnivariate<ParamValues<PValueParams>> {}

/** Columns with p < alpha: of columns that say nothing, a fraction of alpha is kept. Parity: scikit-learn's SelectFpr. */
export class SelectFpr extends SelectByPValue<typeof selectFprParams, FittedSelectFpr> {
  static readonly id = "SelectFpr";
  static readonly table = selectFprParams;

  protected rule(_: Float64Array, alpha: number) {
    return (p: number) => p < alpha;
  }

  protected fitted(...parts: Parts): FittedSelectFpr {
    return new FittedSelectFpr(...parts);
  }

  static restore(state: ModelState): FittedSelectFpr {
    return new FittedSelectFpr(...readUnivariate(selectFprParams, state));
  }
}

export class FittedSelectFpr extends FittedByPValue {
  protected readonly id = SelectFpr.id;
}

/**
 * Columns up to the largest p-value with p ≤ alpha · rank / d: of those that are kept, a fraction of alpha at most says nothing, on
 * average [Benjamini & Hochberg 1995]. Parity: scikit-learn's SelectFdr.
 */
export class SelectFdr extends SelectByPValue<typeof selectFdrParams, FittedSelectFdr> {
  static readonly id = "SelectFdr";
  static readonly table = selectFdrParams;

  protected rule(pValues: Float64Array, alpha: number) {
    const sorted = pValues.filter((p) => !Number.isNaN(p)).sort();
    const most = sorted.findLast((p, r) => p <= (alpha / pValues.length) * (r + 1)) ?? -1;
    return (p: number) => p <= most;
  }

  protected fitted(...parts: Parts): FittedSelectFdr {
    return new FittedSelectFdr(...parts);
  }

  static restore(state: ModelState): FittedSelectFdr {
    return new FittedSelectFdr(...readUnivariate(selectFdrParams, state));
  }
}

export class FittedSelectFdr extends FittedByPValue {
  protected readonly id = SelectFdr.id;
}

/** Columns with p < alpha / d: the probability to keep any that says nothing is alpha at most [Bonferroni]. Parity: SelectFwe. */
export class SelectFwe extends SelectByPValue<typeof selectFweParams, FittedSelectFwe> {
  static readonly id = "SelectFwe";
  static readonly table = selectFweParams;

  protected rule({ length }: Float64Array, alpha: number) {
    return (p: number) => p < alpha / length;
  }

  protected fitted(...parts: Parts): FittedSelectFwe {
    return new FittedSelectFwe(...parts);
  }

  static restore(state: ModelState): FittedSelectFwe {
    return new FittedSelectFwe(...readUnivariate(selectFweParams, state));
  }
}

export class FittedSelectFwe extends FittedByPValue {
  protected readonly id = SelectFwe.id;
}
