import { describe, expect, it } from "vitest";
import { ArgmaxError } from "../../core/errors.js";
import { Table } from "../../data/table/table.js";
import { LabelBinarizer } from "../index.js";

describe("LabelBinarizer", () => {
  const three = new LabelBinarizer().fit([3, 1, 2]);

  it("has one column per class of three or more, one for two, and one for one", () => {
    expect(three.transform([2, 3]).toArray()).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(new LabelBinarizer().fitTransform([true, false]).toArray()).toEqual([[1], [0]]);
    expect(new LabelBinarizer().fitTransform(["a", "a"]).toArray()).toEqual([[0], [0]]);
    expect(new LabelBinarizer().fit(["a"]).inverseTransform([[0], [1]])).toEqual(["a", "a"]);
  });

  it("takes the column of a table", () => {
    const table = Table.fromColumns({ kind: ["x", "z", "y"] });
    expect(new LabelBinarizer().fitTransform(table.column("kind") as never).toArray()).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ]);
  });

  it("writes negLabel and posLabel, and decides at their middle", () => {
    const model = new LabelBinarizer({ negLabel: -2, posLabel: 4 }).fit(["a", "b"]);
    expect(model.transform(["b", "a"]).toArray()).toEqual([[4], [-2]]);
    expect(model.inverseTransform([[0.9], [1.1]])).toEqual(["a", "b"]);
    expect(() => new LabelBinarizer({ negLabel: 1, posLabel: 1 })).toThrow(
      "LabelBinarizer: negLabel must be below posLabel (1), got 1.",
    );
  });

  it("reads two columns of probabilities of two classes, too", () => {
    const model = new LabelBinarizer().fit(["a", "b"]);
    expect(
      model.inverseTransform([
        [0.9, 0.1],
        [0.3, 0.7],
      ]),
    ).toEqual(["a", "b"]);
  });

  it("refuses a label that fit has not seen, or encodes it as zeros, which have no inverse", () => {
    expect(() => three.transform([4 as never])).toThrow(
      "FittedLabelBinarizer.transform: y[0] must be one of the classes (1, 2, 3), got 4.",
    );
    const lenient = new LabelBinarizer({ handleUnknown: "ignore" }).fit([3, 1, 2]);
    const rows = lenient.transform([4 as never, 3]);
    expect(rows.toArray()).toEqual([
      [0, 0, 0],
      [0, 0, 1],
    ]);
    expect(() => lenient.inverseTransform(rows)).toThrow(
      "FittedLabelBinarizer.inverseTransform: row 0 must be a row with a largest entry, got 0 in every column.",
    );
    // The one column of two classes has no room for a third.
    const two = new LabelBinarizer({ handleUnknown: "ignore" }).fit([1, 2]);
    expect(() => two.transform([3 as never])).toThrow("y[0] must be one of the classes (1, 2), got 3.");
  });

  it("throws the library's errors for what is not a list of labels, and for rows of another width", () => {
    for (const wrong of [null, undefined, 5, {}, [], [null], [Number.NaN], ["a", 1]]) {
      expect(() => new LabelBinarizer().fit(wrong as never)).toThrow(ArgmaxError);
    }
    for (const wrong of [null, undefined, 5, {}, [null], [[1, 2]], [[Number.NaN, 0, 1]]])
      expect(() => three.inverseTransform(wrong as never)).toThrow(ArgmaxError);
    expect(() => three.inverseTransform([[1, 0]])).toThrow(
      "the rows must be 3 columns, as transform returns them, got 2.",
    );
    // @ts-expect-error: not a parameter
    expect(() => new LabelBinarizer({ sparse: true })).toThrow(ArgmaxError);
  });
});
