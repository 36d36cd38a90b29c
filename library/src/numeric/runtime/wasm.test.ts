import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { exp, log1pExp, sigmoid } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { logistic } from "../../losses/losses.js";
import { expChunk } from "../generated/elementary.js";
import { elementaryKernels } from "../generated/families.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { gemm, gemv, vectorExp, vectorLog1pExp, vectorSigmoid } from "../linalg/products.js";
import { columnMoments } from "../rows/column-moments.js";
import { denseRows, limits } from "../rows/dense-rows.js";
import { dotRow, linearScores } from "../rows/linear-scores.js";
import { momentsOf } from "../rows/moments.js";
import { openRowSum } from "../rows/open-row-sum.js";
import { withArena } from "./arena.js";
import { Heap, heap } from "./heap.js";
import { type Address, KernelFamily } from "./kernels.js";
import { activeThreads, assumeCores, parallel, setThreads, threads } from "./threads.js";

/** The last 16 bytes of four gigabytes, which nobody has; the address after them is 0. */
const LAST_BYTES = (2 ** 32 - 16) as Address;
const bits = (v: Float64Array) => Array.from(new BigUint64Array(v.slice().buffer));
const any = fc.double({ min: -800, max: 800, noNaN: true });

function random(rows: number, cols: number, seed: number): Matrix {
  const generator = new Random(seed);
  const out = Matrix.zeros(rows, cols);
  for (let e = 0; e < out.data.length; e++) out.data[e] = generator.normal();
  return out;
}

describe("vector functions have the bits of their TypeScript twins", () => {
  for (const [name, kernel, twin] of [
    ["exp", vectorExp, exp],
    ["log1pExp", vectorLog1pExp, log1pExp],
    ["sigmoid", vectorSigmoid, sigmoid],
  ] as const) {
    it(name, () => {
      fc.assert(
        fc.property(fc.array(any, { minLength: 1, maxLength: 9 }), (values) => {
          const x = Float64Array.from(values);
          expect(bits(kernel(x))).toEqual(bits(x.map(twin)));
        }),
      );
      const edges = Float64Array.of(
        0,
        -0,
        1e-300,
        -1e-300,
        709.7,
        709.8,
        -745.1,
        -746,
        -1e5,
        1e5,
        Infinity,
        -Infinity,
      );
      expect(bits(kernel(edges))).toEqual(bits(edges.map(twin)));
    });
  }
});

