export { FittedPipeline, Pipeline, pipeline } from "./pipeline.js";
export type {
  ClassifierPipeline,
  FittedClassifierPipeline,
  FittedRegressorPipeline,
  FittedTransformerPipeline,
  PipelineStep,
  RegressorPipeline,
  TransformerPipeline,
} from "./types.js";
