export { type CompareOptions, type CompareProgress, compare, compareOptions, guessTask } from "./compare.js";
export { Comparison, type Contender } from "./comparison.js";
export type { Entrant, LeftOut } from "./default-models.js";
export {
  type PreparationOptions,
  preparationOptions,
  preparedFor,
  type VectorizerParams,
} from "./prepared-for.js";
