import {
  FittedKBinsDiscretizer,
  FittedOneHotEncoder,
  FittedSimpleImputer,
  FittedThresholdBinner,
  FittedTruncatedSVD,
  structureOf,
} from "argmax";
import { DataError, type FittedModel, ParameterError } from "argmax/core";
import { transformedCells } from "../compile/compile-model.js";
import type { TrainingRows } from "../rows/training-rows.js";

type Outputs = Pick<TrainingRows, "features" | "namesIn" | "isSparse">;

/** What models made of the rows that they learned from, where that is not what they make of other rows. */
const known = new WeakMap<FittedModel, Outputs>();

/** Notes what the columns of the training rows are after a model that has just learned from them. */
export function withOutputs<M extends FittedModel>(model: M, outputs: Outputs): M {
  known.set(model, outputs);
  return model;
}

/** The training rows after a fitted transformer, as the next step learns from them. */
export function transformedRows(model: FittedModel, rows: TrainingRows): TrainingRows {
  const { features, namesIn, isSparse } = known.get(model) ?? {
    features: cellsAfter(model, rows),
    namesIn: namesOut(model, rows),
    isSparse: isSparseAfter(model, rows.isSparse),
  };
  return rows.withFeatures(features, namesIn, isSparse);
}

function cellsAfter(model: FittedModel, rows: TrainingRows) {
  const structure = structureOf(model);
  try {
    return transformedCells(structure, rows.features);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const expected = "one that a database computes, as steps after it need";
    const advice = "Make it the last step, or take another: KBinsDiscretizer, PolynomialFeatures.";
    throw new ParameterError(
      rows.where,
      "a step",
      expected,
      `${model.toState().kind}: ${error.received}`,
      advice,
    );
  }
}

/** Outputs have no names, but those of a table that an imputer has filled. */
function namesOut(model: FittedModel, { features }: TrainingRows): readonly string[] | undefined {
  const isTable = model instanceof FittedSimpleImputer && features.some(({ kind }) => kind === "categorical");
  return isTable ? model.featureNames() : undefined;
}

/** Whether `transform` gives a sparse matrix in memory. */
function isSparseAfter(model: FittedModel, isInputSparse: boolean): boolean {
  if ("sparseOutput" in model) return model.sparseOutput === true;
  if (model instanceof FittedOneHotEncoder) return model.params.sparseOutput;
  if (model instanceof FittedKBinsDiscretizer || model instanceof FittedThresholdBinner)
    return model.params.encode === "onehot";
  return isInputSparse && !(model instanceof FittedTruncatedSVD);
}
