import { transformerCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { Estimator, restoreParams } from "../core/estimator.js";
import { choice, either, integer, type ParamsTable, type ParamValues, real } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { columnsOf, readColumns } from "../preprocessing/fitted-columns.js";
import { quantileOf } from "../preprocessing/scalers/quantiles.js";
import {
  FittedUnivariate,
  readPValues,
  readSelection,
  requireSome,
  type Selected,
} from "./fitted-selector.js";
import type { Targets } from "./score-functions.js";
import { scored, scoreFunction } from "./score-param.js";

const capabilities: Capabilities = { ...transformerCapabilities, sparse: true, needsTargets: true };

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
export class SelectKBest extends Estimator<typeof selectKBestParams> {
  static readonly id = "SelectKBest";
  static readonly table = selectKBestParams;
  static readonly capabilities: Capabilities = capabilities;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectKBest {
    const { rows, scores, pValues } = scored(SelectKBest.id, this.params.scoreFunction, x, y, options);
    const { k } = this.params;
    const count = k === "all" ? rows.cols : k;
    if (count > rows.cols) {
      throw new DataError({
        where: this.where("fit"),
        subject: "X",
        expected: `at least k = ${count} columns wide`,
        received: `${rows.cols} columns`,
        advice: 'k: "all" keeps all columns.',
      });
    }
    const order = ordered(scores);
    const places = [...order.keys()].sort((a, b) => order[a]! - order[b]! || a - b);
    const selected = places.slice(places.length - count).sort((a, b) => a - b);
    return new FittedSelectKBest(this.params, columnsOf(x, rows), scores, pValues, selected);
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedSelectKBest {
    const { params, columns, scores, pValues, selected } = restored(selectKBestParams, state);
    return new FittedSelectKBest(params, columns, scores, pValues, selected);
  }
}

/** What a saved selector by scores holds. */
export function restored<T extends ParamsTable>(table: T, state: ModelState) {
  const reader = new StateReader(state);
  const columns = readColumns(reader);
  const pValues = readPValues(reader, columns);
  return { params: restoreParams(table, reader), columns, pValues, ...readSelection(reader, columns) };
}

export class FittedSelectKBest extends FittedUnivariate<ParamValues<typeof selectKBestParams>> {
  protected get id(): string {
    return SelectKBest.id;
  }
}

export const selectPercentileParams = {
  scoreFunction,
  percentile: real({ above: 0, atMost: 100, default: 10, doc: "How many percent of the columns are kept." }),
};

/**
 * The columns with scores above a percentile of the scores; of those at it the first ones, as many as the percentage leaves room for.
 * Parity: scikit-learn's SelectPercentile.
 */
export class SelectPercentile extends Estimator<typeof selectPercentileParams> {
  static readonly id = "SelectPercentile";
  static readonly table = selectPercentileParams;
  static readonly capabilities: Capabilities = capabilities;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectPercentile {
    const { rows, scores, pValues } = scored(SelectPercentile.id, this.params.scoreFunction, x, y, options);
    const { percentile } = this.params;
    const order = ordered(scores);
    // Interpolation cannot use −∞: the least finite number is as small for the order.
    const finite = order.map((score) => Math.max(score, -Number.MAX_VALUE / 4));
    const threshold = quantileOf(finite.slice().sort(), 1 - percentile / 100);
    const above = [...finite.keys()].filter((j) => percentile === 100 || finite[j]! > threshold);
    const ties = [...finite.keys()].filter((j) => percentile < 100 && finite[j] === threshold);
    const room = Math.max(0, Math.trunc((rows.cols * percentile) / 100) - above.length);
    const selected = [...above, ...ties.slice(0, room)].sort((a, b) => a - b);
    requireSome(this.where("fit"), selected, `among the best ${percentile} %`, "Raise percentile.");
    return new FittedSelectPercentile(this.params, columnsOf(x, rows), scores, pValues, selected);
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedSelectPercentile {
    const { params, columns, scores, pValues, selected } = restored(selectPercentileParams, state);
    return new FittedSelectPercentile(params, columns, scores, pValues, selected);
  }
}

export class FittedSelectPercentile extends FittedUnivariate<ParamValues<typeof selectPercentileParams>> {
  protected get id(): string {
    return SelectPercentile.id;
  }
}
