import { expect, test } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import { mutated, outcome, validArrow } from "../support/arrow-mutations.js";

test("a million mutations of Arrow data leave none that the decoder hangs on", () => {
  const random = new Random(2);
  const valid = validArrow();
  let slowest = 0;
  for (let k = 0; k < 1_000_000; k++) {
    const start = performance.now();
    outcome(mutated(valid[k % valid.length]!, random));
    slowest = Math.max(slowest, performance.now() - start);
  }
  expect(slowest).toBeLessThan(1000);
  // Tables of a kilobyte; what a million of them leave behind is collected.
  expect(process.memoryUsage().rss).toBeLessThan(2 ** 30);
});
