export { estimatorClasses } from "./generated/estimators.js";
export {
  createLoader,
  type EstimatorJson,
  type LoadedClassifier,
  type LoadedModel,
  type Loader,
  type LoadOptions,
  type RegisteredClass,
} from "./loader.js";
export type { CardOptions, InputColumn, InputKind, ModelCard } from "./model-card.js";
export { inputKinds, loadModelCard, modelCard } from "./model-card.js";
export { type SaveOptions, saveModel } from "./model-file.js";
export { modelToJson } from "./model-json.js";
export {
  estimatorFromJson,
  loadClassifier,
  loadModel,
  loadRegressor,
  loadTransformer,
} from "./registry.js";
