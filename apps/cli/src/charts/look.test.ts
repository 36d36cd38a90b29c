import { describe, expect, test } from "vitest";
import { noStyle } from "../terminal/terminal.js";
import { lookOf, shorten, supportsUnicode } from "./look.js";
import { rangeOf, ticks, tickTexts } from "./scale.js";

describe("scales and text", () => {
  test("ticks are round numbers inside the range", () => {
    expect(ticks([0, 1], 6)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    expect(ticks([0, 1], 3)).toEqual([0, 0.5, 1]);
    expect(ticks([-150, 320], 5)).toEqual([-100, 0, 100, 200, 300]);
    expect(tickTexts([0, 0.02, 0.04])).toEqual(["0.00", "0.02", "0.04"]);
    expect(tickTexts([0, 2e6])).toEqual(["0", "2.0e6"]);
    expect(tickTexts([0, 50])).toEqual(["0", "50"]);
  });

  test("a range of one number has room on both sides; none is 0 to 1", () => {
    expect(rangeOf([4, 4])).toEqual([2, 6]);
    expect(rangeOf([0])).toEqual([-1, 1]);
    expect(rangeOf([])).toEqual([0, 1]);
    expect(rangeOf([3, 1, 2])).toEqual([1, 3]);
  });

  test("ASCII is for dumb terminals and for locales that are not UTF-8", () => {
    expect(supportsUnicode({})).toBe(true);
    expect(supportsUnicode({ LANG: "de_DE.UTF-8" })).toBe(true);
    expect(supportsUnicode({ LANG: "de_DE.utf8", LC_ALL: "C" })).toBe(false);
    expect(supportsUnicode({ LC_CTYPE: "en_US.ISO-8859-1" })).toBe(false);
    expect(supportsUnicode({ TERM: "dumb", LANG: "C.UTF-8" })).toBe(false);
  });

  test("charts are 80 columns wide at the most", () => {
    const terminal = { print: () => {}, emit: () => {}, note: () => {}, style: noStyle };
    expect(lookOf({ ...terminal, width: Infinity }, {}).width).toBe(80);
    expect(lookOf({ ...terminal, width: 52 }, {}).width).toBe(52);
  });

  test("text that is too long is cut and marked", () => {
    expect(shorten("Chinstrap", 6, true)).toBe("Chins…");
    expect(shorten("Chinstrap", 6, false)).toBe("Chins~");
    expect(shorten("Adelie", 6, true)).toBe("Adelie");
    expect(shorten("Adelie", 0, true)).toBe("");
  });
});
