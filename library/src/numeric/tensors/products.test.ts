import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/restore-threads.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import { batchedGemmInto, gemmInto, type MatrixView } from "./products.js";
import { type Dtype, type Reals, type TensorSpace, withSpace } from "./space.js";

restoreThreads();

const dtypes: Dtype[] = ["float32", "float64"];
/**
 * Partial sums of k products grow like √k, and k of them are rounded by 6e-8 or 1e-16: about k roundings,
 * times 5 for the largest.
 */
const tolerance = (dtype: Dtype, k: number): number => (dtype === "float32" ? 3e-7 : 5e-16) * (k + 8);

function normal(length: number, seed: number): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length }, () => Math.fround(random.normal()));
}

type Product = { m: number; k: number; n: number; left?: boolean; right?: boolean };

/** The plain product of A (m × k, or stored k × m) and B. */
function twin(a: Float64Array, b: Float64Array, { m, k, n, left, right }: Product): Float64Array {
  const out = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let e = 0; e < k; e++) sum += a[left ? e * m + i : i * k + e]! * b[right ? j * k + e : e * n + j]!;
      out[i * n + j] = sum;
    }
  }
  return out;
}

const leftView = (values: Reals, { m, k, left }: Product): MatrixView =>
  left ? { values, rows: k, cols: m, transposed: true } : { values, rows: m, cols: k };
const rightView = (values: Reals, { k, n, right }: Product): MatrixView =>
  right ? { values, rows: n, cols: k, transposed: true } : { values, rows: k, cols: n };

function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tol: number,
  what: unknown,
): void {
  let worst = 0;
  for (let e = 0; e < expected.length; e++) {
    const error = Math.abs(actual[e]! - expected[e]!);
    worst = error <= worst ? worst : error;
  }
  expect(worst, JSON.stringify(what)).toBeLessThan(tol);
}

/** An unaligned range of memory between sevens. */
function guarded(space: TensorSpace, length: number): { out: Reals; intact: () => boolean } {
  const whole = space.copy(new Float64Array(length + 8).fill(7));
  const intact = () => whole.array.every((v, e) => (e >= 3 && e < 3 + length) || v === 7);
  return { out: space.part(whole, 3, length), intact };
}

function check(dtype: Dtype, product: Product): void {
  const { m, k, n } = product;
  const a = normal(m * k, m + k);
  const b = normal(k * n, k + n + 1);
  const expected = twin(a, b, product);
  withSpace("test", dtype, (space) => {
    const [left, right] = [leftView(space.copy(a), product), rightView(space.copy(b), product)];
    const { out, intact } = guarded(space, m * n);
    const start = space.mark();
    gemmInto(space, left, right, out);
    expectClose(out.array, expected, tolerance(dtype, k), { dtype, ...product });
    gemmInto(space, left, right, out, { accumulate: true });
    const twice = expected.map((v) => 2 * v);
    expectClose(out.array, twice, 2 * tolerance(dtype, k), { dtype, ...product, accumulate: true });
    const bias = normal(n, 5);
    gemmInto(space, left, right, out, { bias: space.copy(bias), activation: { name: "relu" } });
    const finished = expected.map((v, e) => Math.max(0, v + bias[e % n]!));
    expectClose(out.array, finished, tolerance(dtype, k), { dtype, ...product, finished: true });
    expect(intact()).toBe(true);
    space.release(start);
  });
}

const both = [false, true];

