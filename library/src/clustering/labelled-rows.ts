import type { FittedClusterer } from "../core/contract.js";
import { Model } from "../core/model.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, undescribed } from "../core/structure.js";
import type { KnownFeatures } from "../data/feature-names-in.js";

/** Clusters of the rows of fit, which say nothing about others. */
export abstract class LabelledRows<P extends object> extends Model implements FittedClusterer {
  protected abstract readonly id: string;
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  abstract readonly nClusters: number;

  constructor(
    readonly params: P,
    { nFeatures, featureNamesIn }: KnownFeatures,
    /** The cluster of every row of fit; −1 is noise. */
    readonly labels: Int32Array,
  ) {
    super();
    this.nFeatures = nFeatures;
    this.featureNamesIn = featureNamesIn;
  }

  [structure](): Structure {
    return undescribed("it has clusters of its training rows only, and predicts nothing for others");
  }

  toState(): ModelState {
    const { nClusters, nFeatures, labels } = this;
    return stateOf(this.id, this, { nClusters, nFeatures, labels, ...this.learned() });
  }

  /** What else was learned. */
  protected abstract learned(): Learned;
}
