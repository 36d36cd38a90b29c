import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { fixtures } from "./bundle.js";

/** Runs a script in a process that may use so many kilobytes of addresses. */
async function runLimited(kilobytes: number, words: readonly string[]): Promise<string> {
  const command = `ulimit -v ${kilobytes} && exec "$0" "$@"`;
  const run = promisify(execFile);
  const { stdout, stderr } = await run("sh", ["-c", command, process.execPath, ...words], { cwd: fixtures });
  return stdout + stderr;
}

describe("a process with few addresses", () => {
  // With its trap handler Node reserves 10 GB for every memory, so that below that none can be had, whatever its maximum.
  test("fits or is told what to do", async () => {
    const printed = await runLimited(6_000_000, ["small-fits.mjs"]);
    const refused =
      /^DataError: LinearRegression\.fit: the working memory must be .*--disable-wasm-trap-handler/;
    for (const line of printed.trim().split("\n")) if (line !== "fitted") expect(line).toMatch(refused);
  });

  for (const kilobytes of [6_000_000, 3_000_000, 1_500_000]) {
    const small = (script: string) => runLimited(kilobytes, ["--disable-wasm-trap-handler", script]);

    test(`${kilobytes / 1e6} GB without the trap handler: small fits, and one that starts threads elsewhere`, async () => {
      expect(await small("small-fits.mjs")).toBe("fitted\nfitted\n");
      expect(await small("large-fit.mjs")).toBe("done\n");
    }, 60_000);
  }
});