describe("gemmInto", () => {
  it.each(dtypes)(
    "is the plain product around the edges of tiles and panels, in all layouts (%s)",
    (dtype) => {
      for (const left of both) {
        for (const right of both) {
          for (const m of [1, 2, 3, 4, 5, 8, 63, 64, 65, 69]) {
            for (const n of [1, 2, 3, 4, 5, 7, 8, 9, 16, 33]) {
              for (const k of [1, 3, 4, 5, 17]) check(dtype, { m, k, n, left, right });
            }
          }
        }
      }
    },
  );

  it.each(dtypes)("has the same bits where zeros are skipped (%s)", (dtype) => {
    const shapes = [
      { m: 202, k: 300, n: 44 },
      { m: 65, k: 257, n: 67 },
      { m: 200, k: 784, n: 100 },
    ];
    for (const share of [0, 0.5, 0.97, 1]) {
      for (const { m, k, n } of shapes) {
        for (const left of both) {
          const random = new Random(m + k);
          const a = normal(m * k, m).map((v) => (random.uniform() < share ? 0 : v));
          withSpace("test", dtype, (space) => {
            const plain = leftView(space.copy(a), { m, k, n, left });
            const right = rightView(space.copy(normal(k * n, n)), { m, k, n });
            const [expected, { out, intact }] = [space.reals(m * n), guarded(space, m * n)];
            const bias = space.copy(normal(n, 5));
            for (const options of [{}, { bias }, { bias, activation: { name: "relu" } as const }]) {
              gemmInto(space, plain, right, expected, options);
              gemmInto(space, { ...plain, manyZeros: true }, right, out, options);
              expect(out.array).toEqual(expected.array);
              gemmInto(space, plain, right, expected, { accumulate: true });
              gemmInto(space, { ...plain, manyZeros: true }, right, out, { accumulate: true });
              expect(out.array).toEqual(expected.array);
            }
            expect(intact()).toBe(true);
          });
        }
      }
    }
  });

  it.each(dtypes)("is the plain product around the depth of a slice (%s)", (dtype) => {
    for (const left of both) {
      for (const right of both) {
        for (const k of [255, 256, 257, 512, 600]) {
          check(dtype, { m: 6, k, n: 10, left, right });
          check(dtype, { m: 1, k, n: 37, left, right });
          check(dtype, { m: 37, k, n: 1, left, right });
        }
      }
    }
  });

  it.each(dtypes)("is the plain product for sizes that are divided into chunks (%s)", (dtype) => {
    for (const left of both) {
      for (const right of both) {
        check(dtype, { m: 201, k: 300, n: 101, left, right });
        check(dtype, { m: 3, k: 301, n: 1501, left, right });
        check(dtype, { m: 1501, k: 301, n: 3, left, right });
      }
    }
    check(dtype, { m: 1, k: 1025, n: 1030 });
  });

  it("has the same bits in few rows, where B is read as it is, and in many", () => {
    const [k, n] = [300, 37];
    withSpace("test", "float32", (space) => {
      const [left, right] = [space.copy(normal(9 * k, 1)), space.copy(normal(k * n, 2))];
      const many = space.reals(9 * n);
      const b = { values: right, rows: k, cols: n };
      gemmInto(space, { values: left, rows: 9, cols: k }, b, many);
      for (const m of [2, 4, 5, 8]) {
        const few = space.reals(m * n);
        gemmInto(space, { values: left, rows: m, cols: k }, b, few);
        expect([...few.array]).toEqual([...many.array.slice(0, m * n)]);
      }
    });
  });

  it.each(dtypes)("has the same bits in few columns as in many (%s)", (dtype) => {
    for (const left of both) {
      // Aᵀb is a row product, with an order of its own.
      for (const n of left ? [2, 3, 4] : [1, 2, 3, 4]) {
        for (const [m, k] of [[37, 1] as const, [150, 100], [100, 150], [24, 301]]) {
          withSpace("test", dtype, (space) => {
            const wide = 12;
            const b = normal(k * wide, k);
            const first = b.filter((_, e) => e % wide < n);
            const a = leftView(space.copy(normal(m * k, m)), { m, k, n, left });
            const [out, expected] = [space.reals(m * n), space.reals(m * wide)];
            gemmInto(space, a, rightView(space.copy(first), { m, k, n }), out);
            gemmInto(space, a, rightView(space.copy(b), { m, k, n: wide }), expected);
            expect([...out.array]).toEqual([...expected.array].filter((_, e) => e % wide < n));
          });
        }
      }
    }
  });

  it("with nothing to sum is the bias", () => {
    withSpace("test", "float32", (space) => {
      const none = space.reals(0);
      const out = space.reals(6);
      const bias = space.copy([1, 2, 3]);
      const [a, b] = [
        { values: none, rows: 2, cols: 0 },
        { values: none, rows: 0, cols: 3 },
      ];
      gemmInto(space, a, b, out, { bias });
      expect([...out.array]).toEqual([1, 2, 3, 1, 2, 3]);
      gemmInto(space, a, b, out);
      expect([...out.array]).toEqual([0, 0, 0, 0, 0, 0]);
    });
  });

  it("reads matrices from an offset on", () => {
    withSpace("test", "float64", (space) => {
      const values = space.copy([9, 1, 2, 3, 4, 5, 6]);
      const out = space.reals(4);
      gemmInto(space, { values, rows: 2, cols: 2, offset: 1 }, { values, rows: 2, cols: 2, offset: 3 }, out);
      expect([...out.array]).toEqual([13, 16, 29, 36]);
    });
  });

  it("has the same bits with one thread and with four", async () => {
    const shapes: Product[] = [
      { m: 300, k: 700, n: 130 },
      { m: 300, k: 700, n: 130, left: true },
      { m: 300, k: 700, n: 130, right: true },
      { m: 5, k: 900, n: 3000 },
      { m: 1, k: 3000, n: 1100 },
    ];
    const run = (dtype: Dtype, shape: Product): Buffer =>
      withSpace("test", dtype, (space) => {
        const a = leftView(space.copy(normal(shape.m * shape.k, 1)), shape);
        const b = rightView(space.copy(normal(shape.n * shape.k, 2)), shape);
        const bias = space.copy(normal(shape.n, 3));
        const out = space.reals(shape.m * shape.n);
        gemmInto(space, a, b, out, { bias, activation: { name: "tanh" } });
        return Buffer.from(out.array.slice().buffer);
      });
    assumeCores(4);
    setThreads(1);
    const alone = dtypes.flatMap((dtype) => shapes.map((shape) => run(dtype, shape)));
    setThreads(4);
    run("float64", { m: 400, k: 700, n: 500 }); // starts the workers
    await new Promise((resolve) => setTimeout(resolve, 300));
    const shared = dtypes.flatMap((dtype) => shapes.map((shape) => run(dtype, shape)));
    for (const [e, bytes] of alone.entries()) expect(bytes.equals(shared[e]!)).toBe(true);
  });
});

