import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/start-workers.js";
import { expectSameWithThreads, guarded } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import { type BinaryName, binaryInto, broadcastShape, type Shape, sumToInto } from "./broadcasting.js";
import { type Dtype, withSpace } from "./space.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];
const round = (dtype: Dtype) => (dtype === "float32" ? Math.fround : (x: number) => x);
const sizeOf = (shape: Shape) => shape.reduce((product, size) => product * size, 1);

function values(dtype: Dtype, n: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: n }, () => round(dtype)(random.normal()));
}

const functions: Record<BinaryName, (x: number, y: number) => number> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  maximum: Math.max,
  minimum: Math.min,
};

/** Entry of a tensor of `shape` that belongs to an entry of the common shape. */
function entryOf(index: number, common: Shape, shape: Shape): number {
  let entry = 0;
  let step = 1;
  for (let axis = 1; axis <= common.length; axis++) {
    const size = common[common.length - axis]!;
    const own = shape[shape.length - axis] ?? 1;
    entry += own === 1 ? 0 : (index % size) * step;
    step *= own;
    index = Math.floor(index / size);
  }
  return entry;
}

const pairs: readonly (readonly [Shape, Shape])[] = [
  [[], []],
  [[1], [1, 1]],
  ...[1, 2, 3, 4, 5, 7, 8, 9, 17].flatMap((n): [Shape, Shape][] => [
    [[n], [n]],
    [[n], []],
    [[], [n]],
    [[3, n], [n]],
    [[n], [3, n]],
    [
      [3, n],
      [3, 1],
    ],
    [
      [3, 1],
      [3, n],
    ],
    [
      [n, 1],
      [1, 5],
    ],
  ]),
  [
    [2, 3, 4, 5],
    [3, 1, 5],
  ],
  [
    [2, 1, 4, 1, 3],
    [5, 1, 2, 1],
  ],
  [
    [2, 1, 3, 1, 4],
    [1, 2, 1, 3, 1],
  ],
  [[0, 3], [3]],
];

describe("broadcasting", () => {
  it("follows NumPy's rule for the common shape", () => {
    expect(broadcastShape([2, 1, 3], [4, 1])).toEqual([2, 4, 3]);
    expect(broadcastShape([], [3])).toEqual([3]);
    expect(broadcastShape([0, 3], [1])).toEqual([0, 3]);
    expect(broadcastShape([2, 3], [2])).toBeUndefined();
  });

  it("gives the bits of a plain loop for every function, shape and width, and writes nothing else", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const [aShape, bShape] of pairs) {
          const common = broadcastShape(aShape, bShape)!;
          const p = values(dtype, sizeOf(aShape), 1);
          const q = values(dtype, sizeOf(bShape), 2);
          for (const [name, f] of Object.entries(functions)) {
            const { out, isIntact } = guarded(space, sizeOf(common));
            binaryInto(space, name as BinaryName, space.copy(p), aShape, space.copy(q), bShape, out);
            const expected = Array.from({ length: out.length }, (_, e) =>
              round(dtype)(f(p[entryOf(e, common, aShape)]!, q[entryOf(e, common, bShape)]!)),
            );
            expect(Array.from(out.array), `${name} ${aShape} ${bShape}`).toEqual(expected);
            expect(isIntact()).toBe(true);
          }
        }
      });
    }
  });

  it("may write over the operand that has the common shape", () => {
    withSpace("test", "float32", (space) => {
      const a = space.copy([1, 2, 3, 4, 5, 6]);
      binaryInto(space, "subtract", space.copy([10, 20, 30]), [3], a, [2, 3], a);
      expect(Array.from(a.array)).toEqual([9, 18, 27, 6, 15, 24]);
    });
  });
});

describe("sumToInto", () => {
  it("adds what was broadcast, also to what is there", () => {
    for (const dtype of dtypes) {
      // f32: each of at most three sums in a row rounds once.
      const tolerance = dtype === "float32" ? 2e-6 : 1e-13;
      withSpace("test", dtype, (space) => {
        for (const [target, other] of pairs) {
          const shape = broadcastShape(target, other)!;
          const x = values(dtype, sizeOf(shape), 3);
          for (const accumulate of [false, true]) {
            const { out, isIntact } = guarded(space, sizeOf(target));
            const expected = Array.from({ length: out.length }, () => (accumulate ? 7 : 0));
            x.forEach((value, e) => {
              expected[entryOf(e, shape, target)]! += value;
            });
            sumToInto(space, space.copy(x), shape, target, out, accumulate);
            out.array.forEach((value, e) => {
              expect(Math.abs(value - expected[e]!), `${shape} to ${target}`).toBeLessThan(tolerance * 8);
            });
            expect(isIntact()).toBe(true);
          }
        }
      });
    }
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of broadcast results", async () => {
    const run = (dtype: Dtype) =>
      withSpace("test", dtype, (space) => {
        const n = 803;
        const m = 601;
        const a = space.copy(values(dtype, n * m, 4));
        const b = space.copy(values(dtype, n * m, 5));
        const row = space.part(b, 0, m);
        const column = space.part(b, 0, n);
        const out = space.reals(n * m);
        const sums: number[] = [];
        const total = space.reals(1);
        const keep = () => {
          for (let e = 0; e < n * m; e += 97) sums.push(out.array[e]!);
          sumToInto(space, out, [n, m], [], total);
          sums.push(total.array[0]!);
        };
        binaryInto(space, "multiply", a, [n, m], b, [n, m], out);
        keep();
        binaryInto(space, "divide", row, [m], a, [n, m], out);
        keep();
        binaryInto(space, "subtract", a, [n, m], column, [n, 1], out);
        keep();
        sumToInto(space, a, [n, m], [n, 1], space.part(out, 0, n));
        sumToInto(space, a, [n, m], [m], space.part(out, n, m));
        return [...sums, ...out.array.slice(0, n + m)];
      });
    for (const dtype of dtypes)
      await expectSameWithThreads(() => Buffer.from(Float64Array.from(run(dtype)).buffer));
  });
});
