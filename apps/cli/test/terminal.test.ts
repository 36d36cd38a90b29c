import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

/** What people see: the program in a real terminal (tmux). */
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "argmax-terminal-"));
const socket = `argmax-test-${process.pid}`;
const tmux = (...words: string[]) => execFileSync("tmux", ["-L", socket, ...words], { encoding: "utf8" });
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

afterAll(() => {
  try {
    tmux("kill-server");
  } catch {
    // It has ended with its last window.
  }
  rmSync(folder, { recursive: true });
});

/** Runs the program in a window of the given size; returns all screens that were seen, with their colours. */
async function screensOf(
  columns: number,
  rows: number,
  words: readonly string[],
  settings = "",
): Promise<string[]> {
  const session = `w${columns}${settings.length}`;
  const command = `cd ${folder} && env ${settings} ${process.execPath} ${main} ${words.join(" ")}; echo code=$?; sleep 60`;
  const env = ["-e", "TERM=xterm-256color", "-e", `PATH=${process.env.PATH}`];
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    session,
    "-x",
    String(columns),
    "-y",
    String(rows),
    ...env,
    command,
  );
  const screens: string[] = [];
  for (let waited = 0; waited < 60_000; waited += 40) {
    const screen = tmux("capture-pane", "-e", "-p", "-t", session);
    if (screen !== screens.at(-1)) screens.push(screen);
    if (screen.includes("code=")) return screens;
    await sleep(40);
  }
  throw new Error(screens.at(-1));
}

const ESCAPE = "\u001b";
const plain = (screen: string) => screen.replaceAll(new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g"), "");
const words = [
  "compare",
  "digits",
  "-m",
  "gaussian-nb,logistic-regression,decision-tree,mlp",
  "-f",
  "3",
  "--save",
  "none",
];

test("compare shows a bar per model, then only the leaderboard, in colour", async () => {
  const screens = await screensOf(90, 40, words);
  expect(screens.some((screen) => /^MLPClassifier +━+─+ +0\.\d+/m.test(plain(screen)))).toBe(true);
  expect(screens.some((screen) => /^\d+ of 12 folds/m.test(plain(screen)))).toBe(true);
  const last = screens.at(-1)!;
  expect(plain(last)).toContain("code=0");
  expect(plain(last)).not.toContain("of 12 folds");
  expect(plain(last)).toMatch(/^ +model +accuracy +± 95 % +fit +predict/m);
  expect(last).toContain(`${ESCAPE}[32m`);
  for (const screen of screens)
    for (const line of plain(screen).split("\n")) expect([...line].length).toBeLessThanOrEqual(90);
}, 90_000);

test("on a narrow and low terminal nothing is wrapped, and NO_COLOR is obeyed", async () => {
  const screens = await screensOf(40, 15, words, "NO_COLOR=1");
  const last = screens.at(-1)!;
  expect(plain(last)).toContain("code=0");
  for (const code of [1, 2, 32, 36]) expect(screens.join("")).not.toContain(`${ESCAPE}[${code}m`);
  // A wrapped line of the table would begin without a name.
  const rows = plain(last)
    .split("\n")
    .filter((line) => /0\.\d{4}(?!\.)/.test(line));
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) expect(row).toMatch(/^[ ┌│└] {2}\w+/);
}, 90_000);
