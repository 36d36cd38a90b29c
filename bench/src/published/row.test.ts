import { describe, expect, it } from "vitest";
import { agrees, meets } from "./row.js";
import { markdown, rewritten } from "./table.js";

const figure = { name: "accuracy", published: 84.9886, digits: 4 };
const row = {
  data: "a9a",
  method: "logistic",
  source: "LIBLINEAR",
  figures: [figure],
  run: () => [84.98863706],
};

describe("a published figure", () => {
  it("agrees when ours rounds to the printed digits", () => {
    expect(agrees(figure, 84.98863706)).toBe(true);
    expect(agrees(figure, 84.98865)).toBe(true);
    expect(agrees(figure, 84.9887)).toBe(false);
  });

  it("with an explained tolerance is met but does not agree", () => {
    const explained = { ...figure, tolerance: 0.01, note: "of a reason" };
    expect(meets(explained, 84.98)).toBe(true);
    expect(agrees(explained, 84.98)).toBe(false);
    expect(markdown([{ row: { ...row, figures: [explained] }, ours: [84.98], seconds: 1 }])).toContain(
      "| see ¹ |",
    );
  });

  it("is printed with its digits, beside ours", () => {
    expect(markdown([{ row, ours: [84.98863706], seconds: 1 }])).toContain("| 84.9886 | 84.9886 | agrees |");
    expect(markdown([{ row, ours: [84.5], seconds: 1 }])).toContain("**differs**");
    expect(markdown([{ row, missing: "a9a is not in the data folder" }])).toContain("data not there");
  });

  it("goes between the document's markers and leaves the rest alone", () => {
    const before =
      "# Title\n<!-- published results: written by `npm run published -- DIR --write` -->\nold\n";
    const after = "<!-- end of published results -->\ntail\n";
    const text = rewritten(before + after, [{ row, ours: [84.9886], seconds: 1 }]);
    expect(text).toMatch(/^# Title\n/);
    expect(text).toMatch(/tail\n$/);
    expect(text).not.toContain("old");
    expect(rewritten(text, [{ row, ours: [84.9886], seconds: 2 }])).toBe(text);
  });

  it("refuses a document without markers", () => {
    expect(() => rewritten("# Title\n", [])).toThrow(/must hold the lines/);
  });
});
