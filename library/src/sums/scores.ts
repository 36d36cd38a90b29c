/** Metrics of models that are scored by sums over rows. */
export { findScorer, labelScorers, type ScorerName } from "../metrics/scorers.js";