describe("products", () => {
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 70 }),
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 9 }),
  );

  it("gemm is the sum of products, whatever the sizes", () => {
    fc.assert(
      fc.property(sizes, ([n, k, m]) => {
        const a = random(n, k, 1);
        const b = random(k, m, 2);
        const c = gemm(a, b);
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < m; j++) {
            let sum = 0;
            for (let e = 0; e < k; e++) sum += a.at(i, e) * b.at(e, j);
            // Another order of k additions: k ulps of terms of size about 1.
            expect(Math.abs(c.at(i, j) - sum)).toBeLessThan(1e-15 * k * 20);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it("gemv has the bits of its twin, alone and in a batch", () => {
    const a = random(2000, 37, 3);
    const w = random(1, 37, 4).data;
    const z = gemv(a, w);
    for (const i of [0, 1, 777, 1999]) expect(z[i]).toBe(dotRow(a.data, i * 37, w, 0, 37) + 0);
    const two = Float64Array.of(...w, ...w);
    const both = linearScores("test", a, two, Float64Array.of(0, 1));
    expect(both.at(777, 0)).toBe(z[777]);
    expect(both.at(777, 1)).toBe(dotRow(a.data, 777 * 37, w, 0, 37) + 1);
  });

  it("sizes that do not fit are a clear error", () => {
    expect(() => gemm(Matrix.zeros(2, 3), Matrix.zeros(2, 3))).toThrow(
      "gemm: b must be 3 rows high, as a is wide, got 2 rows.",
    );
  });
});

describe("moments", () => {
  it("centre before they square: an offset of 1e8 costs no digits", () => {
    const x = random(5000, 3, 5);
    const far = new Matrix(
      x.data.map((v) => v + 1e8),
      5000,
      3,
    );
    const near = columnMoments("test", x, undefined).variance;
    const shifted = columnMoments("test", far, undefined).variance;
    // Adding 1e8 itself rounds every entry to 1.5e-8.
    shifted.forEach((v, j) => {
      expect(Math.abs(v - near[j]!)).toBeLessThan(1e-8);
    });
  });

  it("agree with plain sums, with weights", () => {
    const x = random(333, 5, 6);
    const y = random(333, 1, 7).data;
    const s = random(333, 1, 8).data.map(Math.abs);
    const { total, mean, yMean, scatter } = momentsOf("test", x, y, s, true);
    let expected = 0;
    for (let i = 0; i < 333; i++) expected += s[i]! * (x.at(i, 1) - mean[1]!) * (y[i]! - yMean);
    expect(scatter[1 * 6 + 5]).toBeCloseTo(expected, 10);
    expect(total).toBeCloseTo(
      s.reduce((a, b) => a + b, 0),
      10,
    );
  });
});

describe("sums over rows", () => {
  const n = 7001;
  const x = random(n, 13, 9);
  const y = random(n, 1, 10).data.map((v) => (v > 0 ? 1 : -1));
  const weights = random(n, 1, 11).data.map(Math.abs);
  const theta = random(1, 14, 12).data;
  const pass = (design: Matrix | CsrMatrix) => {
    const sum = openRowSum("test", design, y, weights, logistic(), 1);
    try {
      const gradient = new Float64Array(14);
      const value = sum.evaluate(theta, gradient);
      const hessian = new Float64Array(14 * 14);
      sum.hessianInto(hessian);
      return { value, gradient, hessian };
    } finally {
      sum.close();
    }
  };

  it("streamed in blocks have the bits of resident ones", () => {
    const resident = pass(x);
    const before = { ...limits };
    // Four blocks: three of 2048 rows and a short one.
    Object.assign(limits, { residentBytes: 1000, blockBytes: 2048 * 13 * 8 });
    try {
      const streamed = pass(x);
      expect(streamed.value).toBe(resident.value);
      expect(bits(streamed.gradient)).toEqual(bits(resident.gradient));
      expect(bits(streamed.hessian)).toEqual(bits(resident.hessian));
    } finally {
      Object.assign(limits, before);
    }
  });

  it("over sparse rows are those over the same rows dense", () => {
    const dense = pass(x);
    const sparse = pass(CsrMatrix.fromDense(x));
    expect(Math.abs(sparse.value - dense.value) / dense.value).toBeLessThan(1e-13);
    sparse.gradient.forEach((g, j) => {
      expect(Math.abs(g - dense.gradient[j]!)).toBeLessThan(1e-9);
    });
    sparse.hessian.forEach((h, j) => {
      expect(Math.abs(h - dense.hessian[j]!)).toBeLessThan(1e-9);
    });
  });

  it("of softmax agree with the formula, dense and sparse", () => {
    const classes = 5;
    const labels = Float64Array.from({ length: n }, (_, i) => i % classes);
    const coefficients = random(classes, 14, 13).data;
    const values = [x, CsrMatrix.fromDense(x)].map((design) => {
      const sum = openRowSum("test", design, labels, weights, null, classes);
      const gradient = new Float64Array(classes * 14);
      const value = sum.evaluate(coefficients, gradient);
      sum.close();
      return { value, gradient };
    });
    let expected = 0;
    for (let i = 0; i < n; i++) {
      const z = Array.from(
        { length: classes },
        (_, k) => coefficients[k * 14 + 13]! + dotRow(x.data, i * 13, coefficients, k * 14, 13),
      );
      const top = Math.max(...z);
      expected +=
        weights[i]! * (Math.log(z.reduce((s, v) => s + Math.exp(v - top), 0)) + top - z[labels[i]!]!);
    }
    for (const { value } of values) expect(Math.abs(value - expected) / expected).toBeLessThan(1e-12);
    values[0]!.gradient.forEach((g, e) => {
      expect(Math.abs(g - values[1]!.gradient[e]!)).toBeLessThan(1e-9);
    });
  });
});

describe("threads", () => {
  it("are never more than there are cores, however many are allowed", () => {
    const before = threads();
    assumeCores(2);
    setThreads(8);
    expect([threads(), activeThreads()]).toEqual([8, 2]);
    setThreads(1);
    expect(activeThreads()).toBe(1);
    assumeCores(undefined);
    setThreads(before);
  });

  it("never change a result: one thread and two give the same bits", async () => {
    const x = random(60_000, 30, 14);
    const y = Float64Array.from({ length: x.rows }, (_, i) => (x.at(i, 0) > 0 ? 1 : -1));
    const theta = random(1, 31, 15).data;
    const run = () => {
      const sum = openRowSum("test", x, y, undefined, logistic(), 1);
      const gradient = new Float64Array(31);
      const value = sum.evaluate(theta, gradient);
      const hessian = new Float64Array(31 * 31);
      sum.hessianInto(hessian);
      sum.close();
      return [value, ...gradient, ...hessian];
    };
    setThreads(1);
    const alone = run();
    setThreads(2);
    run(); // starts the worker
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let k = 0; k < 5; k++) expect(run()).toEqual(alone);
  });

  it("tell why a kernel failed in a worker, and work again", async () => {
    setThreads(2);
    let helped = false;
    // Chunk 0 reads at `from`, chunk 1 at 16 bytes after it; this thread waits until a worker has taken the first.
    const run = (from: (room: Address) => Address) =>
      withArena("test", (arena) => {
        helped = false;
        const meanwhile = () => {
          helped = true;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        };
        const out = arena.zeros(4);
        const x = from(arena.copy(Float64Array.of(0, 1, 2, 3)).ptr);
        const call = expChunk({ x, n: 4, out: out.ptr, chunkRows: 2 });
        parallel(arena.heap, call, 2, 1e9, meanwhile);
        return Array.from(out.array);
      });
    const runWithWorker = async () => {
      do {
        expect(run((room) => room)).toEqual([0, 1, 2, 3].map(exp));
        await new Promise((resolve) => setTimeout(resolve, 50));
      } while (!helped);
    };
    await runWithWorker();
    const nowhere = () => run(() => LAST_BYTES);
    expect(nowhere).toThrow(/elementary\.a failed in a worker thread: RuntimeError: memory access/);
    await runWithWorker();
  });
});

describe("kernel families", () => {
  it("may be many: workers compile and run each of a hundred, and name the one that fails", async () => {
    setThreads(2);
    const families = Array.from({ length: 100 }, (_, f) => new KernelFamily(`f${f}`, elementaryKernels.text));
    let helped = 0;
    const run = (family: KernelFamily, from: (room: Address) => Address) =>
      withArena("test", (arena) => {
        const out = arena.zeros(4);
        const x = from(arena.copy(Float64Array.of(0, 1, 2, 3)).ptr);
        const call = { ...expChunk({ x, n: 4, out: out.ptr, chunkRows: 2 }), family };
        // The worker has time to take both chunks.
        const meanwhile = () => {
          helped++;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        };
        parallel(arena.heap, call, 2, 1e9, meanwhile);
        return Array.from(out.array);
      });
    while (helped === 0) {
      expect(run(families[0]!, (room) => room)).toEqual([0, 1, 2, 3].map(exp));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const family of families) expect(run(family, (room) => room)).toEqual([0, 1, 2, 3].map(exp));
    expect(helped).toBeGreaterThan(50);
    expect(() => run(families.at(-1)!, () => LAST_BYTES)).toThrow(
      /RuntimeError: memory access|memory access/,
    );
  });
});

describe("memory", () => {
  it("is reused: a thousand pieces of work leave the heap as large as one", () => {
    const work = () => gemm(random(50, 60, 1), random(60, 40, 2));
    work();
    const before = heap().bytesReserved;
    for (let k = 0; k < 1000; k++) work();
    expect(heap().bytesReserved).toBe(before);
    expect(heap().bytesInUse).toBe(0);
  });

  it("freed in any order becomes one free range again", () => {
    const own = new Heap(false);
    const blocks = Array.from({ length: 20 }, (_, k) => ({
      bytes: 100 * (k + 1),
      at: own.allocate("test", 100 * (k + 1)),
    }));
    const order = new Random(1).permutation(20);
    for (const k of order) own.release(blocks[k]!.at, blocks[k]!.bytes);
    expect(own.bytesInUse).toBe(0);
    const reserved = own.bytesReserved;
    own.release(own.allocate("test", 50_000), 50_000);
    expect(own.bytesReserved).toBe(reserved);
  });

  it("that cannot be had is an error that says how much was asked for", () => {
    expect(() => new Heap(false).allocate("Test.fit", 5 * 2 ** 30)).toThrow(
      /Test\.fit: the working memory must be at most 4 GB .*, got 0\.00 GB in use and 5\.00 GB more needed/,
    );
  });

  describe("of a process with few addresses", () => {
    const Memory = WebAssembly.Memory;
    afterEach(() => {
      WebAssembly.Memory = Memory;
    });
    /** An engine that cannot reserve more than so many pages, and none to share. */
    const limit = (most: number) => {
      WebAssembly.Memory = class extends Memory {
        constructor(descriptor: WebAssembly.MemoryDescriptor) {
          if (descriptor.shared || descriptor.maximum! > most)
            throw new RangeError("could not allocate memory");
          super(descriptor);
        }
      };
    };

    it("is smaller and not shared, and kernels work on it", () => {
      limit(3000);
      const own = new Heap(true);
      expect(own.shared).toBe(false);
      const at = own.allocate("test", 2 ** 20);
      own.floats.set([1, 2, 3], at / 8);
      own.exports(elementaryKernels);
      expect(() => own.allocate("test", 3000 * 2 ** 16)).toThrow(/the working memory must be at most 4 GB/);
    });

    it("is refused with advice where there is none at all", () => {
      limit(10);
      expect(() => new Heap(true, "Ridge.fit")).toThrow(
        /^Ridge.fit: the working memory must be possible to reserve, got no address space for it\. .*ulimit -v/,
      );
    });
  });

  it("survives a failed fit: an error inside an arena frees it", () => {
    expect(() =>
      withArena("test", (arena) => {
        arena.f64(1000);
        throw new Error("inside");
      }),
    ).toThrow("inside");
    expect(heap().bytesInUse).toBe(0);
  });

  it("a Gram matrix of one row and one column is its square", () => {
    withArena("test", (arena) => {
      const out = new Float64Array(4);
      const rows = denseRows(arena, new Matrix(Float64Array.of(3), 1, 1), 2048);
      gramInto(gramWork(arena, rows, { ones: true }), out);
      expect(Array.from(out)).toEqual([9, 3, 3, 1]);
    });
  });
});
