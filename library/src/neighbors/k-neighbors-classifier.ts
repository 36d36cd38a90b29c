import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import type { ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { FittedNeighborsClassifier, readClassified } from "./fitted-neighbors-classifier.js";
import { NeighborsEstimator, neighborsCapabilities, neighborsSpace } from "./neighbors-estimator.js";
import { nNeighbors, searchParams, weights } from "./params.js";

export const kNeighborsClassifierParams = { nNeighbors, weights, ...searchParams };
type KNeighborsParams = typeof kNeighborsClassifierParams;

/**
 * The k nearest training rows vote:
 *
 *   p(c | x) = Σ_{i ∈ N_k(x), y_i = c} w_i / Σ_{i ∈ N_k(x)} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Ties: of equally near rows the one with the smaller number is a neighbour, of equal sums the first class wins.
 * Parity: scikit-learn's KNeighborsClassifier. Distances of near rows far from the origin keep their digits.
 */
export class KNeighborsClassifier extends NeighborsEstimator<KNeighborsParams> {
  static readonly id = "KNeighborsClassifier";
  static readonly table = kNeighborsClassifierParams;
  static readonly title = "k nearest neighbours";
  static readonly capabilities: Capabilities = {
    ...classifierCapabilities,
    ...neighborsCapabilities,
    probabilities: true,
  };
  static readonly starter = { place: 3 } as const;
  static readonly candidate: DefaultCandidate = { cost: 5, mostRows: 50_000 };
  static readonly searchSpace = neighborsSpace;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedKNeighborsClassifier<L> {
    const { points, classes, codes } = this.classified(x, y, options);
    return new FittedKNeighborsClassifier(this.params, points, classes, codes);
  }

  static restore(state: ModelState): FittedKNeighborsClassifier {
    const { params, points, classes, codes } = readClassified(kNeighborsClassifierParams, state);
    return new FittedKNeighborsClassifier(params, points, classes, codes);
  }
}

export class FittedKNeighborsClassifier<L extends Label = Label> extends FittedNeighborsClassifier<L> {
  declare readonly params: ParamValues<KNeighborsParams>;
  protected readonly id = KNeighborsClassifier.id;
}
