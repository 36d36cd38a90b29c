import { afterAll } from "vitest";
import { assumeCores, setThreads, threads } from "../../src/numeric/runtime/threads.js";

/** After the tests of a file: as many threads as before, and the cores that there are. */
export function restoreThreads(): void {
  const before = threads();
  afterAll(() => {
    assumeCores(undefined);
    setThreads(before);
  });
}
