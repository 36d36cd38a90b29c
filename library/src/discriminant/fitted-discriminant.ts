import { classifier } from "../core/capabilities.js";
import type { MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { classIndex, type Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { ParamsTable } from "../core/params/params.js";
import { restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readPositive } from "../core/state/state-lists.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { PosteriorClassifier } from "../fitted/classifiers.js";
import { type Boundary, type ConicKind, conicKind } from "./conic.js";

export const discriminantCapabilities = classifier({
  probabilities: true,
  decisionFunction: true,
  form: "distribution",
});

/**
 * A fitted Gaussian discriminant. Its margins are log posteriors up to a constant per row:
 *
 *   one column per class log πₖ + log N(x; μₖ, Σₖ) + …
 *   two classes          the second's less the first's, in one column
 */
export abstract class FittedDiscriminant<L extends Label = Label> extends PosteriorClassifier<L> {
  /** One row per class. */
  abstract readonly means: Matrix;
  /** π of each class. */
  abstract readonly priors: Float64Array;
  abstract readonly featureNamesIn: readonly string[] | undefined;

  /** log p(x | k) of rows that have been checked, one column per class. */
  protected abstract densities(where: string, x: Matrix): Matrix;
  /** Margins of rows that have been checked; finite for finite rows. */
  protected abstract margins(where: string, x: Matrix): Matrix;
  /** The boundary between classes a and b, by index. */
  protected abstract between(a: number, b: number): Boundary;

  get nFeatures(): number {
    return this.means.cols;
  }

  /**
   * log p(x | k) of every row, the class's normal density, one column per class in the order of `classes`. With log πₖ added, the
   * softmax of a row is its posterior.
   */
  logLikelihood(x: MatrixLike): Matrix {
    const where = `${this.id}.logLikelihood`;
    return this.densities(where, this.read(where, x));
  }

  /** log p(x | a) − log p(x | b) of every row, without the priors. */
  logLikelihoodRatio(x: MatrixLike, a: L, b: L): Float64Array {
    const where = `${this.id}.logLikelihoodRatio`;
    const [first, second] = [classIndex(where, this.classes, a), classIndex(where, this.classes, b)];
    const z = this.scoreRows(where, x);
    const prior = log(this.priors[first]!) - log(this.priors[second]!);
    const score = (i: number, k: number) =>
      z.cols === 1 ? (k === 1 ? z.data[i]! : 0) : z.data[i * z.cols + k]!;
    return Float64Array.from({ length: z.rows }, (_, i) => score(i, first) - score(i, second) - prior);
  }

  /**
   * A, b and c of the boundary vᵀAv + vᵀb + c = 0 between two classes. The sum is log p(a | v) − log p(b | v), priors
   * included: positive where a is the more probable.
   */
  boundary(a: L, b: L): Boundary {
    const where = `${this.id}.boundary`;
    const [first, second] = [classIndex(where, this.classes, a), classIndex(where, this.classes, b)];
    if (first === second) throw new ParameterError(where, "the classes", "two different ones", show(a));
    return this.between(first, second);
  }

  /** For two features: the kind of curve that the boundary between two classes is. */
  conic(a: L, b: L): ConicKind {
    return conicKind(this.boundary(a, b));
  }

  protected scoreRows(where: string, x: MatrixLike): Matrix {
    return this.margins(where, this.read(where, x));
  }

  protected read(where: string, x: MatrixLike): Matrix {
    return readMatrix(where, x, { like: this });
  }
}

/** Classes, priors, means and column names, as every discriminant stores them. */
export function readDiscriminant<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params } = restoring(table, state);
  const classes: readonly Label[] = reader.labels("classes", 2);
  const K = classes.length;
  const priors = readPositive(reader, "priors", [K]);
  const means = reader.finite("means", [K, -1]);
  const d = means.length / K;
  const featureNamesIn = readFeatureNames(reader, d);
  return { reader, params, classes, priors, means: new Matrix(means, K, d), featureNamesIn };
}
