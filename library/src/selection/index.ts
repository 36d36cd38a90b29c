export * from "../data/splitters/index.js";
export type { Scorer, ScorerName, ScorerOptions } from "../metrics/scorers.js";
export { positiveScorers, scorers } from "../metrics/scorers.js";
export type { Candidate, Grid, Space } from "./candidates.js";
export type { CompareScoresOptions, FoldScores, ScoreComparison } from "./compare-scores.js";
export { compareScores } from "./compare-scores.js";
export type { CrossPredictions, CrossValPredictOptions, PredictMethod } from "./cross-val-predict.js";
export { crossValPredict } from "./cross-val-predict.js";
export {
  type CrossValidation,
  type CrossValidationOptions,
  type CrossValidationProgress,
  crossValidate,
  crossValScore,
  type Learner,
  type ValidationOptions,
} from "./cross-validate.js";
export { type Distribution, integers, logUniform, uniform } from "./distributions.js";
export { FittedSearch, type SearchedModel } from "./fitted-search.js";
export type { FoldMemory, FoldRecord } from "./fold-memory.js";
export { GridSearch, gridSearchParams } from "./grid-search.js";
export { HalvingSearch, halvingSearchParams } from "./halving-search.js";
export type { CurveOptions, LearningCurve, LearningCurveOptions } from "./learning-curve.js";
export { learningCurve } from "./learning-curve.js";
export type { PermutationTest, PermutationTestOptions } from "./permutation-test-score.js";
export { permutationTestScore } from "./permutation-test-score.js";
export { RandomSearch, randomSearchParams } from "./random-search.js";
export type { OneScorer, ScoresOf, Scoring } from "./scoring.js";
export type { SearchOptions } from "./search.js";
export type { Searchable } from "./search-params.js";
export { type CandidateResult, SearchResults } from "./search-results.js";
export {
  type Subset,
  trainTestSplit,
  trainTestSplitParams,
  trainValidationTestSplit,
  trainValidationTestSplitParams,
} from "./train-test-split.js";
export { type ValidationCurve, type ValidationCurveOptions, validationCurve } from "./validation-curve.js";
