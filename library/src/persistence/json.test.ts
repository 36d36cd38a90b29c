import { describe, expect, it } from "vitest";
import { FormatError } from "../core/errors.js";
import type { Json } from "../core/state/state.js";
import { parse, stringify } from "./json.js";

const round = (value: Json) => parse("test", stringify("test", value));

describe("stringify and parse", () => {
  it("keep every number, also those that JSON does not know", () => {
    for (const value of [0, -0, 1e308, 5e-324, 0.1, Number.NaN, Infinity, -Infinity]) {
      expect(Object.is(round(value), value)).toBe(true);
      expect(round({ list: [value] })).toEqual({ list: [value] });
    }
  });

  it("keep keys that look like their own signs", () => {
    const value = { $number: "NaN", $: 1, $$x: 2, x: { $number: "NaN", y: 1 } };
    expect(round(value)).toEqual(value);
  });

  it("keep a key called __proto__ as an ordinary one", () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const back = round(value) as object;
    expect(Object.keys(back)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });

  it.each([
    ["no JSON", "{"],
    ["a raw __proto__", '{"__proto__": {}}'],
    ["an unknown sign", '{"$date": 1}'],
    ["an unknown number", '{"$number": "1e999"}'],
    ["a number with company", '{"$number": "NaN", "x": 1}'],
    ["nesting without end", "[".repeat(100_000) + "]".repeat(100_000)],
  ])("answer %s with a FormatError", (_, text) => {
    expect(() => parse("test", text)).toThrow(FormatError);
  });
});
