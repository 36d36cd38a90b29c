export { adaBoostReport, type Boosted, BoostingRecord, type Ending } from "../adaboost/ada-boost-rounds.js";
export { binColumns, SUBSAMPLE as BINNED_ROWS } from "../boosting/hist-bins.js";
export { baselineOfMean, checkTargets, logProportions } from "../boosting/hist-losses.js";
export type { HistParams } from "../boosting/hist-params.js";
export {
  boostingRounds,
  type HistState,
  moderateScale,
  type RoundRows,
  stopsEarly,
} from "../boosting/hist-rounds.js";
export { HistTrees } from "../boosting/hist-trees.js";
export { type SummedRun, summedRun } from "../boosting/summed-rounds.js";
export { exp, log } from "../core/numbers/elementary.js";
export { Random } from "../core/numbers/random.js";
export { Matrix } from "../data/matrix.js";
export { categoricalColumns, type KnownColumn, TableColumns } from "../data/table/table-columns.js";
export { countOf } from "../ensembles/draws.js";
export { type MemberInput, namesColumns } from "../ensembles/member-rows.js";
export { reseeded } from "../ensembles/members.js";
export type { ForestParams } from "../forests/forest.js";
export { requirePositive } from "../metrics/scorers.js";
export { type BinnedColumn, binCount } from "../numeric/boosting/bins.js";
export { BlockBoosting } from "../numeric/boosting/block-boosting.js";
export type { BlockStore } from "../numeric/boosting/block-rows.js";
export type { GrownTree as BoostedTree } from "../numeric/boosting/boosted-tree.js";
export type { BoostingLoss, RoundLosses } from "../numeric/boosting/gradient-boosting.js";
export {
  HistogramGrowth,
  histogramPlace,
  MAX_BEST_LEAVES,
  MAX_LEAVES,
  mostLeaves,
} from "../numeric/boosting/histogram-growth.js";
export { hessianBits, integerScales } from "../numeric/boosting/integer-sums.js";
export {
  HistogramTree,
  type LeafHistograms,
  type TreeBins,
  type TreeRule,
} from "../numeric/trees/histogram-tree.js";
export { beats, type Split, StumpSearch } from "../numeric/trees/stumps.js";
export type { GrownTree, TreeControls } from "../numeric/trees/tree-plan.js";
export { requireCounts, targetCentre } from "../trees/centred-targets.js";
export { withClassProportions } from "../trees/decision-stump.js";
export { controlsOf, type GrowthParams } from "../trees/growth.js";
export type { TreeTargetCriterion } from "../trees/impurities.js";
export { classCriteria, treeTargetCriteria } from "../trees/impurities.js";
export { pruned } from "../trees/pruning.js";
export { Tree } from "../trees/tree.js";
