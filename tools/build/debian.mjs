/**
 * Makes sure that Debian packages are there: `node tools/build/debian.mjs chromium imagemagick:convert`.
 *
 * A name is a package and the command it brings; `package:command` where the two differ. Nothing happens when every
 * command is already on the PATH, so this may stand in front of every test run.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Where a command lies, or undefined. */
export function whereIs(command, path = process.env.PATH ?? "") {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, command))
    .find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The packages whose command is missing. */
export function missingPackages(names, path = process.env.PATH ?? "") {
  return names
    .map((name) => name.split(":"))
    .filter(([packageName, command = packageName]) => whereIs(command, path) === undefined)
    .map(([packageName]) => packageName);
}

/** The words that go in front of apt-get, or why there are none. */
export function installer(path = process.env.PATH ?? "", user = process.getuid?.()) {
  if (whereIs("apt-get", path) === undefined) return { problem: "this is not a Debian system (no apt-get)" };
  if (user === 0) return { words: [] };
  if (whereIs("sudo", path) !== undefined) return { words: ["sudo"] };
  return { problem: "installing needs root, and there is no sudo" };
}

function fail(packages, reason) {
  const names = packages.join(" ");
  console.error(`Cannot install ${names}: ${reason}.`);
  console.error(`Install it yourself (on Debian: apt-get install ${names}), then run the command again.`);
  process.exit(1);
}

function install(packages) {
  const { words, problem } = installer();
  if (problem !== undefined) fail(packages, problem);
  const steps = [["update"], ["install", "--yes", "--no-install-recommends", ...packages]];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  console.error(`Installing ${packages.join(", ")} …`);
  for (const step of steps) {
    const [command, ...rest] = [...words, "apt-get", "-qq", ...step];
    const { status, error } = spawnSync(command, rest, { stdio: ["inherit", "ignore", "inherit"], env });
    if (status !== 0) fail(packages, error?.message ?? `apt-get ${step[0]} ended with code ${status}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const names = process.argv.slice(2);
  if (names.length === 0) {
    console.error("Usage: node tools/build/debian.mjs <package[:command]> …");
    process.exit(2);
  }
  const missing = missingPackages(names);
  if (missing.length > 0) install(missing);
}
