import { expect } from "vitest";
import { setThreads, threads } from "../../src/numeric/runtime/threads.js";

/** Checks that what `grow` makes with a seed depends on that and not on the number of threads; returns it for seed 0. */
export function sameOnThreads<T>(grow: (randomState: number) => T): T {
  const before = threads();
  const grown = (count: number, randomState: number): T => {
    setThreads(count);
    return grow(randomState);
  };
  const [a, b, c] = [grown(1, 0), grown(2, 0), grown(2, 1)];
  setThreads(before);
  expect(b).toEqual(a);
  expect(c).not.toEqual(a);
  return a;
}
