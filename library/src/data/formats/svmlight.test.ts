import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/properties.js";
import { DataError, FormatError, ParameterError, ShapeError } from "../../core/errors.js";
import { CsrMatrix } from "../csr-matrix.js";
import { Matrix } from "../matrix.js";
import { formatSvmlight, parseSvmlight } from "./svmlight.js";

const rowsOf = (text: string, options = {}) => parseSvmlight(text, options).X.toDense().toArray();

describe("parseSvmlight", () => {
  it("counts features from 1 and stores only what is written", () => {
    const { X, y, queryIds } = parseSvmlight("+1 1:0.5 3:-2\n-1 2:1e-3\n");
    expect(y).toEqual(Float64Array.of(1, -1));
    expect(X.shape).toEqual([2, 3]);
    expect(X.indptr).toEqual(Int32Array.of(0, 2, 3));
    expect(X.indices).toEqual(Int32Array.of(0, 2, 1));
    expect(X.values).toEqual(Float64Array.of(0.5, -2, 0.001));
    expect(queryIds).toBeUndefined();
  });

  it("keeps a row without features and skips empty lines, comments, tabs, Windows line ends and a byte order mark", () => {
    const text = "\uFEFF# 1:1 of 3:3\r\n1\t 1:1 \t# é 7:7\r\n\r\n  \r\n2\r\n3#\r\n 4 1:5#6:7";
    const { X, y } = parseSvmlight(text);
    expect(y).toEqual(Float64Array.of(1, 2, 3, 4));
    expect(X.indptr).toEqual(Int32Array.of(0, 1, 1, 1, 2));
    expect(X.values).toEqual(Float64Array.of(1, 5));
    expect(X.shape).toEqual([4, 1]);
  });

  it("takes text, bytes and buffers, with or without a last line end", () => {
    const bytes = new TextEncoder().encode("1 2:3.25");
    const expected = parseSvmlight("1 2:3.25\n");
    expect(parseSvmlight("1 2:3.25")).toEqual(expected);
    expect(parseSvmlight(bytes)).toEqual(expected);
    expect(parseSvmlight(bytes.buffer)).toEqual(expected);
    expect(parseSvmlight(new TextEncoder().encode("99 1 2:3.25\n").subarray(3))).toEqual(expected);
    expect(() => parseSvmlight(["1 1:1"] as never)).toThrow(DataError);
  });

  it("has no rows when the text has none", () => {
    expect(parseSvmlight("").X.shape).toEqual([0, 0]);
    expect(parseSvmlight("# nothing\n\n", { cols: 3 }).X.shape).toEqual([0, 3]);
  });

  it("counts from 0 when told, or when an index 0 occurs anywhere", () => {
    expect(rowsOf("1 1:5\n1 2:6\n")).toEqual([
      [5, 0],
      [0, 6],
    ]);
    expect(rowsOf("1 1:5\n1 0:6\n")).toEqual([
      [0, 5],
      [6, 0],
    ]);
    expect(rowsOf("1 1:5\n", { zeroBased: true })).toEqual([[0, 5]]);
    expect(() => parseSvmlight("1 1:5\n1 0:6\n", { zeroBased: false })).toThrow(
      "parseSvmlight: an index in line 2 must be ≥ 1, got 0. Pass { zeroBased: true } if the file counts from 0.",
    );
  });

  it("widens X to the asked number of columns, and refuses an index beyond it", () => {
    expect(parseSvmlight("1 2:1\n", { cols: 5 }).X.cols).toBe(5);
    expect(parseSvmlight("1 5:1\n", { cols: 5 }).X.cols).toBe(5);
    expect(() => parseSvmlight("# wide\n1 1:1\n1 2:1 6:1\n", { cols: 5 })).toThrow(
      new ShapeError({
        where: "parseSvmlight",
        subject: "an index in line 3",
        expected: "at most 5, as cols is 5",
        received: "6",
      }),
    );
    expect(() => parseSvmlight("1 0:1 5:1\n", { cols: 5 })).toThrow(/at most 4, as cols is 5, got 5/);
    expect(() => parseSvmlight("1 1:1\n", { cols: 0 })).toThrow(ParameterError);
    expect(() => parseSvmlight("1 1:1\n", { nFeatures: 3 } as never)).toThrow(ParameterError);
  });

  it("reads query ids, which are in every row or in none", () => {
    const { X, queryIds } = parseSvmlight("3 qid:1 1:0.5\n2 qid:1\n1 qid:20 2:1\n");
    expect(queryIds).toEqual(Float64Array.of(1, 1, 20));
    expect(X.nonZeros).toBe(2);
    expect(() => parseSvmlight("1 qid:1 1:1\n1 1:1\n")).toThrow(
      "qid in line 2 must be present, as in the rows before, got none.",
    );
    expect(() => parseSvmlight("1 1:1\n1 qid:1 1:1\n")).toThrow(
      "qid in line 2 must be absent, as in the rows before, got one.",
    );
    expect(() => parseSvmlight("1 qid:1.5\n")).toThrow(/qid in line 1 must be an integer, got "1.5"/);
    expect(() => parseSvmlight("1 1:1 qid:1\n")).toThrow(/line 1 must be a whole number, got "qid"/);
  });

  it("refuses several labels a row and says what to do", () => {
    expect(() => parseSvmlight("1 1:1\n1,3 2:0.5\n")).toThrow(
      'parseSvmlight: the label in line 2 must be one finite number, got "1,3". Several labels a row are not ' +
        "supported: write one file a label, with 1 for the rows that have it.",
    );
  });

  it.each([
    ["spam 1:1", /the label in line 3 must be one finite number, got "spam"/],
    ["1x 1:1", /the label in line 3 .* got "1x"/],
    ["nan 1:1", /the label in line 3 .* got "nan"/],
    [" 1:1", /the label in line 3 .* got "1:1"\. A row begins with its label/],
    ["1 2", /a feature in line 3 must be index:value, got "2"/],
    ["1 :2", /an index in line 3 must be a whole number, got ""/],
    ["1 -1:2", /an index in line 3 must be a whole number, got "-1"/],
    ["1 1.5:2", /an index in line 3 must be a whole number, got "1.5"/],
    ["1 2147483648:2", /an index in line 3 must be at most 2147483647, got 2147483648/],
    ["1 3:1 2:1", /an index in line 3 must be > 3, the one before it, got 2\. The indices of a row ascend/],
    ["1 3:1 3:1", /an index in line 3 must be > 3, the one before it, got 3/],
    ["1 4:", /the value of index 4 in line 3 must be a finite number, got ""/],
    ["1 4:#5", /the value of index 4 in line 3 must be a finite number, got ""/],
    ["1 4:1:2", /the value of index 4 in line 3 .* got "1:2"/],
    ["1 4:.", /the value of index 4 in line 3 .* got "\."/],
    ["1 4:--1", /the value of index 4 in line 3 .* got "--1"/],
    ["1 4:1e", /the value of index 4 in line 3 .* got "1e"/],
    ["1 4:1e+", /the value of index 4 in line 3 .* got "1e\+"/],
    ["1 4:0x10", /the value of index 4 in line 3 .* got "0x10"/],
    ["1 4:1e999", /the value of index 4 in line 3 .* got "1e999"/],
    ["1 4:inf", /the value of index 4 in line 3 .* got "inf"/],
    ["1 4:é", /the value of index 4 in line 3 .* got "é"/],
  ])("names the line and what is wrong with %j", (line, message) => {
    const text = `1 1:1\n\n${line}\n1 1:1\n`;
    expect(() => parseSvmlight(text)).toThrow(FormatError);
    expect(() => parseSvmlight(text)).toThrow(message);
  });

  it("reads every spelling of a decimal number as JavaScript does, to the last bit", () => {
    const digits = fc.stringMatching(/^[0-9]{1,25}$/);
    const fraction = fc.oneof(
      fc.constant(""),
      digits.map((text) => `.${text}`),
      fc.constant("."),
    );
    const exponent = fc.oneof(
      fc.constant(""),
      fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), fc.nat(280)).map((t) => t.join("")),
    );
    const sign = fc.constantFrom("", "+", "-");
    const spelling = fc
      .tuple(sign, fc.oneof(fc.tuple(digits, fraction), fc.tuple(fc.constant("."), digits)), exponent)
      .map(([s, [a, b], e]) => `${s}${a}${b}${e}`);
    fc.assert(
      fc.property(fc.array(spelling, { minLength: 1, maxLength: 6 }), (texts) => {
        const line = texts.map((text, j) => `${j + 1}:${text}`).join(" ");
        const { values } = parseSvmlight(`0 ${line} # é\n`).X;
        texts.forEach((text, j) => void expect(values[j]).toBe(Number(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it("rounds correctly where digits or powers of ten stop being exact", () => {
    const hard = [
      "9007199254740991",
      "9007199254740992",
      "9007199254740993",
      "9007199254740993e22",
      "1e22",
      "1e23",
    ];
    hard.push(
      "123456789012345678e-30",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "1.7976931348623157e308",
    );
    const line = hard.map((text, j) => `${j + 1}:${text}`).join(" ");
    expect(Array.from(parseSvmlight(`0 ${line}`).X.values)).toEqual(hard.map(Number));
  });
});

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const table = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, cols]) =>
  fc.record({
    X: fc.array(fc.array(fc.oneof(fc.constantFrom(0, -0), finite), { minLength: cols, maxLength: cols }), {
      minLength: rows,
      maxLength: rows,
    }),
    y: fc.array(finite, { minLength: rows, maxLength: rows }),
    ids: fc.array(fc.integer(), { minLength: rows, maxLength: rows }),
    comment: fc.string({ unit: "binary" }),
    zeroBased: fc.boolean(),
  }),
);

describe("formatSvmlight", () => {
  it("writes labels, indices from 1 and what is not zero", () => {
    const X = [
      [0.1, 0, -3],
      [0, 0, 0],
    ];
    expect(formatSvmlight(X, [1, -1])).toBe("1 1:0.1 3:-3\n-1\n");
    expect(formatSvmlight(X, [1, -1], { zeroBased: true })).toBe("1 0:0.1 2:-3\n-1\n");
    expect(formatSvmlight(X, [1, -1], { comment: "two\nrows", queryIds: [7, 8] })).toBe(
      "# two\n# rows\n1 qid:7 1:0.1 3:-3\n-1 qid:8\n",
    );
  });

  it("leaves out zeros that a sparse matrix stores", () => {
    const X = new CsrMatrix({ rows: 1, cols: 3, indptr: [0, 3], indices: [0, 1, 2], values: [1, 0, 2] });
    expect(formatSvmlight(X, [5])).toBe("5 1:1 3:2\n");
  });

  it("reads back with the same bits, dense or sparse, whatever the comment", () => {
    fc.assert(
      fc.property(table, ({ X, y, ids, comment, zeroBased }) => {
        const dense = Matrix.fromRows(X);
        const sparse = CsrMatrix.fromDense(dense);
        const text = formatSvmlight(dense, y, { zeroBased, comment, queryIds: ids });
        expect(formatSvmlight(sparse, y, { zeroBased, comment, queryIds: ids })).toBe(text);
        const back = parseSvmlight(text, { zeroBased, cols: dense.cols });
        expect(back).toEqual({ X: sparse, y: Float64Array.from(y), queryIds: Float64Array.from(ids) });
      }),
      { numRuns: 500 },
    );
  });

  it("needs no options to be read back, but for the number of columns", () => {
    fc.assert(
      fc.property(table, ({ X, y }) => {
        const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
        expect(parseSvmlight(formatSvmlight(sparse, y), { cols: sparse.cols })).toEqual({
          X: sparse,
          y: Float64Array.from(y),
        });
      }),
    );
  });

  it("refuses labels that are not finite numbers, another number of them, and gaps in X", () => {
    expect(() => formatSvmlight([[1]], ["spam"] as never)).toThrow(DataError);
    expect(() => formatSvmlight([[1]], [Number.NaN])).toThrow(DataError);
    expect(() => formatSvmlight([[1]], [1, 2])).toThrow(ShapeError);
    expect(() => formatSvmlight([[Number.NaN]], [1])).toThrow(DataError);
    expect(() => formatSvmlight([[1]], [1], { queryIds: [1, 2] })).toThrow(ShapeError);
    expect(() => formatSvmlight([[1]], [1], { queryIds: [0.5] })).toThrow(ParameterError);
    expect(() => formatSvmlight([[1]], [1], { comment: 3 as never })).toThrow(ParameterError);
  });
});
