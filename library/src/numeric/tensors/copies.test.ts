import { describe, expect, it } from "vitest";
import { restoreThreads, startWorkers } from "../../../test/support/start-workers.js";
import { guarded } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import { copyStrided, gatherBatchInto, gatherRowsInto, rowMajorStrides, scatterAddRows } from "./copies.js";
import { type Dtype, type TensorSpace, withSpace } from "./space.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];
const sequence = (n: number) => Array.from({ length: n }, (_, e) => e + 1);

interface Copy {
  readonly shape: readonly number[];
  readonly src: readonly number[];
  readonly dst: readonly number[];
  readonly srcOffset?: number;
  readonly dstOffset?: number;
}

/** Offsets of all indices of a shape. */
function offsets(shape: readonly number[], strides: readonly number[], offset: number): number[] {
  return shape.reduce(
    (all, size, axis) => all.flatMap((at) => Array.from({ length: size }, (_, i) => at + i * strides[axis]!)),
    [offset],
  );
}

function check(space: TensorSpace, copy: Copy): void {
  const from = offsets(copy.shape, copy.src, copy.srcOffset ?? 0);
  const to = offsets(copy.shape, copy.dst, copy.dstOffset ?? 0);
  const src = sequence(Math.max(0, ...from) + 1);
  for (const accumulate of [false, true]) {
    const { out, isIntact } = guarded(space, Math.max(0, ...to) + 1);
    const expected = Array.from(out.array);
    to.forEach((at, e) => {
      expected[at] = src[from[e]!]! + (accumulate ? 7 : 0);
    });
    const room = space.copy(src);
    const { srcOffset = 0, dstOffset = 0 } = copy;
    copyStrided(space, copy.shape, room, srcOffset, copy.src, out, dstOffset, copy.dst, accumulate);
    expect(Array.from(out.array), JSON.stringify(copy)).toEqual(expected);
    expect(isIntact()).toBe(true);
  }
}

/** dst = src with its axes in another order. */
function permutation(shape: readonly number[], order: readonly number[]): Copy {
  const strides = rowMajorStrides(shape);
  const permuted = order.map((axis) => shape[axis]!);
  return { shape: permuted, src: order.map((axis) => strides[axis]!), dst: rowMajorStrides(permuted) };
}

const EDGES = [1, 2, 3, 4, 5, 8, 9, 63, 64, 65, 67, 130];
const copies: readonly Copy[] = [
  { shape: [], src: [], dst: [] },
  { shape: [0, 3], src: [3, 1], dst: [3, 1] },
  ...EDGES.flatMap((n) => EDGES.map((m) => permutation([n, m], [1, 0]))),
  ...EDGES.map((n): Copy => ({ shape: [n], src: [1], dst: [1] })),
  ...EDGES.map((n): Copy => ({ shape: [3, n], src: [n + 2, 1], dst: [n, 1], srcOffset: 2 })),
  ...EDGES.map((n): Copy => ({ shape: [3, n], src: [n, 1], dst: [n + 3, 1], dstOffset: 1 })),
  // Broadcast rows and columns, reversed, every second.
  ...EDGES.map((n): Copy => ({ shape: [3, n], src: [0, 1], dst: [n, 1] })),
  ...EDGES.map((n): Copy => ({ shape: [3, n], src: [1, 0], dst: [n, 1] })),
  ...EDGES.map((n): Copy => ({ shape: [2, n], src: [n, -1], dst: [n, 1], srcOffset: n - 1 })),
  ...EDGES.map((n): Copy => ({ shape: [n, 3], src: [-3, 1], dst: [3, 1], srcOffset: 3 * (n - 1) })),
  ...EDGES.map((n): Copy => ({ shape: [2, n], src: [2 * n, 2], dst: [n, 1] })),
  ...EDGES.map((n): Copy => ({ shape: [2, n], src: [n, 1], dst: [2 * n, 2] })),
  permutation([2, 5, 3, 8], [0, 2, 1, 3]),
  permutation([2, 5, 3, 8], [0, 2, 3, 1]),
  permutation([2, 3, 4, 2, 3, 2], [5, 0, 3, 1, 4, 2]),
  permutation([2, 2, 2, 2, 2, 2, 2, 2], [7, 5, 3, 1, 6, 4, 2, 0]),
];

const bytesOf = (values: { buffer: ArrayBufferLike }) => new Uint8Array(values.buffer);

describe("copyStrided", () => {
  restoreThreads();

  it("copies and adds like a plain loop over all indices, and writes nothing else", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const copy of copies) space.step(() => check(space, copy));
      });
    }
  });

  it("gives the same with one thread and four", async () => {
    const [n, m] = [801, 603];
    const run = () =>
      withSpace("test", "float32", (space) => {
        const src = space.copy(sequence(n * m));
        const out = space.reals(n * m);
        copyStrided(space, [m, n], src, 0, [1, m], out, 0, [n, 1]);
        return out.array.slice();
      });
    assumeCores(4);
    setThreads(1);
    const alone = run();
    for (let i = 0; i < n; i += 7) expect(alone[5 * n + i]).toBe(i * m + 6);
    setThreads(4);
    startWorkers();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let k = 0; k < 3; k++) expect(Buffer.compare(bytesOf(run()), bytesOf(alone))).toBe(0);
  });
});

describe("rows", () => {
  it("are gathered by index, also those of a mini-batch, and added back in order", () => {
    const random = new Random(5);
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const cols of [1, 2, 3, 4, 5, 8, 9, 255, 256, 257, 1100]) {
          const values = sequence(7 * cols);
          const table = space.copy(values);
          const chosen = Array.from({ length: 11 }, () => Math.floor(random.uniform() * 7));
          const rowOf = (r: number) => values.slice(r * cols, (r + 1) * cols);
          const indices = space.integers(chosen);
          const all = guarded(space, 11 * cols);
          gatherRowsInto(space, table, cols, indices, all.out);
          expect(Array.from(all.out.array)).toEqual(chosen.flatMap(rowOf));
          const batch = guarded(space, 3 * cols);
          gatherBatchInto(space, table, cols, indices, 4, 3, batch.out);
          expect(Array.from(batch.out.array)).toEqual(chosen.slice(4, 7).flatMap(rowOf));
          const sums = guarded(space, 7 * cols);
          scatterAddRows(space, all.out, cols, indices, sums.out);
          const expected = values.map(
            (value, e) => 7 + value * chosen.filter((r) => r === Math.floor(e / cols)).length,
          );
          expect(Array.from(sums.out.array)).toEqual(expected);
          expect(all.isIntact() && batch.isIntact() && sums.isIntact()).toBe(true);
        }
      });
    }
  });
});
