/** What a comparison of models needs whose rows are elsewhere. */
export { defaultModels } from "../compare/default-models.js";
export { prepared, type Unprepared } from "../compare/prepared-for.js";
