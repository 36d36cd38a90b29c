export { FittedPipeline, Pipeline, pipeline } from "./pipeline.js";
export type {
  ClassifierPipeline,
  FittedClassifierPipeline,
  FittedRegressorPipeline,
  FittedTargetsPipeline,
  FittedUnsupervisedPipeline,
  NamedStep,
  PipelineFitOptions,
  PipelineStep,
  RegressorPipeline,
  TargetsPipeline,
  UnsupervisedPipeline,
} from "./types.js";
