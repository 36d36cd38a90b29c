export * from "./adaboost/index.js";
export * from "./background/index.js";
export * from "./bagging/index.js";
export * from "./bayes/index.js";
export * from "./boosting/index.js";
export * from "./cascade/index.js";
export * from "./clustering/index.js";
export * from "./compare/index.js";
export * from "./compose/index.js";
export type { Step } from "./core/index.js";
export * from "./core/index.js";
export * from "./csv/index.js";
export * from "./data/index.js";
export * from "./decomposition/index.js";
export * from "./discriminant/index.js";
export * from "./dummy/index.js";
export * from "./feature-selection/index.js";
export * from "./forests/index.js";
export * from "./inspection/index.js";
export * from "./isotonic/index.js";
export * from "./kernel-functions/index.js";
export * from "./kernel-methods/index.js";
export * from "./linear/index.js";
export * from "./losses/index.js";
export * from "./meta/index.js";
export * from "./metrics/index.js";
export * from "./mixture/index.js";
export * from "./neighbors/index.js";
// Layers have short names: they are in `argmax/neural`.
export {
  CNNClassifier,
  FittedCNNClassifier,
  FittedMLPClassifier,
  FittedMLPRegressor,
  FittedNeuralClassifier,
  FittedNeuralRegressor,
  FittedTransformerClassifier,
  FittedViTClassifier,
  MLPClassifier,
  MLPRegressor,
  type NetworkStep,
  NeuralClassifier,
  NeuralRegressor,
  optimizers,
  schedules,
  TransformerClassifier,
  ViTClassifier,
} from "./neural/index.js";
export { setThreads, threads } from "./numeric/index.js";
export * from "./onnx/index.js";
export * from "./penalties/index.js";
export * from "./persistence/index.js";
export * from "./pipeline/index.js";
export * from "./preprocessing/index.js";
export * from "./selection/index.js";
export * from "./solvers/index.js";
export * from "./structure/index.js";
export * from "./svm/index.js";
export * from "./table-checks/index.js";
export * from "./text/index.js";
export * from "./trees/index.js";
