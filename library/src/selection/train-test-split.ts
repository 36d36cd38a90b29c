import { approximateMode } from "../core/approximate-mode.js";
import { isColumn } from "../core/column-like.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { checkLength, encodeLabels, type Label, type Labels } from "../core/labels.js";
import {
  either,
  flag,
  integer,
  invalid,
  optional,
  type ParamSpec,
  type Params,
  randomState,
  readParams,
  real,
} from "../core/params.js";
import { Random } from "../core/random.js";
import { countRows, type Rows, type SelectedRows, selectRows } from "../data/select-rows.js";

/** Some rows of the data. */
export interface Subset<X, Y> {
  readonly X: SelectedRows<X>;
  readonly y: SelectedRows<Y>;
  /** Which rows of the whole these are. */
  readonly indices: Int32Array;
}

const share = (doc: string) => real({ above: 0, below: 1, default: 0.25, doc });
const count = integer({ atLeast: 1, default: 1, doc: "" });
/** A share of the rows in (0, 1), or their number. */
const size = (doc: string) => optional(either(share(doc), count));

const stratify: ParamSpec<boolean | Labels<Label>> = {
  kind: "union",
  default: false,
  doc: "Give every subset the same class proportions of y, or of the labels given here.",
  expected: "true, false or a list with a label for every row",
  read: (value) =>
    typeof value === "boolean" || Array.isArray(value) || ArrayBuffer.isView(value) || isColumn(value)
      ? (value as boolean | Labels<Label>)
      : invalid,
};

const common = {
  stratify,
  shuffle: flag({ default: true, doc: "Draw the parts at random; when false, cut the rows in order." }),
  randomState: randomState(),
};

export const trainTestSplitParams = {
  testSize: size("Test rows: a share or a number. Unset: what trainSize leaves, or a quarter."),
  trainSize: size("Training rows: a share or a number. Unset: what testSize leaves."),
  ...common,
};

/**
 * `const { train, test } = trainTestSplit(X, y, { testSize: 0.2, stratify: true })`: two parts without a common row.
 * X and y may be anything with rows; the parts are of the same kind. Parity: the sizes are scikit-learn's.
 */
export function trainTestSplit<X extends Rows, Y extends Rows>(
  x: X,
  y: Y,
  params: Params<typeof trainTestSplitParams> = {},
): { readonly train: Subset<X, Y>; readonly test: Subset<X, Y> } {
  const where = "trainTestSplit";
  const given = readParams(where, trainTestSplitParams, params);
  const n = countRows(where, x);
  const asked = given.testSize ?? (given.trainSize === null ? 0.25 : null);
  const test = asked === null ? null : rounded(asked, n, Math.ceil);
  const train = given.trainSize === null ? n - test! : rounded(given.trainSize, n, Math.floor);
  const [first, second] = parts(where, x, y, given, { train, test: test ?? n - train });
  return { train: first!, test: second! };
}

/** The lecture's 70 / 15 / 15. */
const fifteen = (doc: string) => either(real({ above: 0, below: 1, default: 0.15, doc }), count);

export const trainValidationTestSplitParams = {
  validationSize: fifteen("Validation rows: a share or a number."),
  testSize: fifteen("Test rows: a share or a number."),
  ...common,
};

/** Three parts without a common row: to learn from, to choose with, and to judge by. Training gets what is left. */
export function trainValidationTestSplit<X extends Rows, Y extends Rows>(
  x: X,
  y: Y,
  params: Params<typeof trainValidationTestSplitParams> = {},
): { readonly train: Subset<X, Y>; readonly validation: Subset<X, Y>; readonly test: Subset<X, Y> } {
  const where = "trainValidationTestSplit";
  const given = readParams(where, trainValidationTestSplitParams, params);
  const n = countRows(where, x);
  const validation = rounded(given.validationSize, n, Math.ceil);
  const test = rounded(given.testSize, n, Math.ceil);
  const sizes = { train: n - validation - test, validation, test };
  const [first, second, third] = parts(where, x, y, given, sizes);
  return { train: first!, validation: second!, test: third! };
}

const rounded = (size: number, n: number, round: (x: number) => number): number =>
  size < 1 ? round(size * n) : size;

interface Manner {
  readonly stratify: boolean | Labels<Label>;
  readonly shuffle: boolean;
  readonly randomState: number;
}

/** Parts of the given sizes, in the order of `sizes`. */
function parts<X extends Rows, Y extends Rows>(
  where: string,
  x: X,
  y: Y,
  { stratify, shuffle, randomState }: Manner,
  sizes: Readonly<Record<string, number>>,
): Subset<X, Y>[] {
  const n = countRows(where, x);
  checkLength(where, "y", y, n);
  checkSizes(where, sizes, n);
  const labels = stratify === true ? (y as unknown as Labels<Label>) : stratify;
  if (labels !== false && !shuffle) {
    throw new ParameterError({
      where,
      subject: "shuffle",
      expected: "true when stratify is set",
      received: "false",
    });
  }
  const random = new Random(randomState);
  const counts = Object.values(sizes);
  const chosen =
    labels === false
      ? cut(shuffle ? random.permutation(n) : Int32Array.from({ length: n }, (_, i) => i), counts)
      : stratified(where, labels, n, sizes, random);
  return chosen.map((indices) => ({
    X: selectRows(x, indices, where),
    y: selectRows(y, indices, where),
    indices,
  }));
}

function checkSizes(where: string, sizes: Readonly<Record<string, number>>, n: number): void {
  const text = Object.entries(sizes)
    .map(([name, size]) => `${name} ${size}`)
    .join(", ");
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  if (Object.values(sizes).every((size) => size > 0) && total <= n) return;
  throw new DataError({
    where,
    subject: `the parts of ${n} rows`,
    expected: "one row or more each, and no more rows together than there are",
    received: text,
  });
}

/** Consecutive pieces of the given lengths. */
function cut(order: Int32Array, counts: readonly number[]): Int32Array[] {
  let at = 0;
  return counts.map((size) => {
    at += size;
    return order.slice(at - size, at);
  });
}

function stratified(
  where: string,
  labels: Labels<Label>,
  n: number,
  sizes: Readonly<Record<string, number>>,
  random: Random,
): Int32Array[] {
  const { classes, codes, counts } = encodeLabels(where, labels, n);
  checkClasses(where, classes, counts, sizes);
  const members: number[][] = classes.map(() => []);
  for (const i of random.permutation(n)) members[codes[i]!]!.push(i);
  const left = Float64Array.from(counts);
  return Object.values(sizes).map((size) => {
    const rows = new Int32Array(size);
    let at = 0;
    for (const [k, count] of approximateMode(left, size, random).entries()) {
      left[k]! -= count;
      for (let r = 0; r < count; r++) rows[at++] = members[k]!.pop()!;
    }
    return random.shuffleInto(rows);
  });
}

function checkClasses(
  where: string,
  classes: readonly Label[],
  counts: Float64Array,
  sizes: Readonly<Record<string, number>>,
): void {
  const parts = Object.keys(sizes).length;
  const rare = counts.findIndex((count) => count < parts);
  if (rare >= 0) {
    throw new DataError({
      where,
      subject: `class ${show(classes[rare])}`,
      expected: `in ${parts} rows or more, to be in all parts`,
      received: `${counts[rare]}`,
      advice: "Leave the class out, or do not stratify.",
    });
  }
  const small = Object.entries(sizes).find(([, size]) => size < classes.length);
  if (small === undefined) return;
  throw new DataError({
    where,
    subject: `the ${small[0]} part`,
    expected: `${classes.length} rows or more, one for each class`,
    received: `${small[1]}`,
  });
}
