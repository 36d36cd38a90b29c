import { describe, expect, test } from "vitest";
import { FormatError } from "../core/errors.js";
import { Table } from "../data/table/table.js";
import { DummyClassifier } from "../dummy/index.js";
import { loadModelCard, modelCard } from "./model-card.js";
import { saveModel } from "./model-file.js";
import { loadModel } from "./registry.js";

const table = Table.fromColumns({
  age: [null, 31, 45],
  city: ["Oslo", "Rome", "Oslo"],
  member: [true, false, true],
  since: [new Date("2020-01-01"), new Date("2021-06-01"), null],
});
const model = new DummyClassifier().fit([[1], [2], [3]], ["a", "b", "a"]);

describe("a model card", () => {
  test("describes the columns of a table", () => {
    const card = modelCard(table, { target: "survived", task: "classification" });
    expect(card).toEqual({
      target: "survived",
      task: "classification",
      rows: 3,
      inputs: [
        { name: "age", kind: "numeric", missing: true, min: 31, max: 45, example: 31 },
        { name: "city", kind: "categorical", missing: false, categories: ["Oslo", "Rome"], example: "Rome" },
        { name: "member", kind: "boolean", missing: false, example: false },
        { name: "since", kind: "date", missing: true, example: "2021-06-01T00:00:00.000Z" },
      ],
    });
  });

  test("has no range of a column without numbers, and no example of an empty table", () => {
    const { inputs } = modelCard(Table.fromColumns({ gap: new Float64Array([Number.NaN]) }));
    expect(inputs).toEqual([{ name: "gap", kind: "numeric", missing: true }]);
  });

  test("is kept in the file beside the model, which loads as ever", () => {
    const card = modelCard(table, { target: "survived", task: "classification" });
    const bytes = saveModel(model, { card });
    expect(loadModelCard(bytes)).toEqual(card);
    expect(loadModel(bytes).classes).toEqual(["a", "b"]);
    expect(loadModelCard(saveModel(model))).toBeUndefined();
  });

  test("is refused when it is damaged or wrong", () => {
    const bytes = saveModel(model, { card: modelCard(table, { target: "survived" }) });
    const text = new TextDecoder("latin1").decode(bytes);
    const forged = (from: string, to: string) =>
      Uint8Array.from(text.replace(from, to), (letter) => letter.charCodeAt(0));
    expect(() => loadModelCard(forged("survived", "survivor"))).toThrow(FormatError);
    const wrong = [
      {},
      { inputs: [{}] },
      { inputs: [], task: "clustering" },
      { inputs: [], rows: -1 },
      { inputs: [{ name: "a", kind: "colour", missing: false }] },
      { inputs: [1, 2].map(() => ({ name: "a", kind: "text", missing: false })) },
    ];
    for (const card of wrong) expect(() => saveModel(model, { card: card as never })).toThrow(FormatError);
    expect(() => saveModel(model, { crad: 1 } as never)).toThrow(/crad/);
  });
});
