export type { ColumnKind, Columns } from "./column-choice.js";
export { ColumnTransformer, columnTransformer } from "./column-transformer.js";
export type { ColumnChoice, Treatment } from "./column-treatments.js";
export { FeatureUnion, featureUnion, type UnionInput, type UnionParts } from "./feature-union.js";
export { FittedColumnTransformer } from "./fitted-column-transformer.js";
export { FittedFeatureUnion } from "./fitted-feature-union.js";
export { FittedTableVectorizer } from "./fitted-table-vectorizer.js";
export { TableVectorizer, tableVectorizer } from "./table-vectorizer.js";
export type { ColumnPart, PartTransformer, Remainder } from "./types.js";
