import { transformerCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { columnsOf } from "../preprocessing/fitted-columns.js";
import { FittedUnivariate, requireSome, type Selected } from "./fitted-selector.js";
import type { Targets } from "./score-functions.js";
import { scored, testFunction } from "./score-param.js";
import { restored } from "./univariate.js";

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

/** Columns whose p-value passes a rule: `keep` gets all p-values and alpha. NaN never passes. */
abstract class SelectByPValue extends Estimator<PValueParams> {
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    needsTargets: true,
  };

  protected chosen(
    x: MatrixLike,
    y: Targets,
    options: FitOptions,
    keep: (pValues: Float64Array, alpha: number) => (p: number) => boolean,
  ) {
    const { scoreFunction, alpha } = this.params;
    const { rows, scores, pValues } = scored(this.id, scoreFunction, x, y, options);
    const passes = keep(pValues!, alpha);
    const selected = [...pValues!.keys()].filter((j) => passes(pValues![j]!));
    requireSome(
      `${this.id}.fit`,
      selected,
      `that passes at alpha = ${alpha}`,
      "Raise alpha, or look at the p-values.",
    );
    return [this.params, columnsOf(x, rows), scores, pValues, selected] as const;
  }
}

abstract class FittedByPValue extends FittedUnivariate<ParamValues<PValueParams>> {}

/** Columns with p < alpha: of columns that say nothing, a fraction of alpha is kept. Parity: scikit-learn's SelectFpr. */
export class SelectFpr extends SelectByPValue {
  static readonly id = "SelectFpr";
  static readonly table = selectFprParams;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectFpr {
    return new FittedSelectFpr(...this.chosen(x, y, options, (_, alpha) => (p) => p < alpha));
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedSelectFpr {
    const { params, columns, scores, pValues, selected } = restored(selectFprParams, state);
    return new FittedSelectFpr(params, columns, scores, pValues, selected);
  }
}

export class FittedSelectFpr extends FittedByPValue {
  protected get id(): string {
    return SelectFpr.id;
  }
}

/**
 * Columns up to the largest p-value with p ≤ alpha · rank / d: of those that are kept, a fraction of alpha at most says nothing, on
 * average [Benjamini & Hochberg 1995]. Parity: scikit-learn's SelectFdr.
 */
export class SelectFdr extends SelectByPValue {
  static readonly id = "SelectFdr";
  static readonly table = selectFdrParams;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectFdr {
    return new FittedSelectFdr(
      ...this.chosen(x, y, options, (pValues, alpha) => {
        const sorted = pValues.filter((p) => !Number.isNaN(p)).sort();
        let most = -1;
        for (let r = 0; r < sorted.length; r++)
          if (sorted[r]! <= (alpha / pValues.length) * (r + 1)) most = sorted[r]!;
        return (p) => p <= most;
      }),
    );
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedSelectFdr {
    const { params, columns, scores, pValues, selected } = restored(selectFdrParams, state);
    return new FittedSelectFdr(params, columns, scores, pValues, selected);
  }
}

export class FittedSelectFdr extends FittedByPValue {
  protected get id(): string {
    return SelectFdr.id;
  }
}

/** Columns with p < alpha / d: the probability to keep any that says nothing is alpha at most [Bonferroni]. Parity: SelectFwe. */
export class SelectFwe extends SelectByPValue {
  static readonly id = "SelectFwe";
  static readonly table = selectFweParams;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectFwe {
    return new FittedSelectFwe(
      ...this.chosen(
        x,
        y,
        options,
        ({ length }, alpha) =>
          (p) =>
            p < alpha / length,
      ),
    );
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedSelectFwe {
    const { params, columns, scores, pValues, selected } = restored(selectFweParams, state);
    return new FittedSelectFwe(params, columns, scores, pValues, selected);
  }
}

export class FittedSelectFwe extends FittedByPValue {
  protected get id(): string {
    return SelectFwe.id;
  }
}
