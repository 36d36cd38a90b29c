import { transformer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import type { ParamSpec, ParamsTable, ParamValues } from "../core/params/params.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import { type Scaled, ScalerEstimator } from "../fitted/transformers.js";
import type { Targets } from "./score-functions.js";
import { type Scored, type ScoreFunction, scored } from "./score-param.js";

type ScoredTable = ParamsTable & { readonly scoreFunction: ParamSpec<ScoreFunction> };

/** What a fitted selector is made of: parameters, columns, scores, p-values and the numbers of the columns that are kept. */
export type SelectorParts<T extends ParamsTable> = readonly [
  ParamValues<T>,
  KnownFeatures,
  Float64Array,
  Float64Array | undefined,
  readonly number[],
];

/** Keeps columns by a score of each alone. */
export abstract class ScoreSelector<
  T extends ScoredTable,
  M extends { transform<X extends MatrixLike>(x: X): Scaled<X> },
> extends ScalerEstimator<T, MatrixLike, [y: Targets, options?: FitOptions]> {
  static readonly capabilities = transformer({ sparse: true, needsTargets: true });

  /** The numbers of the columns that are kept, ascending. */
  protected abstract chosen(where: string, scored: Scored): readonly number[];
  protected abstract fitted(...parts: SelectorParts<T>): M;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): M {
    const where = this.where("fit");
    const { scoreFunction } = this.params as ParamValues<ScoredTable>;
    const known = scored(where, scoreFunction, x, y, options);
    return this.fitted(this.params, known, known.scores, known.pValues, this.chosen(where, known));
  }
}
