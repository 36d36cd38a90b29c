export { type CompareOptions, type CompareProgress, compare, compareOptions } from "./compare.js";
export { Comparison, type Contender } from "./comparison.js";
export type { Entrant, LeftOut } from "./default-models.js";
export { modelLabel, modelSettings } from "./model-settings.js";
export type { PreparationOptions, VectorizerParams } from "./prepared-for.js";
export { preparationOptions, preparedFor } from "./prepared-for.js";
export type { Ranked, Recommendation, RecommendOptions, ScoredModel } from "./recommend.js";
export { recommend } from "./recommend.js";
