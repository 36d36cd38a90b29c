import { afterEach, describe, expect, it } from "vitest";
import { apart, normals, products } from "../../../test/support/random-rows.js";
import { Matrix } from "../../data/matrix.js";
import { SymmetricProducts } from "../linalg/symmetric-products.js";
import { TallProducts } from "../linalg/tall-products.js";
import { withArena } from "../runtime/arena.js";
import { setThreads, threads } from "../runtime/threads.js";
import { FeatureSlices } from "./feature-slices.js";
import { featuresOfValues, kernelFeatures } from "./kernel-features.js";
import { kernelPoints } from "./kernel-points.js";
import { kernelRows, lowerKernelMatrix } from "./kernel-scores.js";
import { kernelCodes } from "./kernel-tree.js";

const all = threads();
afterEach(() => setThreads(all));

const gaussian = { code: kernelCodes.gaussian, a: 0.3, c: 0, degree: 0 };
// Sums of up to 700 products of numbers near 1.
const ROUNDING = 1e-11;

/** L of a well-conditioned L Lᵀ. */
function triangle(side: number, seed: number): Float64Array {
  const l = normals(side, side, seed).data;
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) l[i * side + j]! *= j < i ? 0.3 / Math.sqrt(side) : 0;
    l[i * side + i] = 1 + (i % 3);
  }
  return l;
}

describe("kernel-system", () => {
  for (const n of [1, 2, 3, 4, 5, 7, 63, 64, 65, 131, 700]) {
    it(`multiplies with a symmetric matrix of side ${n}, of which it reads one half`, () => {
      const full = products(normals(n, 3, n), normals(n, 3, n));
      const half = full.data.map((v, e) => (e % n > Math.floor(e / n) ? Number.NaN : v));
      for (const vectors of [1, 2]) {
        const x = normals(vectors, n, 5);
        const run = () =>
          withArena("test", (arena) => {
            const out = new Float64Array(n * vectors);
            new SymmetricProducts(arena, arena.copy(half), n, vectors).multiplyInto(x.data, out);
            return out;
          });
        const received = run();
        expect(apart(received, products(x, full).data)).toBeLessThan(ROUNDING);
        setThreads(1);
        expect(run()).toEqual(received);
        setThreads(all);
      }
    });
  }

  for (const [n, r] of [
    [1, 1],
    [5, 3],
    [255, 4],
    [257, 130],
    [1100, 7],
  ] as const) {
    it(`multiplies with a matrix of ${n} × ${r}, and with its transpose`, () => {
      const phi = normals(n, r, n);
      const [u, v] = [normals(1, r, 2), normals(1, n, 3)];
      const run = () =>
        withArena("test", (arena) => {
          const products = new TallProducts(arena, phi);
          const [across, down] = [new Float64Array(n), new Float64Array(r)];
          products.expandInto(u.data, across);
          products.projectInto(v.data, down);
          return { across, down };
        });
      const received = run();
      expect(apart(received.across, products(u, phi).data)).toBeLessThan(ROUNDING);
      expect(apart(received.down, products(v, phi.transpose()).data)).toBeLessThan(ROUNDING);
      setThreads(1);
      expect(run()).toEqual(received);
    });
  }

  for (const rank of [1, 2, 3, 4, 5, 8, 63, 64, 65, 67, 130]) {
    it(`solves with a triangle of side ${rank}`, () => {
      const lower = triangle(rank, rank);
      const wanted = normals(37, rank, 2);
      const values = products(wanted, new Matrix(lower, rank, rank));
      const received = featuresOfValues("test", values, lower);
      expect(apart(received.data, wanted.data)).toBeLessThan(ROUNDING);
    });
  }

  it("places rows in blocks as one by one, on any number of threads", () => {
    const points = kernelPoints(normals(90, 4, 3), gaussian);
    const z = normals(30_000, 4, 4);
    const lower = triangle(90, 6);
    const together = kernelFeatures("test", z, points, gaussian, lower);
    setThreads(1);
    expect(apart(kernelFeatures("test", z, points, gaussian, lower).data, together.data)).toBe(0);
    for (const i of [0, 1, 23_301, 23_302, 29_999]) {
      const alone = kernelFeatures("test", z.selectRows(Int32Array.of(i)), points, gaussian, lower);
      expect(alone.data).toEqual(together.row(i));
    }
  });

  it("factors K in its own order, slice by slice, and solves with it", () => {
    const n = 150;
    const l = triangle(n, 8);
    const k = products(new Matrix(l, n, n), new Matrix(l, n, n));
    withArena("test", (arena) => {
      const slices = new FeatureSlices(arena, n);
      for (let from = 0; from < n; from += 64) {
        const width = Math.min(64, n - from);
        const ld = 4 * Math.ceil(width / 4);
        const c = arena.zeros(4 * Math.ceil((n - from) / 4) * ld);
        const b = new Float64Array(width * slices.rank);
        for (let i = from; i < n; i++) c.array.set(k.row(i).subarray(from, from + width), (i - from) * ld);
        for (let e = 0; e < width; e++) b.set(slices.row(from + e), e * slices.rank);
        slices.downdate(c.ptr, ld, b, width, from / 4);
        const t = new Float64Array(width * width);
        for (let e = 0; e < width; e++)
          t.set(l.subarray((from + e) * n + from, (from + e) * n + from + e + 1), e * width);
        slices.append(
          c.ptr,
          ld,
          Int32Array.from({ length: width }, (_, e) => e),
          t,
          null,
          from / 4,
        );
      }
      expect(apart(slices.row(149), l.subarray(149 * n, 150 * n))).toBeLessThan(ROUNDING);
      const x = normals(1, n, 9).data;
      const y = products(new Matrix(x, 1, n), k).data;
      slices.solveInto(y, false);
      slices.solveInto(y, true);
      expect(apart(y, x)).toBeLessThan(ROUNDING);
    });
  });

  it("has e^(−a r²) for all that fits a double, and 0 for the rest", () => {
    const squares = Float64Array.from({ length: 4003 }, (_, i) => (i < 3 ? [0, 1e-9, 706.9][i]! : 0.2 * i));
    const roots = new Matrix(squares.map(Math.sqrt), squares.length, 1);
    const origin = kernelPoints(Matrix.zeros(1, 1), gaussian);
    const values = kernelRows("test", roots, origin, { ...gaussian, a: 1 });
    for (let i = 0; i < squares.length; i++) {
      const exact = roots.data[i]! ** 2 > 707 ? 0 : Math.exp(-(roots.data[i]! ** 2));
      // Rounding of r², times r²; and once more of the reduction.
      expect(Math.abs(values.data[i]! - exact)).toBeLessThanOrEqual(
        exact * 4e-16 * (1 + roots.data[i]! ** 2),
      );
    }
    const beyond = kernelRows("test", Matrix.fromRows([[1e200]]), origin, gaussian);
    expect(beyond.data[0]).toBe(0);
  });

  it("computes the lower half of a kernel matrix as it does the whole", () => {
    for (const n of [1, 3, 64, 65, 530]) {
      const x = normals(n, 5, n);
      const whole = kernelRows("test", x, kernelPoints(x, gaussian), gaussian);
      const half = withArena("test", (arena) =>
        lowerKernelMatrix(arena, x, kernelPoints(x, gaussian), gaussian).array.slice(),
      );
      for (let s = 0; s < n; s++)
        expect(half.slice(s * n, s * n + s + 1)).toEqual(whole.row(s).slice(0, s + 1));
    }
  });
});
