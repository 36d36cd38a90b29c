import { GroupKFold, LeaveOneGroupOut, LeavePGroupsOut, StratifiedGroupKFold } from "./groups.js";
import { KFold, StratifiedKFold } from "./k-fold.js";
import { LeaveOneOut, LeavePOut, PredefinedSplit, TimeSeriesSplit } from "./leave-out.js";
import {
  GroupShuffleSplit,
  RepeatedKFold,
  RepeatedStratifiedKFold,
  ShuffleSplit,
  StratifiedShuffleSplit,
} from "./shuffled.js";
import type { Splitter, SplitterJson } from "./splitter.js";

/** Every splitter of the library. */
export const splitters = [
  KFold,
  StratifiedKFold,
  GroupKFold,
  StratifiedGroupKFold,
  TimeSeriesSplit,
  RepeatedKFold,
  RepeatedStratifiedKFold,
  LeaveOneOut,
  LeavePOut,
  LeaveOneGroupOut,
  LeavePGroupsOut,
  ShuffleSplit,
  StratifiedShuffleSplit,
  GroupShuffleSplit,
  PredefinedSplit,
] as const;

/** The splitter that `toJSON` described; undefined if the value is something else. */
export function splitterFromJson(value: unknown): Splitter | undefined {
  const { splitter, params } = (value ?? {}) as Partial<SplitterJson>;
  const found = splitters.find(({ id }) => id === splitter);
  return found && new (found as new (params: unknown) => Splitter)(params);
}
