import type { FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import { refuseOptions } from "../core/params/options.js";
import type { ModelState } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { r2Score } from "../metrics/regression/regression.js";
import { FittedNetwork, type NetworkState } from "./fitted-network.js";

/** A network with one output, a number. */
export class FittedNetworkRegressor extends FittedNetwork implements FittedRegressor {
  readonly #id: string;

  constructor(state: NetworkState) {
    super(state);
    this.#id = state.id;
  }

  predict(x: MatrixLike): Float64Array;
  predict(x: MatrixLike, ...given: readonly unknown[]): Float64Array {
    const where = `${this.#id}.predict`;
    refuseOptions(where, given);
    return this.outputs(where, x);
  }

  [structure](): Structure {
    return regressorStructure(this, this.layerScores(false));
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.networkState({});
  }
}
