import { expect } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import { assumeCores, setThreads } from "../../src/numeric/runtime/threads.js";
import type { Reals, TensorSpace } from "../../src/numeric/tensors/space.js";
import { startWorkers } from "./start-workers.js";

/** Quarters in [−2, 2): sums of their products are exact in both widths, and maxima have ties. */
export function quarters(n: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: n }, () => Math.floor(random.uniform() * 16) / 4 - 2);
}

/** A vector that is not aligned, between numbers that no kernel may change. */
export function guarded(space: TensorSpace, n: number): { out: Reals; isIntact: () => boolean } {
  const room = space.copy(new Array(n + 9).fill(7));
  const out = space.part(room, 1, n);
  return { out, isIntact: () => room.array[0] === 7 && room.array.slice(n + 1).every((v) => v === 7) };
}

/** `run` returns the same bytes with one thread and with four. The caller restores the threads. */
export async function expectSameWithThreads(run: () => Buffer): Promise<void> {
  assumeCores(4);
  setThreads(1);
  const alone = run();
  setThreads(4);
  startWorkers();
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (let k = 0; k < 3; k++) expect(run().equals(alone)).toBe(true);
}
