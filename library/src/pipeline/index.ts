export { FittedPipeline, Pipeline, pipeline } from "./pipeline.js";
export type {
  ClassifierPipeline,
  FittedClassifierPipeline,
  FittedRegressorPipeline,
  FittedTransformerPipeline,
  RegressorPipeline,
  Step,
  TransformerPipeline,
} from "./types.js";
