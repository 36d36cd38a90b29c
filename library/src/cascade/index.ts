export { Cascade, type CascadeFitOptions, cascadeParams } from "./cascade.js";
export type { SensitivityGuarantee } from "./cascade-blocks.js";
export { type CascadeFromCostsOptions, cascadeFromCosts } from "./cascade-from-costs.js";
export type { CascadeReport, SingleReport, StageReport } from "./cascade-report.js";
export type { CascadeStage } from "./cascade-stage.js";
export type { FittedStage } from "./cascade-walk.js";
export type { AsyncFeatureProvider, FeatureProvider } from "./feature-provider.js";
export { type CascadePredictions, FittedCascade, type HeldOutRows } from "./fitted-cascade.js";
