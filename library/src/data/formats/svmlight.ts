import type { MatrixLike } from "../../core/contract.js";
import { checkLength, type NumberArray, readTargets } from "../../core/labels.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import type { ParamSpec, Params } from "../../core/params/params.js";
import { choice, either, flag, integer, invalid, optional, readParams } from "../../core/params/params.js";
import { CsrMatrix } from "../csr-matrix.js";
import { readMatrix } from "../input.js";
import { textBytes } from "../text/text-bytes.js";
import { SvmlightReader } from "./svmlight-reader.js";

export interface SvmlightData {
  readonly X: CsrMatrix;
  /** The labels: classes or targets, the format does not say which. */
  readonly y: Float64Array;
  /** The group of every row, in files for ranking (`qid:`). */
  readonly queryIds?: Float64Array;
}

export const parseSvmlightParams = {
  cols: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Columns of X, when the file may lack the last features; null takes what the file has.",
    }),
  ),
  zeroBased: either(
    choice(["auto"], {
      default: "auto",
      doc: 'Whether indices count from 0; "auto" means that they do if an index 0 occurs.',
    }),
    flag({ default: false, doc: "" }),
  ),
};

/**
 * Reads the text format of SVMlight and LIBSVM: one row per line, `label index:value …`, indices ascending, what is not
 * written is 0. A `#` begins a comment; `qid:` after the label gives the row's group.
 *
 * The library opens no files: this takes what was read and is called parse. Bytes spare a string's encoding.
 * Parity: X and y of scikit-learn's load_svmlight_file, which also takes NaN and infinities and drops `qid:` unless asked.
 */
export function parseSvmlight(
  text: string | Uint8Array | ArrayBuffer,
  options: Params<typeof parseSvmlightParams> = {},
): SvmlightData {
  const where = "parseSvmlight";
  const { cols, zeroBased } = readParams(where, parseSvmlightParams, options);
  const reader = new SvmlightReader(where, textBytes(where, text), zeroBased === false ? 1 : 0);
  reader.readAll();
  const first = zeroBased === "auto" ? (reader.lowest === 0 ? 0 : 1) : zeroBased ? 0 : 1;
  const width = Math.max(0, reader.highest - first + 1);
  if (cols !== null && width > cols) reader.refuseHighest(cols - 1 + first, cols);
  const { rows, indptr, indices, values, y, queryIds } = reader.parts();
  if (first === 1) for (let e = 0; e < indices.length; e++) indices[e]!--;
  const X = new CsrMatrix({ rows, cols: cols ?? width, indptr, indices, values }, true);
  return queryIds === undefined ? { X, y } : { X, y, queryIds };
}

const comment: ParamSpec<string> = {
  kind: "text",
  default: "",
  doc: "Lines to write before the rows, each after a #.",
  expected: "a string",
  read: (value) => (typeof value === "string" ? value : invalid),
};

const queryIds: ParamSpec<ArrayLike<number> | null> = {
  kind: "numbers",
  default: null,
  doc: "The group of every row, written as qid:.",
  expected: "an array of integers, or null",
  read(value) {
    if (value === null) return null;
    if (!isArrayLike(value)) return invalid;
    const list = Array.from(value);
    return list.every(Number.isSafeInteger) ? (list as number[]) : invalid;
  },
};

export const formatSvmlightParams = {
  zeroBased: flag({ default: false, doc: "Count indices from 0 instead of 1." }),
  comment,
  queryIds,
};

/**
 * Writes the text format of SVMlight and LIBSVM. Every number reads back with the same bits; zeros are not written, so
 * a reader learns the number of columns only from its `cols`.
 *
 * Called format because it writes no file. Parity: scikit-learn's dump_svmlight_file writes 16 digits, which lose the
 * last bit of many numbers, and counts from 0 unless told. LIBSVM counts from 1, and a file that counts from 0 but has an
 * empty first column looks the same as one that counts from 1: the default here is 1.
 */
export function formatSvmlight(
  X: MatrixLike,
  y: NumberArray,
  options: Params<typeof formatSvmlightParams> = {},
): string {
  const where = "formatSvmlight";
  const given = readParams(where, formatSvmlightParams, options);
  const design = readMatrix(where, X, { sparse: true });
  const { rows, indptr, indices, values } =
    design instanceof CsrMatrix ? design : CsrMatrix.fromDense(design);
  const labels = readTargets(where, y, rows);
  if (given.queryIds !== null) checkLength(where, "queryIds", given.queryIds, rows);
  const first = given.zeroBased ? 0 : 1;
  const lines = given.comment === "" ? [] : given.comment.split(/\r\n|\r|\n/).map((line) => `# ${line}`);
  for (let i = 0; i < rows; i++) {
    // Text of −0 is "0", which would lose the sign.
    let line = Object.is(labels[i], -0) ? "-0" : `${labels[i]}`;
    if (given.queryIds !== null) line += ` qid:${given.queryIds[i]}`;
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
      if (values[e] !== 0) line += ` ${indices[e]! + first}:${values[e]}`;
    }
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}
