import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answer } from "../src/answers/answer.js";
import type { Call } from "../src/answers/call.js";
import { inputMetadata, outputMetadata } from "../src/answers/infer-outputs.js";
import { clientSource, serveModel } from "../src/index.js";

/** The committed model files of the library: every kind of model that there is. They have no cards. */
const folder = new URL("../../../library/test/model-files/fixtures/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".safetensors"),
);
const call: Call = {
  task: "predict",
  format: "json",
  accept: "json",
  probabilities: true,
  maxRows: 10,
  firstRow: 0,
};

/** Models that have nothing to say about new rows. */
const unservable = /(agglomerativeclustering|dbscan)\.safetensors$/;
/** Encoders that refuse unknown categories: only a card would name one that they know. */
const withoutExample = /(onehotencoder|ordinalencoder)\.safetensors$/;

describe("every kind of model", () => {
  test("is among the files", () => {
    expect(files.length).toBeGreaterThan(150);
  });

  test.each(files)("%s", (file) => {
    const bytes = readFileSync(new URL(file, folder));
    if (unservable.test(file)) {
      expect(() => serveModel("m", "1", bytes)).toThrow("cannot predict rows that it was not fitted to");
      return;
    }
    const model = serveModel("m", "1", bytes);
    const { status, body } = answer(model, Buffer.from(JSON.stringify([model.example, model.example])), call);
    if (withoutExample.test(file)) {
      expect({ status, sample: model.sample }).toEqual({ status: 422, sample: undefined });
      return;
    }
    expect(status, String(body)).toBe(200);
    const { predictions } = JSON.parse(body as string);
    expect(predictions).toHaveLength(2);
    expect(predictions[0]).toEqual(predictions[1]);
    expect(JSON.stringify(predictions)).not.toContain("undefined");
    const columns = inputMetadata(model);
    expect(columns.length).toBe(model.schema.form === "matrix" ? 1 : model.schema.fields.length);
    expect(outputMetadata(model).length).toBeGreaterThan(0);
    expect(clientSource(model)).toContain("export async function predictM(");
  });
});
