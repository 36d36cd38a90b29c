import { describe, expect, it } from "vitest";
import { positiveIndex, usualPositive } from "./positive-label.js";

describe("usualPositive", () => {
  it("is 1, true, yes and the like, in any order and case", () => {
    for (const [negative, positive] of [
      [0, 1],
      [-1, 1],
      [false, true],
      ["no", "yes"],
      ["No", "YES "],
      ["N", "Y"],
      ["negative", "positive"],
      ["neg", "pos"],
      ["-", "+"],
      ["0", "1"],
      ["absent", "present"],
      ["not spam", "spam"],
      ["non-smoker", "smoker"],
    ] as const) {
      expect(usualPositive([negative, positive])).toBe(positive);
      expect(usualPositive([positive, negative])).toBe(positive);
    }
  });

  it("is undefined where only the order of the labels would decide", () => {
    for (const classes of [
      ["fraud", "legit"],
      ["benign", "malignant"],
      ["ham", "spam"],
      ["a", "b"],
      [1, 2],
      [0, 2],
      [0, "1"],
      ["no", "yes", "maybe"],
      [1],
      [],
    ])
      expect(usualPositive(classes)).toBeUndefined();
  });
});

describe("positiveIndex", () => {
  it("takes the given label, whatever the labels mean", () => {
    expect(positiveIndex("f", ["fraud", "legit"], "fraud")).toBe(0);
    expect(positiveIndex("f", [0, 1], 0)).toBe(0);
    expect(positiveIndex("f", [false, true], false)).toBe(0);
    expect(positiveIndex("f", ["no", "yes"], null)).toBe(1);
  });

  it("says how to name the positive label where it is not known", () => {
    expect(() => positiveIndex("recallScore", ["fraud", "legit"], undefined)).toThrow(
      'recallScore: positiveLabel must be given as one of the labels ("fraud", "legit"), got nothing. ' +
        'The order of labels does not say which one is to be found: pass { positiveLabel: "fraud" } if it is "fraud".',
    );
    expect(() => positiveIndex("recallScore", ["fraud", "legit"], "Fraud")).toThrow(
      'positiveLabel must be one of the labels ("fraud", "legit"), got "Fraud".',
    );
  });
});
