import { DataError } from "../core/errors.js";
import { choice, either, integer, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { quantileOf } from "../preprocessing/scalers/quantiles.js";
import { FittedUnivariate, readUnivariate, requireSome } from "./fitted-selector.js";
import { type Scored, scoreFunction } from "./score-param.js";
import { ScoreSelector, type SelectorParts } from "./score-selector.js";

/** NaN is the least. */
const ordered = (scores: Float64Array): Float64Array =>
  scores.map((score) => (Number.isNaN(score) ? -Infinity : score));

export const selectKBestParams = {
  scoreFunction,
  k: either(
    integer({
      atLeast: 1,
      default: 10,
      doc: 'How many columns are kept; "all" for all, to look at the scores.',
    }),
    choice(["all"], { default: "all", doc: "" }),
  ),
};

/**
 * The k columns with the highest scores, each judged alone; of equal ones the later. Parity: scikit-learn's SelectKBest.
 */
export class SelectKBest extends ScoreSelector<typeof selectKBestParams, FittedSelectKBest> {
  static readonly id = "SelectKBest";
  static readonly table = selectKBestParams;

  protected chosen(where: string, { scores, nFeatures }: Scored): readonly number[] {
    const { k } = this.params;
    const count = k === "all" ? nFeatures : k;
    if (count > nFeatures) {
      const expected = `at least k = ${count} columns wide`;
      throw new DataError(where, "X", expected, `${nFeatures} columns`, 'k: "all" keeps all columns.');
    }
    const order = ordered(scores);
    const places = [...order.keys()].sort((a, b) => order[a]! - order[b]! || a - b);
    return places.slice(places.length - count).sort((a, b) => a - b);
  }

  protected fitted(...parts: SelectorParts<typeof selectKBestParams>): FittedSelectKBest {
    return new FittedSelectKBest(...parts);
  }

  static restore(state: ModelState): FittedSelectKBest {
    return new FittedSelectKBest(...readUnivariate(selectKBestParams, state));
  }
}

export class FittedSelectKBest extends FittedUnivariate<ParamValues<typeof selectKBestParams>> {
  protected readonly id = SelectKBest.id;
}

export const selectPercentileParams = {
  scoreFunction,
  percentile: real({ above: 0, atMost: 100, default: 10, doc: "How many percent of the columns are kept." }),
};

/**
 * The columns with scores above a percentile of the scores; of those at it the first ones, as many as the percentage leaves room for.
 * Parity: scikit-learn's SelectPercentile.
 */
export class SelectPercentile extends ScoreSelector<typeof selectPercentileParams, FittedSelectPercentile> {
  static readonly id = "SelectPercentile";
  static readonly table = selectPercentileParams;

  protected chosen(where: string, { scores, nFeatures }: Scored): readonly number[] {
    const { percentile } = this.params;
    // Interpolation cannot use −∞: the least finite number is as small for the order.
    const finite = ordered(scores).map((score) => Math.max(score, -Number.MAX_VALUE / 4));
    const threshold = quantileOf(finite.slice().sort(), 1 - percentile / 100);
    const above = [...finite.keys()].filter((j) => percentile === 100 || finite[j]! > threshold);
    const ties = [...finite.keys()].filter((j) => percentile < 100 && finite[j] === threshold);
    const room = Math.max(0, Math.trunc((nFeatures * percentile) / 100) - above.length);
    const selected = [...above, ...ties.slice(0, room)].sort((a, b) => a - b);
    requireSome(where, selected, `among the best ${percentile} %`, "Raise percentile.");
    return selected;
  }

  protected fitted(...parts: SelectorParts<typeof selectPercentileParams>): FittedSelectPercentile {
    return new FittedSelectPercentile(...parts);
  }

  static restore(state: ModelState): FittedSelectPercentile {
    return new FittedSelectPercentile(...readUnivariate(selectPercentileParams, state));
  }
}

export class FittedSelectPercentile extends FittedUnivariate<ParamValues<typeof selectPercentileParams>> {
  protected readonly id = SelectPercentile.id;
}
