import { DataError } from "../../core/errors.js";
import { encodeLabels, type Label, type Labels, requireDiscrete } from "../../core/labels.js";
import { maxOf, minOf } from "../../core/numbers/extremes.js";
import { Random } from "../../core/numbers/random.js";
import { integer } from "../../core/params/params.js";
import { countRows, type Rows } from "../select-rows.js";
import { kFoldParams } from "./k-fold.js";
import type { Fold, RowLabels } from "./splitter.js";
import { combinations, foldsOf, foldWhere, readGroups, SplitterBase } from "./splitter.js";

export const groupKFoldParams = { nSplits: kFoldParams.nSplits };

/**
 * Folds that never divide a group (a patient, a shop), of about the same size: groups from the largest to the smallest, each into the
 * fold with the fewest rows so far. Parity: scikit-learn's GroupKFold.
 */
export class GroupKFold extends SplitterBase<typeof groupKFoldParams> {
  static readonly id = "GroupKFold";
  static readonly table = groupKFoldParams;

  split(x: Rows, _y?: RowLabels, groups?: RowLabels): readonly Fold[] {
    const { nSplits } = this.params;
    const { codes, counts } = readGroups(this.where, groups, countRows(this.where, x));
    requireGroups(this.where, "nSplits", nSplits, counts.length);
    // Of groups of one size the last comes first, as in scikit-learn.
    const order = [...counts.keys()].sort((a, b) => counts[b]! - counts[a]! || b - a);
    const sizes = new Float64Array(nSplits);
    const foldOfGroup = new Int32Array(counts.length);
    for (const group of order) {
      const fold = sizes.indexOf(minOf(sizes));
      sizes[fold]! += counts[group]!;
      foldOfGroup[group] = fold;
    }
    return foldsOf(
      codes.map((group) => foldOfGroup[group]!),
      nSplits,
    );
  }
}

/**
 * Folds that never divide a group, with class proportions as equal as that allows: the groups with the most unequal classes first, each
 * into the fold where the class proportions then vary least. Parity: without shuffling, scikit-learn's StratifiedGroupKFold.
 */
export class StratifiedGroupKFold extends SplitterBase<typeof kFoldParams> {
  static readonly id = "StratifiedGroupKFold";
  static readonly table = kFoldParams;

  split(x: Rows, y?: RowLabels, given?: RowLabels): readonly Fold[] {
    const { where } = this;
    const { nSplits, shuffle, randomState } = this.params;
    const n = countRows(where, x);
    const { classes, codes: classOf, counts: classCounts } = encodeLabels(where, y as Labels<Label>, n);
    requireDiscrete(where, classes);
    const { codes: groupOf, counts } = readGroups(where, given, n);
    requireGroups(where, "nSplits", nSplits, counts.length);
    if (classCounts.every((count) => count < nSplits)) {
      const expected = `at most ${maxOf(classCounts)}, the rows of the largest class`;
      throw new DataError(where, "nSplits", expected, `${nSplits}`);
    }
    const k = classCounts.length;
    const perGroup = Array.from(counts, () => new Float64Array(k));
    for (let i = 0; i < n; i++) perGroup[groupOf[i]!]![classOf[i]!]!++;
    let order = Int32Array.from(counts, (_, g) => g);
    if (shuffle) order = new Random(randomState).shuffleInto(order);
    const spread = perGroup.map(deviation);
    const sorted = Array.from(order).sort((a, b) => spread[b]! - spread[a]!);
    const perFold = Array.from({ length: nSplits }, () => new Float64Array(k));
    const foldOfGroup = new Int32Array(counts.length);
    for (const group of sorted) {
      const fold = bestFold(perFold, classCounts, perGroup[group]!);
      add(perFold[fold]!, perGroup[group]!, 1);
      foldOfGroup[group] = fold;
    }
    return foldsOf(
      groupOf.map((group) => foldOfGroup[group]!),
      nSplits,
    );
  }
}

/** The fold in which the group makes the class proportions vary least; of equals, the one with the fewest rows. */
function bestFold(perFold: readonly Float64Array[], classCounts: Float64Array, group: Float64Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [f, fold] of perFold.entries()) {
    add(fold, group, 1);
    const spreads = Array.from(classCounts, (count, k) =>
      deviation(perFold.map((counts) => counts[k]! / count)),
    );
    add(fold, group, -1);
    const spread = sum(spreads) / spreads.length;
    const rows = sum(fold);
    // NumPy's isclose.
    const isClose = Math.abs(spread - least) <= 1e-8 + 1e-5 * Math.abs(least);
    if (!(spread < least || (isClose && rows < fewest))) continue;
    least = spread;
    fewest = rows;
    best = f;
  }
  return best;
}

const sum = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((total, value) => total + value, 0);

function deviation(values: ArrayLike<number>): number {
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(Array.from(values, (value) => (value - mean) * (value - mean))) / values.length);
}

function add(counts: Float64Array, more: Float64Array, sign: 1 | -1): void {
  for (let k = 0; k < counts.length; k++) counts[k]! += sign * more[k]!;
}

/** Every group is tested once, by models that have learned from all others. Parity: scikit-learn's LeaveOneGroupOut. */
export class LeaveOneGroupOut extends SplitterBase<Record<never, never>> {
  static readonly id = "LeaveOneGroupOut";
  static readonly table = {};

  split(x: Rows, _y?: RowLabels, groups?: RowLabels): readonly Fold[] {
    return leaveGroupsOut(this.where, x, groups, 1);
  }
}

export const leavePGroupsOutParams = {
  nGroups: integer({ atLeast: 1, default: 2, doc: "How many groups are tested at a time." }),
};

/** Every set of `nGroups` groups is tested once. Parity: scikit-learn's LeavePGroupsOut. */
export class LeavePGroupsOut extends SplitterBase<typeof leavePGroupsOutParams> {
  static readonly id = "LeavePGroupsOut";
  static readonly table = leavePGroupsOutParams;

  split(x: Rows, _y?: RowLabels, groups?: RowLabels): readonly Fold[] {
    return leaveGroupsOut(this.where, x, groups, this.params.nGroups);
  }
}

function leaveGroupsOut(
  where: string,
  x: Rows,
  given: RowLabels | undefined,
  nGroups: number,
): readonly Fold[] {
  const { codes, counts } = readGroups(where, given, countRows(where, x));
  requireGroups(where, "nGroups", nGroups + 1, counts.length);
  return Array.from(combinations(counts.length, nGroups), (chosen) =>
    foldWhere(codes.length, (i) => chosen.includes(codes[i]!)),
  );
}

function requireGroups(where: string, subject: string, least: number, groups: number): void {
  if (groups >= least) return;
  throw new DataError(where, "groups", `${least} different ones or more, for this ${subject}`, `${groups}`);
}
