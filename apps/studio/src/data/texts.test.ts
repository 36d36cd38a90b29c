import fc from "fast-check";
import { expect, it } from "vitest";
import { packTexts, textAt, unpackTexts } from "./texts.js";

it("returns every text as it was, whatever its characters", () => {
  const text = fc.oneof(
    fc.constant(null),
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.constant("é漢😀\u0000"),
    fc.constant("\ud800"),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (values) => {
      expect(unpackTexts(packTexts(values))).toEqual(values);
    }),
  );
});

it("returns long texts, and null for empty ones", () => {
  const long = "añ😀".repeat(300_000);
  const texts = packTexts(["a", long, "", null, "z"]);
  expect([0, 1, 2, 3, 4].map((i) => textAt(texts, i) === ["a", long, null, null, "z"][i])).toEqual(
    Array(5).fill(true),
  );
});
