import type { FittedModel, MatrixLike } from "../core/contract.js";
import { Estimator, restoreParams, runSteps } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { ParamsTable, ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { FittedNetwork, NetworkState } from "./fitted-network.js";
import {
  type ClassifierRecipe,
  learnClassifier,
  learnRegressor,
  type RegressorRecipe,
  restoreClassifier,
  restoreRegressor,
} from "./learn-network.js";
import type { NetworkFitOptions } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";

type ClassifierClass<L extends Label, M> = new (state: NetworkState, classes: readonly L[]) => M;
type RegressorClass<M> = new (state: NetworkState) => M;

/** A classifier that is a network: what it does is in its recipe. */
export abstract class NetworkClassifier<T extends ParamsTable> extends Estimator<T> {
  /** Of one fit: a recipe keeps what it has learned of the rows. */
  protected abstract recipe(options?: object): ClassifierRecipe;

  protected fitNetwork<L extends Label, M extends FittedNetwork>(
    Fitted: ClassifierClass<L, M>,
    x: MatrixLike,
    y: Labels<L>,
    options: NetworkFitOptions<M>,
  ): M {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, Fitted, x, y, options, false), options);
  }

  protected *networkSteps<L extends Label, M extends FittedNetwork>(
    Fitted: ClassifierClass<L, M>,
    x: MatrixLike,
    y: Labels<L>,
    options: NetworkFitOptions<M>,
  ): NetworkSteps<M> {
    return yield* this.#learn(this.where("steps"), Fitted, x, y, options, true);
  }

  #learn<L extends Label, M extends FittedNetwork>(
    where: string,
    Fitted: ClassifierClass<L, M>,
    x: MatrixLike,
    y: Labels<L>,
    options: NetworkFitOptions<M>,
    snapshots: boolean,
  ): NetworkSteps<M> {
    const make = (state: NetworkState, classes: readonly L[]) => new Fitted(state, classes);
    return learnClassifier(where, this.recipe(options), x, y, options, snapshots, make);
  }
}

/** A regressor that is a network. */
export abstract class NetworkRegressor<
  T extends ParamsTable,
  M extends FittedNetwork,
  O extends NetworkFitOptions<M> = NetworkFitOptions<M>,
> extends Estimator<T> {
  protected abstract recipe(options?: object): RegressorRecipe;
  protected abstract fitted(state: NetworkState): M;

  fit(x: MatrixLike, y: NumberArray, options: O = {} as O): M {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options, false), options);
  }

  /** The fit, epoch by epoch. */
  *steps(x: MatrixLike, y: NumberArray, options: O = {} as O): NetworkSteps<M> {
    return yield* this.#learn(this.where("steps"), x, y, options, true);
  }

  #learn(where: string, x: MatrixLike, y: NumberArray, options: O, snapshots: boolean): NetworkSteps<M> {
    const make = (state: NetworkState) => this.fitted(state);
    return learnRegressor(where, this.recipe(options), x, y, options, snapshots, make);
  }
}

/** A saved classifier, which was fitted with parameters of `table`. */
export function restoredClassifier<T extends ParamsTable, M extends FittedModel>(
  given: ModelState,
  table: T,
  recipeOf: (params: ParamValues<T>) => ClassifierRecipe,
  Fitted: ClassifierClass<Label, M>,
): M {
  const { state, classes } = restoreClassifier(given, (reader) => recipeOf(restoreParams(table, reader)));
  return new Fitted(state, classes);
}

/** A saved regressor. */
export function restoredRegressor<T extends ParamsTable, M extends FittedModel>(
  state: ModelState,
  table: T,
  recipeOf: (params: ParamValues<T>) => RegressorRecipe,
  Fitted: RegressorClass<M>,
): M {
  return new Fitted(restoreRegressor(state, (reader) => recipeOf(restoreParams(table, reader))));
}
