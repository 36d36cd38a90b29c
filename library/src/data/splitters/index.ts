export {
  GroupKFold,
  groupKFoldParams,
  LeaveOneGroupOut,
  LeavePGroupsOut,
  leavePGroupsOutParams,
  StratifiedGroupKFold,
} from "./groups.js";
export { KFold, kFoldParams, StratifiedKFold } from "./k-fold.js";
export {
  LeaveOneOut,
  LeavePOut,
  leavePOutParams,
  PredefinedSplit,
  predefinedSplitParams,
  TimeSeriesSplit,
  timeSeriesSplitParams,
} from "./leave-out.js";
export {
  GroupShuffleSplit,
  groupShuffleSplitParams,
  RepeatedKFold,
  RepeatedStratifiedKFold,
  repeatedKFoldParams,
  ShuffleSplit,
  StratifiedShuffleSplit,
  shuffleSplitParams,
} from "./shuffled.js";
export type { Fold, RowLabels, Splitter } from "./splitter.js";
