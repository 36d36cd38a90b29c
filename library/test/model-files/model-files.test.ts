import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Answers, answersOf, readRows, type StoredRows } from "../../../tools/model-files/answers.mjs";
import { parseCsv } from "../../src/csv/index.js";
import { estimatorClasses, loadModel, saveModel } from "../../src/persistence/index.js";
import { decodeSafetensors } from "../../src/persistence/safetensors.js";

interface Stored {
  readonly rows: Readonly<Record<string, StoredRows>>;
  readonly models: Readonly<Record<string, { name: string; rows: string; answers: Answers }>>;
}

/** Kinds without a file of their own, each with the reason. */
const withoutFile: Readonly<Record<string, string>> = {};

const folder = new URL("./fixtures/", import.meta.url);
const versions = readdirSync(folder).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
const storedOf = (version: string): Stored =>
  JSON.parse(readFileSync(new URL(`${version}/answers.json`, folder), "utf8"));
const read = (version: string, file: string) => readFileSync(new URL(`${version}/${file}`, folder));
const versionOf = (bytes: Uint8Array) => decodeSafetensors("test", bytes).metadata.version;

describe.each(versions)("files of %s of the format", (version) => {
  const { rows, models } = storedOf(version);

  it.each(Object.entries(models))("%s answers as on the day it was written, bit for bit", (file, stored) => {
    const bytes = read(version, file);
    expect(`v${versionOf(bytes)}`).toBe(version);
    const model = loadModel(bytes);
    expect(answersOf(model, readRows(rows[stored.rows]!, parseCsv))).toEqual(stored.answers);
  });

  it("are all listed with their answers, and none is empty", () => {
    const files = readdirSync(new URL(version, folder)).filter((name) => name !== "answers.json");
    expect(files.sort()).toEqual(Object.keys(models).sort());
    for (const { answers } of Object.values(models)) expect(Object.keys(answers)).not.toEqual([]);
  });
});

describe("the newest version of the format", () => {
  const newest = versions.at(-1)!;
  const kindsIn = (version: string) =>
    new Set(
      Object.keys(storedOf(version).models).map((file) => loadModel(read(version, file)).toState().kind),
    );

  it("is the one that saveModel writes", () => {
    const [file] = Object.keys(storedOf(newest).models);
    expect(`v${versionOf(saveModel(loadModel(read(newest, file!))))}`).toBe(newest);
  });

  it("has a file of every kind of model, or a reason why not", () => {
    const several = estimatorClasses.flatMap((one) =>
      [one.severalTargets ?? [], one.severalOutputs ?? []].flat(),
    );
    const kinds = new Set([...estimatorClasses, ...several].map(({ id }) => id));
    const found = kindsIn(newest);
    const missing = [...kinds].filter((kind) => !found.has(kind) && !Object.hasOwn(withoutFile, kind));
    expect(missing, "kinds without a file: add a case to tools/model-files/cases.mjs").toEqual([]);
    for (const [kind, reason] of Object.entries(withoutFile)) {
      expect(kinds.has(kind) && !found.has(kind), `${kind} is listed as one without a file`).toBe(true);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});
