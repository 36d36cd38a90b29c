import { DataError, ParameterError } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { integer, invalid, optional, type ParamSpec } from "../../core/params/params.js";
import { countRows, type Rows } from "../select-rows.js";
import { combinations, countCombinations, type Fold, foldWhere, SplitterBase } from "./splitter.js";

/** Every row is tested once, by a model that has learned from all others. Parity: scikit-learn's LeaveOneOut. */
export class LeaveOneOut extends SplitterBase<Record<never, never>> {
  static readonly id = "LeaveOneOut";
  static readonly table = {};

  split(x: Rows): readonly Fold[] {
    return leaveOut(this.where, x, 1);
  }
}

export const leavePOutParams = {
  p: integer({ atLeast: 1, default: 2, doc: "How many rows are tested at a time." }),
};

/** Folds that a splitter may make: more would not end. */
const MOST = 1e6;

/** Every set of p rows is tested once. Parity: scikit-learn's LeavePOut. */
export class LeavePOut extends SplitterBase<typeof leavePOutParams> {
  static readonly id = "LeavePOut";
  static readonly table = leavePOutParams;

  split(x: Rows): readonly Fold[] {
    return leaveOut(this.where, x, this.params.p);
  }
}

function leaveOut(where: string, x: Rows, p: number): readonly Fold[] {
  const n = countRows(where, x);
  const count = countCombinations(n, p);
  if (n <= p || count > MOST) {
    if (n <= p) throw new DataError(where, "X", `more than ${p} rows`, `${n}`);
    const expected = `rows of which ${p} can be left out in at most ${MOST} ways`;
    const received = `${n} rows, which have ${count.toPrecision(3)}`;
    throw new DataError(where, "X", expected, received, "ShuffleSplit draws some of them.");
  }
  return Array.from(combinations(n, p), (chosen) => foldWhere(n, (i) => chosen.includes(i)));
}

export const timeSeriesSplitParams = {
  nSplits: integer({ atLeast: 2, default: 5, doc: "How many folds." }),
  maxTrainSize: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "The most rows to learn from; null is all before the test part.",
    }),
  ),
  testSize: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Rows of every test part; null is n / (nSplits + 1), rounded down.",
    }),
  ),
  gap: integer({ atLeast: 0, default: 0, doc: "Rows between the two parts, which neither has." }),
};

/** For rows in the order of time: every fold learns from what was before its test part. Parity: scikit-learn's TimeSeriesSplit. */
export class TimeSeriesSplit extends SplitterBase<typeof timeSeriesSplitParams> {
  static readonly id = "TimeSeriesSplit";
  static readonly table = timeSeriesSplitParams;

  split(x: Rows): readonly Fold[] {
    const { nSplits, maxTrainSize, gap } = this.params;
    const n = countRows(this.where, x);
    const size = this.params.testSize ?? Math.floor(n / (nSplits + 1));
    const first = n - nSplits * size;
    if (size < 1 || first - gap < 1) {
      throw new DataError({
        where: this.where,
        subject: "X",
        expected: `rows for ${nSplits} test parts${size < 1 ? "" : ` of ${size}`}, a gap of ${gap} and one row before`,
        received: `${n}`,
      });
    }
    return Array.from({ length: nSplits }, (_, f) => {
      const start = first + f * size;
      const from = Math.max(0, start - gap - (maxTrainSize ?? n));
      return { train: range(from, start - gap), test: range(start, start + size) };
    });
  }
}

const range = (from: number, to: number): Int32Array =>
  Int32Array.from({ length: to - from }, (_, k) => from + k);

const testFold: ParamSpec<readonly number[]> = {
  kind: "numbers",
  default: [],
  doc: "The fold in which each row is tested; −1 for rows that are only learned from.",
  expected: "an array of integers ≥ −1, not all −1",
  read: (value) => {
    if (!isArrayLike(value)) return invalid;
    const list = Array.from(value as ArrayLike<number>);
    return list.every((f) => Number.isInteger(f) && f >= -1) && list.some((f) => f >= 0)
      ? Object.freeze(list)
      : invalid;
  },
};

export const predefinedSplitParams = { testFold };

/** Folds that are known: a given validation set has one. Parity: scikit-learn's PredefinedSplit. */
export class PredefinedSplit extends SplitterBase<
  typeof predefinedSplitParams,
  { readonly testFold: ArrayLike<number> }
> {
  static readonly id = "PredefinedSplit";
  static readonly table = predefinedSplitParams;

  constructor(params: { readonly testFold: ArrayLike<number> }) {
    super(params);
    if (this.params.testFold.length > 0) return;
    const { expected } = testFold;
    throw new ParameterError("PredefinedSplit", "testFold", expected, "nothing");
  }

  split(x: Rows): readonly Fold[] {
    const { testFold } = this.params;
    const n = countRows(this.where, x);
    if (testFold.length !== n) {
      const expected = `as long as X has rows (${n})`;
      throw new DataError(this.where, "testFold", expected, `${testFold.length} entries`);
    }
    const folds = [...new Set(testFold)].filter((f) => f >= 0).sort((a, b) => a - b);
    return folds.map((f) => foldWhere(n, (i) => testFold[i] === f));
  }
}
