import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cases } from "./cases.mjs";
import { writeFiles } from "./write.mjs";

const committed = fileURLToPath(new URL("../../library/test/model-files/fixtures", import.meta.url));
const newest = readdirSync(committed).sort((a, b) => Number(b.slice(1)) - Number(a.slice(1)))[0];
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "argmax-model-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Files written since `age`, to which all others were set. */
const age = new Date("2020-01-01");
const newer = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => statSync(path).mtimeMs > age.getTime());

function copyCommitted() {
  cpSync(committed, folder, { recursive: true });
  for (const path of newer()) utimesSync(path, age, age);
}

test("every case has a committed file, which is not written again", () => {
  copyCommitted();
  expect(writeFiles(folder)).toEqual([]);
  expect(newer()).toEqual([]);
});

test("only the named cases are overwritten", () => {
  copyCommitted();
  expect(writeFiles(folder, ["Ridge"])).toEqual(["Ridge"]);
  expect(newer().map((path) => path.slice(folder.length + 1))).toEqual(
    expect.arrayContaining([join(newest, "ridge.safetensors"), join(newest, "answers.json")]),
  );
  expect(newer()).toHaveLength(2);
});

test("a case that does not exist is an error", () => {
  expect(() => writeFiles(folder, ["Rigde"])).toThrow("no such case: Rigde");
});

test("files have different names", () => {
  const names = writeFiles(folder);
  expect(names).toHaveLength(cases.length);
  expect(readdirSync(join(folder, newest)).length).toBe(cases.length + 1);
  expect(
    Object.keys(JSON.parse(readFileSync(join(folder, newest, "answers.json"), "utf8")).models),
  ).toHaveLength(cases.length);
});
