import { ownValue } from "../data/table.js";
import { titles } from "../generated/estimators.js";
import type { ModelEntry } from "./document.js";

/** "Random forest" for RandomForestClassifier. A link may name anything, even "constructor". */
export const modelName = (estimator: string): string => ownValue(titles, estimator) ?? estimator;

/** What tells a model from others of its kind: what is set, or else its id; nothing where there are no others. */
export function distinction(model: ModelEntry, models: readonly ModelEntry[]): string {
  const others = models.filter(({ id, estimator }) => id !== model.id && estimator === model.estimator);
  if (others.length === 0) return "";
  const set = settingsText(model);
  const isAlike = others.some((other) => settingsText(other) === set);
  if (set === "") return model.id;
  return isAlike ? `${set} (${model.id})` : set;
}

/** What is set, also where there are no others of its kind: a default model is told from one that is set. */
export const settingsOrId = (model: ModelEntry, models: readonly ModelEntry[]): string =>
  distinction(model, models) || settingsText(model);

/** The name of a model, and what tells it from others of its kind. */
export function modelLabel(model: ModelEntry, models: readonly ModelEntry[]): string {
  const own = distinction(model, models);
  return modelName(model.estimator) + (own === "" ? "" : `, ${own}`);
}

/** Parameters that are set and have a short text: members, stages and layers have none. */
const settingsText = ({ params }: ModelEntry): string =>
  Object.entries(params)
    .flatMap(([name, value]) => {
      if (typeof value !== "object" || value === null) return [`${name} ${value}`];
      if ("name" in value) return [`${name} ${value.name}`];
      return Array.isArray(value) && value.every((one) => typeof one !== "object")
        ? [`${name} ${value.join(", ")}`]
        : [];
    })
    .join(", ");
