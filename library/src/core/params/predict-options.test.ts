import { describe, expect, it } from "vitest";
import { ParameterError } from "../errors.js";
import { predictLabels } from "./predict-options.js";

const two = { data: Float64Array.of(-3, -1, -0.5, 0, 0.5, 1, 3), cols: 1 };
const margins = { margins: true };
const ask = (options: unknown) => predictLabels("f", ["no", "yes"], two, options, margins);

describe("predictLabels of two classes", () => {
  it("gives every row a label unless told otherwise, ties to the first class", () => {
    expect(ask(undefined)).toEqual(["no", "no", "no", "no", "yes", "yes", "yes"]);
    expect(ask({})).toEqual(ask(undefined));
    expect(ask({ threshold: undefined, minMargin: undefined })).toEqual(ask(undefined));
  });

  it("predicts the second class above the threshold, not at it", () => {
    expect(ask({ threshold: 0.5 })).toEqual(["no", "no", "no", "no", "no", "yes", "yes"]);
    expect(ask({ threshold: -Infinity })).toEqual(new Array(7).fill("yes"));
  });

  it("keeps rows at the smallest margin, which is a distance from the threshold", () => {
    const none = undefined;
    expect(ask({ minMargin: 1 })).toEqual(["no", "no", none, none, none, "yes", "yes"]);
    expect(ask({ minMargin: 1, threshold: 0.5 })).toEqual(["no", "no", "no", none, none, none, "yes"]);
  });

  it("with one score per class, decides by the difference", () => {
    const pairs = { data: Float64Array.of(1, 3, 3, 1, 2, 2), cols: 2 };
    const options = { threshold: 1, minMargin: 1 };
    expect(predictLabels("f", ["no", "yes"], pairs, options, margins)).toEqual(["yes", "no", "no"]);
  });
});

describe("predictLabels of several classes", () => {
  const three = { data: Float64Array.of(5, 1, 3, 1, 2, 2, 0, 1, 4), cols: 3 };
  const letters = ["a", "b", "c"];

  it("has the best score less the next best as margin", () => {
    expect(predictLabels("f", letters, three, {}, margins)).toEqual(["a", "b", "c"]);
    expect(predictLabels("f", letters, three, { minMargin: 2.5 }, margins)).toEqual([
      undefined,
      undefined,
      "c",
    ]);
  });

  it("rejects by the probability of the class that is predicted, also if another has more", () => {
    const probabilities = () => Float64Array.of(0.4, 0.5, 0.1, 0.1, 0.6, 0.3, 0, 0, 1);
    const both = { ...margins, probabilities };
    expect(predictLabels("f", letters, three, { minProba: 0.5 }, both)).toEqual([undefined, "b", "c"]);
    expect(predictLabels("f", letters, three, { minProba: 0.5, minMargin: 1 }, both)).toEqual([
      undefined,
      undefined,
      "c",
    ]);
  });

  it("takes scores for probabilities where a model has nothing else", () => {
    const p = { data: Float64Array.of(0.2, 0.2, 0.6, 0.4, 0.3, 0.3), cols: 3 };
    expect(predictLabels("f", letters, p, { minProba: 0.5 })).toEqual(["c", undefined]);
    expect(() => predictLabels("f", letters, p, { minMargin: 0.5 })).toThrow(ParameterError);
  });

  it("has no threshold", () => {
    expect(() => predictLabels("f", letters, three, { threshold: 0 }, margins)).toThrow(
      "f: threshold must be absent when there are more than two classes, got 0.",
    );
  });
});

it("refuses what is not a margin or probability, and options that the model does not have", () => {
  for (const wrong of [
    { minMargin: -1 },
    { minMargin: Number.NaN },
    { threshold: "0" },
    { minProba: 0.5 },
    1,
  ])
    expect(() => ask(wrong)).toThrow(ParameterError);
  const both = { ...margins, probabilities: () => new Float64Array(14) };
  expect(() => predictLabels("f", ["no", "yes"], two, { minProba: 2 }, both)).toThrow(ParameterError);
});
