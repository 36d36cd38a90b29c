import { afterAll } from "vitest";
import { spreadRows } from "../../src/numeric/generated/tensor-shapes.js";
import { assumeCores, setThreads, threads } from "../../src/numeric/runtime/threads.js";
import { withSpace } from "../../src/numeric/tensors/space.js";

/** The calls of tests are too short to start workers by themselves. */
export function startWorkers(): void {
  withSpace("test", "float32", (space) => {
    const call = spreadRows({
      g: space.zeros(4).ptr,
      rows: 2,
      middle: 2,
      inner: 1,
      out: space.reals(4).ptr,
      scale: 1,
      accumulate: 0,
      chunkRows: 1,
    });
    space.parallel(call, 2, 1e9);
  });
}

/** After the tests of a file or a group, there are as many threads as before. */
export function restoreThreads(): void {
  const before = threads();
  afterAll(() => {
    assumeCores(undefined);
    setThreads(before);
  });
}
