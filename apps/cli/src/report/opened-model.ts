import type { FittedModel, LoadedModel, Matrix, ModelCard, Table } from "argmax";
import { structureOf } from "argmax";
import { Failure } from "../command.js";
import { labelOfFitted } from "../described-model.js";

/** What `openModel` returns. */
export interface OpenedModel {
  readonly name: string;
  readonly model: LoadedModel;
  readonly card: ModelCard | undefined;
}

export type Predictor = LoadedModel & Required<Pick<LoadedModel, "predict">>;

/** The model, if it predicts one target. */
export function requirePredictor({ name, model }: OpenedModel): Predictor {
  if (model.nTargets !== undefined)
    throw new Failure(
      `${name} predicts ${model.nTargets} targets at once; only models of one target are supported.`,
    );
  if (typeof model.predict === "function") return model as Predictor;
  throw new Failure(`${name} is a ${kindOf(model)}, which transforms columns and predicts nothing.`);
}

export const isClassifier = (model: LoadedModel): boolean => model.classes !== undefined;

/** The steps of a pipeline or the model alone; of a search, those of its best model. */
export function stepsOf(model: FittedModel): readonly FittedModel[] {
  const { bestModel, steps } = model as { bestModel?: FittedModel; steps?: readonly FittedModel[] };
  if (bestModel) return stepsOf(bestModel);
  return Array.isArray(steps) ? (steps as readonly FittedModel[]).flatMap(stepsOf) : [model];
}

/** The class of the estimator. */
const kindOf = (model: FittedModel): string => model.toState().kind;

/** `TableVectorizer → RandomForestClassifier`. */
export const namesOfSteps = (model: FittedModel): string => stepsOf(model).map(kindOf).join(" → ");

/** The same with the parameters of the model that differ from their defaults: `TableVectorizer → RandomForestClassifier (maxDepth 8)`. */
export function describeModel(model: FittedModel): string {
  const steps = stepsOf(model);
  return [...steps.slice(0, -1).map(kindOf), labelOfFitted(steps.at(-1)!)].join(" → ");
}

/**
 * Whether the coefficients and the scores of a model are those of pairs of classes, as a support vector machine may have. Their number does not
 * show it: three classes have three pairs.
 */
export function pairsOf(model: FittedModel): { readonly coef: boolean; readonly scores: boolean } {
  const structure = structureOf(model);
  const coef = structure.kind === "classifier" && structure.decision.kind === "pairs";
  return { coef, scores: coef && structure.margins === "scores" };
}

/** The columns that the model reads, in its order; the others are left out and named. */
export function inputsOf(
  { name, model, card }: OpenedModel,
  X: Table,
  data: string,
): { readonly X: Table | Matrix; readonly table: Table; readonly remarks: readonly string[] } {
  const known = model.featureNamesIn ?? card?.inputs.map((input) => input.name);
  const given = X.columnNames;
  if (known === undefined) {
    if (given.length === model.nFeatures) return { X: X.toMatrix(), table: X, remarks: [] };
    throw new Failure(
      `${name} reads ${model.nFeatures} columns without names, and ${data} has ${given.length} besides the target.`,
    );
  }
  const missing = known.filter((column) => !given.includes(column));
  if (missing.length > 0)
    throw new Failure(
      `${data} has no column ${listed(missing)}, which ${name} was trained on. Its columns are ${listed(given)}.`,
    );
  const table = X.select(known);
  const extra = given.filter((column) => !known.includes(column));
  const remarks = extra.length === 0 ? [] : [`Not used by the model: ${listed(extra)}.`];
  // A model of numbers without names of its own reads the card's columns in their order.
  return { X: model.featureNamesIn ? table : table.toMatrix(), table, remarks };
}

/** Names of columns or classes, the first eight of them. */
export const listed = (names: readonly unknown[]): string => {
  const shown = names.slice(0, 8).map((one) => (typeof one === "string" ? JSON.stringify(one) : String(one)));
  return shown.join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");
};
