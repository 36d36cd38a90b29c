import { expect, test } from "vitest";
import { findWords } from "./words.mjs";

const found = (text) => findWords(text).map(({ line, words }) => [line, words]);

test("unusual words are found with their line", () => {
  expect(found("a\nthe file is no table, and\nrows are none")).toEqual([
    [2, "is no t"],
    [3, "are none"],
  ]);
  expect(found("learns rows by heart; the score flatters; the share of rows")).toHaveLength(3);
});

test("usual ones are not", () => {
  expect(
    found("There is no file. It is no longer there, no better than chance; there are none; a flatter curve."),
  ).toEqual([]);
  expect(found("for (const share of shares) show(share);")).toEqual([]);
});
