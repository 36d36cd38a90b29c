import type {
  Capabilities,
  FitOptions,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  Regressor,
  ScoreOptions,
} from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { type ModelState, StateReader } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import type { MemberOf } from "../ensembles/members.js";
import { r2Score } from "../metrics/regression.js";
import { centredTargets } from "../trees/decision-tree-regressor.js";
import { type TargetCriterion, targetCriteria } from "../trees/impurities.js";
import { DecisionTreeRegressor, FittedDecisionTreeRegressor } from "../trees/index.js";
import {
  type Bagger,
  type BaggingParams,
  type BaggingValues,
  bagCapabilities,
  baggingParams,
  bagSteps,
  checkBagging,
  memberBagger,
  seesAll,
} from "./bagging.js";
import {
  type AddInto,
  amongGiven,
  type BaggedMember,
  type BagState,
  FittedBag,
  outOfBagMeans,
  readBag,
  seenBy,
} from "./fitted-bag.js";
import { growsTogether, treeBagger } from "./tree-bags.js";

export const baggingRegressorParams = baggingParams<Regressor>("regressor", new DecisionTreeRegressor());

type Fitted<E extends Regressor> = FittedBaggingRegressor<MemberOf<E>>;

/**
 * Bootstrap aggregation [Breiman 1996]: each member is fitted to rows drawn with replacement, as many as there are.
 *
 *   f(x) = 1/T Σₜ fₜ(x)
 *
 * Members that do not take weights draw rows in proportion to theirs. Parity: otherwise scikit-learn's BaggingRegressor.
 */
export class BaggingRegressor<E extends Regressor = DecisionTreeRegressor> extends Estimator<
  typeof baggingRegressorParams
> {
  static readonly id = "BaggingRegressor";
  static readonly table = baggingRegressorParams;
  /** With the default estimator; `capabilities` of the object says what this one can take. */
  static readonly capabilities: Capabilities = DecisionTreeRegressor.capabilities;

  constructor(params: BaggingParams<E> = {}) {
    super(BaggingRegressor.id, baggingRegressorParams, params);
    checkBagging(this.id, this.params, "regression");
  }

  get capabilities(): Capabilities {
    return bagCapabilities(this.params, { task: "regression", probabilities: false });
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Fitted<E> {
    const where = "BaggingRegressor.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, member by member. */
  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<Fitted<E>>, Fitted<E>, void> {
    return this.#learn("BaggingRegressor.steps", x, y, options);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedBaggingRegressor {
    const reader = new StateReader(state);
    const isMember = (model: FittedModel): model is FittedRegressor =>
      "predict" in model && !("classes" in model);
    const judged = () => readOutOfBag(reader);
    return new FittedBaggingRegressor(readBag(reader, restorePart, "a regressor", isMember, judged));
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Step<Fitted<E>>, Fitted<E>, void> {
    const { id, params } = this;
    const { sparse, missing } = this.capabilities;
    const input = { sparse, missing };
    const set = regressionSet(where, x, y, options, input);
    const targets = { x: set.x, y: Array.from(set.y), weights: set.weights };
    const bagger = treesOf(where, params, set) ?? memberBagger(targets, params, options);
    const modelOf = (drawn: BaggedMember<FittedRegressor & MemberOf<E>>[]) => {
      const outOfBag = params.oobScore ? judgeOutOfBag(drawn, set) : undefined;
      const members = amongGiven(drawn, set.kept);
      const nFeatures = set.x.cols;
      const { featureNamesIn } = set;
      return new FittedBaggingRegressor({ id, params, input, nFeatures, featureNamesIn, members, outOfBag });
    };
    const steps = bagSteps<number, FittedRegressor & MemberOf<E>>(
      where,
      params.estimator,
      targets,
      params,
      false,
      bagger,
    );
    const drawn = yield* mapSteps(steps, ({ iteration, total, members }) => ({
      iteration,
      total,
      model: () => modelOf(members()),
    }));
    return modelOf(drawn);
  }
}

/** Trees have a fast way of their own. */
function treesOf(
  where: string,
  params: BaggingValues & { readonly estimator: Regressor },
  { x, y, weights }: RegressionSet,
): Bagger | null {
  const { estimator } = params;
  if (!(estimator instanceof DecisionTreeRegressor) || !seesAll(params, x.cols)) return null;
  const own = estimator.params;
  // Only what the kernels know can be grown together.
  if (!growsTogether(own) || !Object.hasOwn(targetCriteria, own.criterion)) return null;
  const { targets, restored } = centredTargets(where, y, own.criterion);
  return treeBagger(where, {
    x,
    weights,
    params: own,
    targets: { y: targets },
    criterion: targetCriteria[own.criterion as TargetCriterion],
    restored,
    fitted: (given, tree) =>
      new FittedDecisionTreeRegressor({ id: DecisionTreeRegressor.id, params: given, tree }),
  });
}

/** What members say of rows that they have not drawn. */
export interface OutOfBagMeans {
  /** R². */
  readonly score: number;
  /** Numbers of the rows that at least one member has not drawn. */
  readonly rows: Int32Array;
  /** Their mean predictions. */
  readonly predictions: Float64Array;
}

function judgeOutOfBag(
  members: readonly BaggedMember<FittedRegressor>[],
  { x, y, weights, kept }: RegressionSet,
): OutOfBagMeans | undefined {
  const { rows, means: predictions } = outOfBagMeans(members, x, 1, addPredictionsInto);
  // One row has no spread, and so no R².
  if (rows.length < 2) return undefined;
  const truth = Float64Array.from(rows, (i) => y[i]!);
  const options = weights ? { sampleWeight: Float64Array.from(rows, (i) => weights[i]!) } : {};
  const score = r2Score(truth, predictions, options);
  return { score, rows: kept ? rows.map((i) => kept[i]!) : rows, predictions };
}

function readOutOfBag(reader: StateReader): OutOfBagMeans {
  const predictions = reader.floats("oobPredictions", [-1]);
  const rows = reader.integers("oobRows", [predictions.length]);
  return { score: reader.number("oobScore"), rows, predictions };
}

const addPredictionsInto: AddInto<FittedRegressor> = (member, x, out) => {
  const said = member.model.predict(seenBy(member, x));
  for (let i = 0; i < out.length; i++) out[i]! += said[i]!;
};

export class FittedBaggingRegressor<M extends FittedModel = FittedModel>
  extends FittedBag<FittedRegressor & M, OutOfBagMeans>
  implements FittedRegressor
{
  constructor(state: BagState<FittedRegressor & M, OutOfBagMeans>) {
    super(state, 1);
  }

  predict(x: MatrixLike): Float64Array {
    const where = `${this.id}.predict`;
    return this.means(where, this.read(where, x), addPredictionsInto);
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({}, ({ predictions }) => ({
      oobPredictions: { shape: [predictions.length], data: predictions },
    }));
  }
}
