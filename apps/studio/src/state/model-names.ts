import { ownValue } from "../data/table.js";
import type { ModelEntry } from "./document.js";

/** "RandomForestClassifier" → "Random forest", "SVC" → "SVC". */
export function modelName(estimator: string): string {
  // A link may name anything, even "constructor".
  const known = ownValue(names, estimator);
  if (known !== undefined) return known;
  const words = estimator
    .replace(/(Classifier|Regressor)$/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return words
    .split(" ")
    .map((word, k) => (k === 0 || /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}

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

const names: Readonly<Record<string, string>> = {
  SVC: "SVM, Gaussian kernel",
  SVR: "SVM regression",
  LinearSVC: "Linear SVM",
  KNeighborsClassifier: "k nearest neighbours",
  KNeighborsRegressor: "k nearest neighbours",
  DecisionTreeClassifier: "Decision tree",
  AdaBoostClassifier: "AdaBoost",
  AdaBoostRegressor: "AdaBoost",
  MLPClassifier: "Neural network",
  MLPRegressor: "Neural network",
  CNNClassifier: "Convolutional network",
  ViTClassifier: "Vision transformer",
  GaussianNB: "Naive Bayes, Gaussian",
  HistGradientBoostingClassifier: "Gradient boosting",
  HistGradientBoostingRegressor: "Gradient boosting",
  KMeans: "k-means",
  MiniBatchKMeans: "k-means, mini-batches",
};
