/** What compositions of steps decide from facts about columns. */
export type { ChosenFrom } from "../compose/column-choice.js";
export { chosenParts, storesFew } from "../compose/column-transformer.js";
export { treatmentOfFacts } from "../compose/column-treatments.js";
export { refuseAll, vectorizerChoices, vectorizerParts } from "../compose/table-vectorizer.js";
export type { ColumnFacts } from "../data/table/column-facts.js";
export { wordsIn } from "../data/table/column-facts.js";
