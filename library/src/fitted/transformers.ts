import type { CsrLike, FitOptions, FittedModel, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { Model } from "../core/model.js";
import type { ParamsTable } from "../core/params/params.js";
import { stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { inputNames } from "../data/feature-names.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import { type Design, type InputRules, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type ReadBy, type UnlabelledSet, unweightedSet } from "../data/training-set.js";

/** Sparse stays sparse, everything else becomes a matrix. */
export type Scaled<X> = X extends CsrLike ? CsrMatrix : Matrix;

/** What `fit` takes besides X: y is ignored by what learns from X alone. */
type Ignored = [y?: Unlabelled, options?: FitOptions];

/** A model, and what it makes of the rows of fit. */
export interface Transformed<M, X> {
  readonly model: M;
  readonly X: X;
}

/** Learns from X alone. */
abstract class UnlabelledEstimator<T extends ParamsTable> extends Estimator<T> {
  /** The rows of `fit`, where weights have no meaning, and the name of the call. */
  protected unweighted<R extends InputRules>(
    x: MatrixLike,
    y: Unlabelled,
    options: FitOptions | undefined,
    rules: R,
  ): UnlabelledSet<ReadBy<R>> & { readonly where: string } {
    const where = this.where("fit");
    return { ...unweightedSet(where, x, y, options, rules), where };
  }
}

/** Learns to make `Out` of X: `fitTransform` follows from `fit`. */
export abstract class TransformerEstimator<
  T extends ParamsTable,
  In = MatrixLike,
  Out = Matrix,
> extends UnlabelledEstimator<T> {
  abstract fit(x: In, ...rest: Ignored): { transform(x: In): Out };

  /** `fit(x).transform(x)`. */
  fitTransform(x: In, ...rest: Ignored): Out {
    return this.fit(x, ...rest).transform(x);
  }
}

/** The same where sparse rows stay sparse; `Rest` is what `fit` takes besides X. */
export abstract class ScalerEstimator<
  T extends ParamsTable,
  In = MatrixLike,
  Rest extends unknown[] = Ignored,
> extends UnlabelledEstimator<T> {
  abstract fit(x: In, ...rest: Rest): { transform<X extends In>(x: X): Scaled<X> };

  /** `fit(x).transform(x)`. */
  fitTransform<X extends In>(x: X, ...rest: Rest): Scaled<X> {
    return this.fit(x, ...rest).transform(x);
  }
}

/** One that makes its outputs while it learns. */
export abstract class OnePassEstimator<
  T extends ParamsTable,
  In,
  M,
  Out,
  Rest extends unknown[] = Ignored,
> extends Estimator<T> {
  /** The model, and what it makes of the rows of fit. */
  abstract fitAndTransform(x: In, ...rest: Rest): Transformed<M, Out>;

  fit(x: In, ...rest: Rest): M {
    return this.fitAndTransform(x, ...rest).model;
  }

  /** `fit(x).transform(x)`, in one pass. */
  fitTransform(x: In, ...rest: Rest): Out {
    return this.fitAndTransform(x, ...rest).X;
  }
}

/** A fitted transformer, with the number of columns of X and, where they have any, their names. */
export abstract class TransformerModel<P extends object> extends Model implements FittedModel {
  /** Name of the estimator. */
  protected abstract readonly id: string;
  readonly nFeatures: number;
  /** Names of the columns in fit, where X had them. */
  readonly featureNamesIn: readonly string[] | undefined;

  constructor(
    readonly params: P,
    { nFeatures, featureNamesIn }: KnownFeatures,
  ) {
    super();
    this.nFeatures = nFeatures;
    this.featureNamesIn = featureNamesIn;
  }

  /** Names of the output columns; by default those of the input. */
  featureNames(input?: readonly string[]): string[] {
    return [...this.namesIn(input)];
  }

  toState(): ModelState {
    return stateOf(this.id, this, ["nFeatures"]);
  }

  /** The name of a method in errors. */
  protected where(method: string): string {
    return `Fitted${this.id}.${method}`;
  }

  /** Reads X, which must have the columns of fit; a table's columns are matched by name. */
  protected read(where: string, x: MatrixLike, rules: InputRules & { sparse?: false }): Matrix;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design {
    return readMatrix(where, x, { ...rules, like: this });
  }

  protected namesIn(input?: readonly string[]): readonly string[] {
    return inputNames(this.where("featureNames"), input, this.featureNamesIn, this.nFeatures);
  }
}
