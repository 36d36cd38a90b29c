import { classifier, regressor } from "../core/capabilities.js";
import type { Capabilities, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { ParamsTable } from "../core/params/params.js";
import type { FittedNetwork, NetworkState } from "./fitted-network.js";
import type { ClassifierRecipe, RegressorRecipe } from "./learn-network.js";
import { learnClassifier, learnRegressor } from "./learn-network.js";
import type { NetworkFitOptions } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";

/** What a classifier that is a network can do, besides its own facts. */
export const networkClassifier = (facts: Partial<Capabilities>): Capabilities =>
  classifier({ sparse: true, probabilities: true, step: "epoch", form: "ensemble", ...facts });

/** The same of a regressor. */
export const networkRegressor = (facts: Partial<Capabilities> = {}): Capabilities =>
  regressor({
    sparse: true,
    scale: "standard",
    targetScale: "standard",
    step: "epoch",
    form: "ensemble",
    ...facts,
  });

type ClassifierClass<L extends Label, M> = new (state: NetworkState, classes: readonly L[]) => M;

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
