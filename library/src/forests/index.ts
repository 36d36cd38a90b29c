export type { ResumeOptions } from "../ensembles/resume.js";
export { ExtraTreesClassifier, FittedExtraTreesClassifier } from "./extra-trees-classifier.js";
export { ExtraTreesRegressor, FittedExtraTreesRegressor } from "./extra-trees-regressor.js";
export { FittedForestTargets } from "./forest-targets.js";
export { FittedRandomForestClassifier, RandomForestClassifier } from "./random-forest-classifier.js";
export { FittedRandomForestRegressor, RandomForestRegressor } from "./random-forest-regressor.js";
