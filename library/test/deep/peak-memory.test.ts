import { describe, expect, test } from "vitest";
import { megabytes, runChild } from "./child.js";

interface Peak {
  readonly input: number;
  /** What the estimator was given to keep kernel rows in. */
  readonly cache: number;
  readonly added: number;
  readonly seconds: number;
  readonly converged: boolean;
}

describe("a fit adds at most three times its input, its cache and 64 MB", async () => {
  for (const name of await runChild<string[]>("peak-memory.mjs")) {
    test(name, async () => {
      const { input, cache, added, seconds, converged } = await runChild<Peak>("peak-memory.mjs", [name]);
      const limit = 3 * input + cache + 64 * 2 ** 20;
      console.log(
        `${name}: input ${megabytes(input)} MB, added ${megabytes(added)} MB ` +
          `(${(added / input).toFixed(2)} times; at most ${megabytes(limit)}), ${seconds.toFixed(2)} s`,
      );
      expect(converged).toBe(true);
      expect(added).toBeLessThanOrEqual(limit);
    });
  }
});
