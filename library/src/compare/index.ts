export { type CompareOptions, type CompareProgress, compare, compareOptions } from "./compare.js";
export { Comparison, type Contender } from "./comparison.js";
export type { Entrant, LeftOut } from "./default-models.js";
export { modelLabel, modelSettings } from "./model-settings.js";
export {
  type PreparationOptions,
  preparationOptions,
  preparedFor,
  type VectorizerParams,
} from "./prepared-for.js";
export {
  type Ranked,
  type Recommendation,
  type RecommendOptions,
  recommend,
  type ScoredModel,
} from "./recommend.js";
