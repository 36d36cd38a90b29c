export { type Fold, KFold, kFoldParams, type Splitter, StratifiedKFold } from "../data/splitters.js";
export { type Scorer, type ScorerName, scorers } from "../metrics/scorers.js";
export {
  type CrossValidation,
  type CrossValidationOptions,
  type CrossValidationProgress,
  crossValidate,
  crossValScore,
  type Learner,
  type ValidationOptions,
} from "./cross-validate.js";
export {
  type Subset,
  trainTestSplit,
  trainTestSplitParams,
  trainValidationTestSplit,
  trainValidationTestSplitParams,
} from "./train-test-split.js";
