export { type CompareOptions, type CompareProgress, compare, compareOptions } from "./compare.js";
export { Comparison, type Contender } from "./comparison.js";
export { type Entrant, type LeftOut, preparedFor } from "./default-models.js";
