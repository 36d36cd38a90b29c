import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Fit {
  readonly name: string;
  readonly same: boolean;
  readonly spent: number;
  /** Milliseconds of the one fit with one thread, which was the first: no more than a hint. */
  readonly alone: number;
}

const SECONDS = 60;
/** A fit that has not come back after so long hangs: alone the longest takes below a second. */
const WATCHDOG_MS = 30_000;

const hog = "let x = 0; for (;;) x += Math.sqrt(x + 1);";
const run = (words: readonly string[]): ChildProcess =>
  spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;

/** The fits of a child process, which is ended if one of them hangs. */
async function fitsOf(child: ChildProcess): Promise<{ fits: Fit[]; hung: boolean }> {
  const fits: Fit[] = [];
  let hung = false;
  const bite = () => {
    hung = true;
    child.kill("SIGKILL");
  };
  let watchdog = setTimeout(bite, WATCHDOG_MS);
  const ended = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout! })) {
    clearTimeout(watchdog);
    fits.push(JSON.parse(line) as Fit);
    watchdog = setTimeout(bite, WATCHDOG_MS);
  }
  clearTimeout(watchdog);
  const [code] = await ended;
  if (!hung) expect(code).toBe(0);
  return { fits, hung };
}

test("two threads beside two busy processes: every fit comes back, with the bits of one thread", async () => {
  const hogs = [run(["-e", hog]), run(["-e", hog])];
  try {
    const file = fileURLToPath(new URL("./fixtures/threads-stress.mjs", import.meta.url));
    const { fits, hung } = await fitsOf(run([file, String(SECONDS)]));
    const names = [...new Set(fits.map(({ name }) => name))];
    for (const name of names) {
      const own = fits.filter((fit) => fit.name === name);
      const spent = own.map((fit) => fit.spent);
      const ratio = median(spent) / own[0]!.alone;
      console.log(
        `${name}: ${own.length} fits, median ${median(spent).toFixed(0)} ms, ${ratio.toFixed(2)} of one thread, ` +
          `longest ${Math.max(...spent).toFixed(0)} ms`,
      );
      expect(own.filter(({ same }) => !same)).toEqual([]);
    }
    expect(hung).toBe(false);
    expect(names).toHaveLength(5);
  } finally {
    for (const child of hogs) child.kill("SIGKILL");
  }
});

test("whichever thread leads a tree of histogram boosting, it has the bits of one thread", async () => {
  const file = fileURLToPath(new URL("./fixtures/worker-leads.mjs", import.meta.url));
  // Before the bounds of splits belonged to a tree, more than half of these processes had another model.
  for (let k = 0; k < 8; k++) {
    const child = run([file]);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) lines.push(line);
    expect(lines, `process ${k}`).toEqual(["same"]);
  }
});
