import type { Label, Labels } from "../../core/labels.js";
import { Random } from "../../core/numbers/random.js";
import { integer, randomState } from "../../core/params/params.js";
import { countRows, type Rows } from "../select-rows.js";
import { checkSizes, cut, drawStratified, partSizes, sizes } from "./draw-parts.js";
import { cutFolds, dealFolds, kFoldParams } from "./k-fold.js";
import { type Fold, type RowLabels, readGroups, SplitterBase } from "./splitter.js";

export const shuffleSplitParams = {
  nSplits: integer({ atLeast: 1, default: 10, doc: "How many times the rows are divided." }),
  testSize: {
    ...sizes.testSize,
    doc: "Test rows: a share or a number. Unset: what trainSize leaves, or a tenth.",
  },
  trainSize: sizes.trainSize,
  randomState: randomState(),
};

/** Random divisions, each independent of the others. Parity: the sizes are scikit-learn's. */
export class ShuffleSplit extends SplitterBase<typeof shuffleSplitParams> {
  static readonly id = "ShuffleSplit";
  static readonly table = shuffleSplitParams;

  split(x: Rows): readonly Fold[] {
    const n = countRows(this.where, x);
    const { train, test } = partSizes(this.params, n, 0.1);
    checkSizes(this.where, { train, test }, n);
    return draws(this.params, (random) => {
      const [tested, learned] = cut(random.permutation(n), [test, train]);
      return { train: learned!, test: tested! };
    });
  }
}

/** Random divisions with the same class proportions in both parts. Parity: the sizes are scikit-learn's. */
export class StratifiedShuffleSplit extends SplitterBase<typeof shuffleSplitParams> {
  static readonly id = "StratifiedShuffleSplit";
  static readonly table = shuffleSplitParams;

  split(x: Rows, y?: RowLabels): readonly Fold[] {
    const n = countRows(this.where, x);
    const parts = partSizes(this.params, n, 0.1);
    checkSizes(this.where, { ...parts }, n);
    return draws(this.params, (random) => {
      const [train, test] = drawStratified(this.where, y as Labels<Label>, n, { ...parts }, random);
      return { train: train!, test: test! };
    });
  }
}

export const groupShuffleSplitParams = {
  ...shuffleSplitParams,
  nSplits: integer({ atLeast: 1, default: 5, doc: "How many times the groups are divided." }),
  testSize: {
    ...sizes.testSize,
    doc: "Test groups: a share or a number. Unset: what trainSize leaves, or a fifth.",
  },
  trainSize: {
    ...sizes.trainSize,
    doc: "Training groups: a share or a number. Unset: what testSize leaves.",
  },
};

/** Random divisions of groups: sizes count groups, not rows. Parity: the sizes are scikit-learn's. */
export class GroupShuffleSplit extends SplitterBase<typeof groupShuffleSplitParams> {
  static readonly id = "GroupShuffleSplit";
  static readonly table = groupShuffleSplitParams;

  split(x: Rows, _y?: RowLabels, groups?: RowLabels): readonly Fold[] {
    const { codes, counts } = readGroups(this.where, groups, countRows(this.where, x));
    const count = counts.length;
    const { train, test } = partSizes(this.params, count, 0.2);
    checkSizes(this.where, { train, test }, count, "group");
    return draws(this.params, (random) => {
      const [tested, learned] = cut(random.permutation(count), [test, train]);
      const rowsOf = (chosen: Int32Array) => {
        const isChosen = new Set(chosen);
        return Int32Array.from(codes.keys()).filter((i) => isChosen.has(codes[i]!));
      };
      return { train: rowsOf(learned!), test: rowsOf(tested!) };
    });
  }
}

/** As many folds as asked for, from one stream of random numbers. */
function draws(
  { nSplits, randomState }: { readonly nSplits: number; readonly randomState: number },
  draw: (random: Random) => Fold,
): readonly Fold[] {
  const random = new Random(randomState);
  return Array.from({ length: nSplits }, () => draw(random));
}

export const repeatedKFoldParams = {
  nSplits: kFoldParams.nSplits,
  nRepeats: integer({ atLeast: 1, default: 10, doc: "How many times the folds are made." }),
  randomState: randomState(),
};

/** `KFold` several times, the rows in another order each time. */
export class RepeatedKFold extends SplitterBase<typeof repeatedKFoldParams> {
  static readonly id = "RepeatedKFold";
  static readonly table = repeatedKFoldParams;

  split(x: Rows): readonly Fold[] {
    const { nSplits, nRepeats, randomState } = this.params;
    const n = countRows(this.where, x);
    const random = new Random(randomState);
    return Array.from({ length: nRepeats }, () =>
      cutFolds(this.where, random.permutation(n), nSplits),
    ).flat();
  }
}

/** `StratifiedKFold` several times, the rows in another order each time. */
export class RepeatedStratifiedKFold extends SplitterBase<typeof repeatedKFoldParams> {
  static readonly id = "RepeatedStratifiedKFold";
  static readonly table = repeatedKFoldParams;

  split(x: Rows, y?: RowLabels): readonly Fold[] {
    const { nSplits, nRepeats, randomState } = this.params;
    const random = new Random(randomState);
    return Array.from({ length: nRepeats }, () => dealFolds(this.where, x, y, nSplits, random)).flat();
  }
}
