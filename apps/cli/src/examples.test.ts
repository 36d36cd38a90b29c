import { beforeAll, describe, expect, test } from "vitest";
import { writeDatasets, writeModels } from "../test/support/files.js";
import { temporaryFolder } from "../test/support/folder.js";
import { runShell } from "../test/support/program.js";
import { commands } from "./commands/index.js";

const { path: folder } = temporaryFolder();

/** Commands that run until they are stopped, which tests of their own do. */
const ENDLESS = new Set(["serve", "studio"]);

/** A folder has the included datasets as CSV files and two models; later examples may use the files of earlier ones. */
beforeAll(async () => {
  await writeDatasets(folder);
  await writeModels(folder);
}, 60_000);

const loaded = await Promise.all(commands.map(async (entry) => ({ entry, command: await entry.load() })));

describe("every example of the help runs", () => {
  const examples = loaded.flatMap(({ entry, command }) =>
    ENDLESS.has(entry.name) ? [] : (command.examples ?? []).map(({ words }) => words),
  );

  test.each(examples)(
    "argmax %s",
    (words) => {
      const { status, stderr, stdout } = runShell(folder, `argmax ${words}`);
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout + stderr).not.toBe("");
    },
    120_000,
  );
});

describe("every command explains itself", () => {
  test.each(loaded.map(({ entry, command }) => [entry.name, entry, command] as const))(
    "%s",
    (name, entry, command) => {
      expect(entry.summary).toMatch(/^[A-Z].*\.$/);
      expect(command.examples?.length).toBeGreaterThan(0);
      for (const { words } of command.examples ?? []) expect(words.split(" ")[0]).toBe(name);
      for (const { doc } of Object.values(command.options)) expect(doc).toMatch(/^\S.*[^.\s]$/);
    },
  );
});
