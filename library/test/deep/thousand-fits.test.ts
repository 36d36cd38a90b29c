import { describe, expect, test } from "vitest";
import { megabytes, runChild } from "./child.js";

interface Mark {
  readonly fits: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly arrayBuffers: number;
  readonly bytesReserved: number;
  readonly bytesInUse: number;
}

const MB = 2 ** 20;
/** V8's space for new objects grows by tens of megabytes when it is busy, which would look like a leak. */
const smallNursery = "--max-semi-space-size=1";
/** glibc keeps freed buffers of up to 32 MB for later, which looks like a leak that comes and goes: these go back at once. */
const givesBack = { MALLOC_MMAP_THRESHOLD_: "65536", MALLOC_TRIM_THRESHOLD_: "65536" };

describe("a thousand fits hold what four hundred hold", async () => {
  for (const name of await runChild<string[]>("thousand-fits.mjs")) {
    test(name, async () => {
      const marks = await runChild<Mark[]>("thousand-fits.mjs", [name], [smallNursery], givesBack);
      const [first, last] = [marks[1]!, marks.at(-1)!];
      console.log(`${name}: resident MB ${marks.map(({ rss }) => megabytes(rss)).join(", ")}`);
      expect(marks.map(({ bytesInUse }) => bytesInUse)).toEqual(marks.map(() => 0));
      expect(last.bytesReserved).toBe(first.bytesReserved);
      // 600 fits later: a leak of 2 KB of objects or buffers a fit would show here, one of 10 KB of anything else below.
      expect(last.heapUsed - first.heapUsed).toBeLessThan(1 * MB);
      expect(last.arrayBuffers - first.arrayBuffers).toBeLessThan(1 * MB);
      // What comes and goes (the collector's own pages) is not a leak: the least of the last two marks against the least of the first two.
      const least = (some: readonly Mark[]) => Math.min(...some.map(({ rss }) => rss));
      expect(least(marks.slice(-2)) - least(marks.slice(0, 2))).toBeLessThan(6 * MB);
    });
  }
});