describe("batchedGemmInto", () => {
  const shapes: Product[] = [
    { m: 3, k: 5, n: 7 },
    { m: 9, k: 4, n: 8 },
    { m: 130, k: 110, n: 90 },
  ];

  it.each(dtypes)("is one product after another, with shared operands or not (%s)", (dtype) => {
    for (const shape of shapes) {
      for (const left of both) {
        for (const right of both) {
          for (const [aShared, bShared] of [
            [false, false],
            [true, false],
            [false, true],
            [true, true],
          ] as const)
            checkBatch(dtype, { ...shape, left, right }, aShared, bShared);
        }
      }
    }
  });

  function checkBatch(dtype: Dtype, shape: Product, aShared: boolean, bShared: boolean): void {
    const { m, k, n } = shape;
    const count = m > 100 ? 3 : 70;
    const a = normal(count * m * k, 1);
    const b = normal(count * k * n, 2);
    const expected = new Float64Array(count * m * n);
    for (let p = 0; p < count; p++) {
      const left = a.subarray(aShared ? 0 : p * m * k);
      expected.set(twin(left, b.subarray(bShared ? 0 : p * k * n), shape), p * m * n);
    }
    withSpace("test", dtype, (space) => {
      const { out, intact } = guarded(space, expected.length);
      const left = { ...leftView(space.copy(a), shape), shared: aShared };
      const right = { ...rightView(space.copy(b), shape), shared: bShared };
      batchedGemmInto(space, count, left, right, out);
      const what = { dtype, ...shape, aShared, bShared };
      expectClose(out.array, expected, tolerance(dtype, k), what);
      batchedGemmInto(space, count, left, right, out, { accumulate: true });
      const twice = expected.map((v) => 2 * v);
      expectClose(out.array, twice, 2 * tolerance(dtype, k), what);
      expect(intact()).toBe(true);
    });
  }
});
