import type { FittedModel, FittedRegressor, MatrixLike, RestorePart } from "../core/contract.js";
import { isSingleTarget } from "../core/model.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { RegressionSet } from "../data/training-set.js";
import type { MemberSet } from "../ensembles/member-rows.js";
import { withRegression } from "../fitted/regressor.js";
import { r2Score } from "../metrics/regression/regression.js";
import type { AddPredictionsInto, BaggedMember, BagState } from "./fitted-bag.js";
import { FittedBag, memberColumns, outOfBagMeans, readBag } from "./fitted-bag.js";

/** Out-of-bag predictions: each row's by the members that did not draw it. */
export interface OutOfBagMeans {
  /** R². */
  readonly score: number;
  /** Indices of the rows that at least one member did not draw. */
  readonly rows: Int32Array;
  /** Mean predictions, one for each of `rows`. */
  readonly predictions: Float64Array;
}

export function outOfBagPredictions(
  members: readonly BaggedMember<FittedRegressor>[],
  { x, y, weights, kept }: MemberSet<RegressionSet>,
): OutOfBagMeans | undefined {
  const { rows, means: predictions } = outOfBagMeans(members, x, 1, addPredictionsInto);
  // R² requires two rows.
  if (rows.length < 2) return undefined;
  const truth = Float64Array.from(rows, (i) => y[i]!);
  const options = weights ? { sampleWeight: Float64Array.from(rows, (i) => weights[i]!) } : {};
  const score = r2Score(truth, predictions, options);
  return { score, rows: kept ? rows.map((i) => kept[i]!) : rows, predictions };
}

/** The inverse of `FittedBaggingRegressor.toState`. */
export function readBaggingRegressor(state: ModelState, restorePart: RestorePart): FittedBaggingRegressor {
  const reader = new StateReader(state);
  const outOfBag = () => readOutOfBag(reader);
  return new FittedBaggingRegressor(readBag(reader, restorePart, "a regressor", isSingleTarget, outOfBag));
}

function readOutOfBag(reader: StateReader): OutOfBagMeans {
  const predictions = reader.floats("oobPredictions", [-1]);
  const rows = reader.integers("oobRows", [predictions.length]);
  return { score: reader.number("oobScore"), rows, predictions };
}

const addPredictionsInto: AddPredictionsInto<FittedRegressor> = (member, x, out) => {
  const predicted = member.model.predict(memberColumns(member, x));
  for (let i = 0; i < out.length; i++) out[i]! += predicted[i]!;
};

export class FittedBaggingRegressor<M extends FittedModel = FittedModel>
  extends /* @__PURE__ */ withRegression(FittedBag<FittedRegressor & FittedModel, OutOfBagMeans>)
  implements FittedRegressor
{
  /** Each with its rows and columns. */
  declare readonly members: readonly BaggedMember<FittedRegressor & M>[];

  constructor(state: BagState<FittedRegressor & M, OutOfBagMeans>) {
    super(state, 1);
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.means(where, this.read(where, x), addPredictionsInto);
  }

  [structure](): Structure {
    return regressorStructure(this, this.scoresBy("mean"));
  }

  toState(): ModelState {
    return this.bagState({}, ({ predictions }) => ({ oobPredictions: predictions }));
  }
}
