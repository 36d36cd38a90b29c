export { FittedPipeline, Pipeline, pipeline } from "./pipeline.js";
export type {
  ClassifierPipeline,
  FittedClassifierPipeline,
  FittedRegressorPipeline,
  FittedUnsupervisedPipeline,
  NamedStep,
  PipelineStep,
  RegressorPipeline,
  UnsupervisedPipeline,
} from "./types.js";
