export {
  createLoader,
  type EstimatorJson,
  type LoadedClassifier,
  type LoadedModel,
  type Loader,
  type LoadOptions,
  type RegisteredClass,
} from "./loader.js";
export { saveModel } from "./model-file.js";
export {
  estimatorClasses,
  estimatorFromJson,
  loadClassifier,
  loadModel,
  loadRegressor,
  loadTransformer,
} from "./registry.js";
