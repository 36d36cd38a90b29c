export { DecisionStump, decisionStumpParams, FittedDecisionStump } from "./decision-stump.js";
export { DecisionTreeClassifier, FittedDecisionTreeClassifier } from "./decision-tree-classifier.js";
export { DecisionTreeRegressor, FittedDecisionTreeRegressor } from "./decision-tree-regressor.js";
export type { ExportOptions } from "./export-tree.js";
export { entropy, gini, type Impurity, impurityChange, nodeError, twoingChange } from "./impurities.js";
export type { PruningPath } from "./pruning.js";
export { Tree, type TreeNode } from "./tree.js";
export { FittedTreeTargets } from "./tree-targets.js";
