import { describe, expect, it } from "vitest";
import { parseLibsvm } from "./libsvm.js";

describe("parseLibsvm", () => {
  it("counts features from 1 and leaves out zeros", () => {
    const { X, y } = parseLibsvm("+1 1:0.5 3:-2\n-1 2:1e-3\n");
    expect(y).toEqual([1, -1]);
    expect([X.rows, X.cols]).toEqual([2, 3]);
    expect(Array.from(X.indptr)).toEqual([0, 2, 3]);
    expect(Array.from(X.indices)).toEqual([0, 2, 1]);
    expect(Array.from(X.values)).toEqual([0.5, -2, 0.001]);
  });

  it("keeps a row without features, skips empty lines and comments, reads Windows line ends", () => {
    const { X, y } = parseLibsvm("1 1:1 # a comment\r\n\r\n2\r\n");
    expect(y).toEqual([1, 2]);
    expect(Array.from(X.indptr)).toEqual([0, 1, 1]);
  });

  it("widens the matrix to the asked number of columns, and never narrows it", () => {
    expect(parseLibsvm("1 2:1\n", 5).X.cols).toBe(5);
    expect(parseLibsvm("1 7:1\n", 5).X.cols).toBe(7);
  });

  it("names the line of a descending index, a zero index, a missing value and a label that is no number", () => {
    expect(() => parseLibsvm("1 1:1\n1 3:1 2:1\n")).toThrow(/line 2.*ascend/);
    expect(() => parseLibsvm("1 0:1\n")).toThrow(/line 1.*≥ 1/);
    expect(() => parseLibsvm("1 1:\n")).toThrow(/line 1: a value/);
    expect(() => parseLibsvm("spam 1:1\n")).toThrow(/line 1: a label/);
  });
});
