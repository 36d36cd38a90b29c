import type {
  Capabilities,
  FitOptions,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  Progress,
  Regressor,
  ScoreOptions,
} from "../core/contract.js";
import { describeParams, Estimator, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Design, readMatrix } from "../data/input.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { centred } from "../trees/decision-tree-regressor.js";
import { type TargetCriterion, targetCriteria } from "../trees/impurities.js";
import { DecisionTreeRegressor, FittedDecisionTreeRegressor } from "../trees/index.js";
import {
  type BaggedMember,
  type Bagger,
  type BaggingValues,
  type BagInput,
  baggingParams,
  bagSteps,
  checkBagging,
  drawsState,
  inputOf,
  leftOut,
  memberBagger,
  readBagInput,
  readDraws,
  seenBy,
  seesAll,
} from "./bagging.js";
import { capabilitiesOver, memberParam, requireTask } from "./members.js";
import { growsTogether, type TreeBag, treeBag, treeBagger } from "./tree-bags.js";

export const baggingRegressorParams = {
  estimator: memberParam<Regressor>({
    default: new DecisionTreeRegressor(),
    doc: "Any regressor; those that vary much from sample to sample gain most.",
  }),
  ...baggingParams,
};

type Fitted<E extends Regressor> = FittedBaggingRegressor<ReturnType<E["fit"]>>;

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

  constructor(
    params: Omit<Params<typeof baggingRegressorParams>, "estimator"> & { readonly estimator?: E } = {},
  ) {
    super(BaggingRegressor.id, baggingRegressorParams, params);
    requireTask(this.id, this.params.estimator, "regression");
    checkBagging(this.id, this.params);
  }

  get capabilities(): Capabilities {
    const own = {
      task: "regression",
      probabilities: false,
      decisionFunction: false,
      sampleWeight: true,
    } as const;
    const over = capabilitiesOver(this.params.estimator, own);
    return { ...over, ...inputOf(over, this.params) };
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Fitted<E> {
    const where = "BaggingRegressor.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedBaggingRegressor {
    const reader = new StateReader(state);
    const nFeatures = reader.count("nFeatures");
    const input = readBagInput(reader);
    const models = (state.parts ?? []).map(restorePart);
    for (const [t, model] of models.entries()) {
      if (!("predict" in model) || "classes" in model)
        reader.fail(`member ${t}`, "a regressor", "another model");
    }
    const members = readDraws<FittedRegressor>(reader, models, nFeatures);
    const outOfBag = state.values["oobScore"] === undefined ? null : readOutOfBag(reader);
    return new FittedBaggingRegressor({ params: state.params, input, nFeatures, members, outOfBag });
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Progress, Fitted<E>, void> {
    const { params } = this;
    const { sparse, missing } = this.capabilities;
    const input = { sparse, missing };
    const set = regressionSet(where, x, y, options, input);
    const targets = { x: set.x, y: Array.from(set.y), weights: set.weights };
    const bagger =
      treesOf(where, params, set) ?? memberBagger<number, FittedRegressor>(targets, params, options);
    const members = yield* bagSteps(where, params.estimator, targets, params, false, bagger);
    const outOfBag = params.oobScore ? judgeOutOfBag(members, set) : null;
    return new FittedBaggingRegressor({
      params,
      input,
      nFeatures: set.x.cols,
      members: members as never,
      outOfBag,
    });
  }
}

/** Trees have a fast way of their own. */
function treesOf(
  where: string,
  params: BaggingValues & { readonly estimator: Regressor },
  { x, y, weights }: RegressionSet,
): Bagger<FittedRegressor> | null {
  const { estimator } = params;
  if (!(estimator instanceof DecisionTreeRegressor) || !seesAll(params, x.cols)) return null;
  const own = estimator.params;
  // Only what the kernels know can be grown together.
  if (!growsTogether(own) || !Object.hasOwn(targetCriteria, own.criterion)) return null;
  const { targets, restored } = centred(where, y, own.criterion);
  return treeBagger<FittedRegressor>(where, {
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
): OutOfBagMeans {
  const sums = new Float64Array(x.rows);
  const asked = new Int32Array(x.rows);
  for (const member of members) {
    const rows = leftOut(member, x.rows);
    if (rows.length === 0) continue;
    const said = member.model.predict(seenBy(member, x.selectRows(rows)));
    for (const [r, i] of rows.entries()) {
      asked[i]!++;
      sums[i]! += said[r]!;
    }
  }
  const known = Int32Array.from(asked.keys()).filter((i) => asked[i]! > 0);
  const predictions = Float64Array.from(known, (i) => sums[i]! / asked[i]!);
  const truth = Float64Array.from(known, (i) => y[i]!);
  const options = weights ? { sampleWeight: Float64Array.from(known, (i) => weights[i]!) } : {};
  const score = known.length > 1 ? r2Score(truth, predictions, options) : 0;
  return { score, rows: known.map((i) => (kept ? kept[i]! : i)), predictions };
}

function readOutOfBag(reader: StateReader): OutOfBagMeans {
  const predictions = reader.floats("oobPredictions", [-1]);
  const rows = reader.integers("oobRows", [predictions.length]);
  return { score: reader.number("oobScore"), rows, predictions };
}

interface BaggingState<M extends FittedModel> {
  readonly params: object;
  readonly input: BagInput;
  readonly nFeatures: number;
  readonly members: readonly BaggedMember<FittedRegressor & M>[];
  readonly outOfBag: OutOfBagMeans | null;
}

export class FittedBaggingRegressor<M extends FittedModel = FittedModel> implements FittedRegressor {
  readonly nFeatures: number;
  /** Each with the rows and columns that it drew. */
  readonly members: readonly BaggedMember<FittedRegressor & M>[];
  /** With `oobScore`: what members say of rows that they have not seen. Else null. */
  readonly outOfBag: OutOfBagMeans | null;
  readonly #params: object;
  readonly #input: BagInput;
  /** The members as one forest, where they are trees. */
  readonly #trees: TreeBag | null;

  constructor({ params, input, nFeatures, members, outOfBag }: BaggingState<M>) {
    this.#params = params;
    this.#input = input;
    this.nFeatures = nFeatures;
    this.members = Object.freeze([...members]);
    this.#trees = treeBag(members, 1);
    this.outOfBag = outOfBag;
  }

  /** R² on rows that the members had not drawn; null without `oobScore`. */
  get oobScore(): number | null {
    return this.outOfBag?.score ?? null;
  }

  predict(x: MatrixLike): Float64Array {
    const where = `${BaggingRegressor.id}.predict`;
    const design = readMatrix(where, x, { cols: this.nFeatures, ...this.#input });
    const out = this.#trees?.sums(where, design) ?? this.#sums(design);
    const T = this.members.length;
    for (let i = 0; i < out.length; i++) out[i]! /= T;
    return out;
  }

  #sums(design: Design): Float64Array {
    const out = new Float64Array(design.rows);
    for (const member of this.members) {
      const said = member.model.predict(seenBy(member, design));
      for (let i = 0; i < out.length; i++) out[i]! += said[i]!;
    }
    return out;
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { outOfBag, members, nFeatures } = this;
    return {
      kind: BaggingRegressor.id,
      params: describeParams(this.#params),
      values: { nFeatures, ...this.#input, ...(outOfBag && { oobScore: outOfBag.score }) },
      tensors: {
        ...drawsState(members),
        ...(outOfBag && {
          oobRows: { shape: [outOfBag.rows.length], data: outOfBag.rows },
          oobPredictions: { shape: [outOfBag.rows.length], data: outOfBag.predictions },
        }),
      },
      parts: members.map(({ model }) => model.toState()),
    };
  }
}
