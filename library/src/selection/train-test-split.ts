import { isColumn } from "../core/column-like.js";
import { ParameterError } from "../core/errors.js";
import { checkLength, type Label, type Labels } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import type { ParamSpec, Params } from "../core/params/params.js";
import { flag, invalid, randomState, readParams } from "../core/params/params.js";
import { countRows, type Rows, type SelectedRows, selectRows } from "../data/select-rows.js";
import {
  checkSizes,
  cut,
  drawStratified,
  type PartSizes,
  partSizes,
  rounded,
  sizeOf,
  sizes,
} from "../data/splitters/draw-parts.js";

/** Some rows of the data. */
export interface Subset<X, Y> {
  readonly X: SelectedRows<X>;
  readonly y: SelectedRows<Y>;
  /** Which rows of the whole these are. */
  readonly indices: Int32Array;
}

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
  ...sizes,
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
  const [first, second] = parts(where, x, y, given, { ...partSizes(given, countRows(where, x), 0.25) });
  return { train: first!, test: second! };
}

/** The lecture's 70 / 15 / 15. */
const fifteen = (doc: string) => ({ ...sizeOf(doc), default: 0.15 });

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
  sizes: PartSizes,
): Subset<X, Y>[] {
  const n = countRows(where, x);
  checkLength(where, "y", y, n);
  checkSizes(where, sizes, n);
  const labels = stratify === true ? (y as Labels<Label>) : stratify;
  if (labels !== false && !shuffle) {
    throw new ParameterError(where, "shuffle", "true when stratify is set", "false");
  }
  const random = new Random(randomState);
  const counts = Object.values(sizes);
  const chosen =
    labels === false
      ? cut(shuffle ? random.permutation(n) : Int32Array.from({ length: n }, (_, i) => i), counts)
      : drawStratified(where, labels, n, sizes, random);
  return chosen.map((indices) => ({
    X: selectRows(x, indices, where),
    y: selectRows(y, indices, where),
    indices,
  }));
}
