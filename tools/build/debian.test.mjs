import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installer, missingPackages, whereIs } from "./debian.mjs";

const folder = mkdtempSync(join(tmpdir(), "debian-"));
afterAll(() => rmSync(folder, { recursive: true }));
const addCommand = (name) => {
  writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, name), 0o755);
};

test("a package is missing when its command is not on the PATH", () => {
  addCommand("convert");
  writeFileSync(join(folder, "notes"), "not a program");
  expect(whereIs("convert", folder)).toBe(join(folder, "convert"));
  expect(missingPackages(["imagemagick:convert", "notes", "chromium"], folder)).toEqual([
    "notes",
    "chromium",
  ]);
});

test("apt-get is run by root, through sudo, or not at all", () => {
  expect(installer(folder, 0)).toMatchObject({ problem: expect.stringContaining("not a Debian system") });
  addCommand("apt-get");
  expect(installer(folder, 0)).toEqual({ words: [] });
  expect(installer(folder, 1000)).toMatchObject({ problem: expect.stringContaining("no sudo") });
  addCommand("sudo");
  expect(installer(folder, 1000)).toEqual({ words: ["sudo"] });
});
