import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { cholesky, choleskySolveInto } from "./cholesky.js";
import { symmetricEigen } from "./eigen.js";
import { triangularFactor } from "./qr.js";
import { jacobiSvd } from "./svd.js";

const side = fc.integer({ min: 1, max: 12 });

function normal(length: number, seed: number): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length }, () => random.normal());
}

/** AᵀA + small multiple of I. */
function definite(n: number, seed: number): Float64Array {
  const a = normal(n * n, seed);
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) out[i * n + j]! += a[k * n + i]! * a[k * n + j]!;
    out[i * n + i]! += 0.1;
  }
  return out;
}

describe("cholesky", () => {
  it("solves: A·x gives b back", () => {
    fc.assert(
      fc.property(side, fc.nat(1000), (n, seed) => {
        const a = definite(n, seed);
        const b = normal(n, seed + 1);
        const x = new Float64Array(n);
        choleskySolveInto(cholesky(a, n), b, x);
        for (let i = 0; i < n; i++) {
          let sum = 0;
          for (let j = 0; j < n; j++) sum += a[i * n + j]! * x[j]!;
          expect(Math.abs(sum - b[i]!)).toBeLessThan(1e-9);
        }
      }),
    );
  });

  it("does not mind columns of sizes 1e-8 and 1e8", () => {
    const factor = cholesky(Float64Array.of(1e-16, 0.5, 0.5, 1e16), 2);
    expect(factor.lifted).toBe(0);
    const x = new Float64Array(2);
    choleskySolveInto(factor, Float64Array.of(1e-16, 0.5), x);
    expect(x[0]).toBeCloseTo(1, 10);
    expect(x[1]).toBeCloseTo(0, 10);
  });

  it("reports singular matrices by the number of pivots it had to lift", () => {
    expect(cholesky(Float64Array.of(1, 1, 1, 1), 2).lifted).toBe(1);
    expect(cholesky(new Float64Array(9), 3).lifted).toBe(3);
  });
});

describe("symmetricEigen", () => {
  it("rebuilds the matrix from orthonormal vectors and ascending values", () => {
    fc.assert(
      fc.property(side, fc.nat(1000), (n, seed) => {
        const a = definite(n, seed);
        const { values, vectors } = symmetricEigen(a, n);
        for (let i = 0; i < n; i++) {
          if (i > 0) expect(values[i]).toBeGreaterThanOrEqual(values[i - 1]!);
          for (let j = 0; j < n; j++) {
            let product = 0;
            let overlap = 0;
            for (let k = 0; k < n; k++) {
              product += vectors[i * n + k]! * values[k]! * vectors[j * n + k]!;
              overlap += vectors[k * n + i]! * vectors[k * n + j]!;
            }
            expect(Math.abs(product - a[i * n + j]!)).toBeLessThan(1e-10 * n);
            expect(Math.abs(overlap - (i === j ? 1 : 0))).toBeLessThan(1e-12 * n);
          }
        }
      }),
    );
  });
});

describe("triangularFactor and jacobiSvd", () => {
  it("RᵀR is AᵀA and Rᵀ(Qᵀy) is Aᵀy, over several blocks of rows", () => {
    const rows = 700;
    const cols = 5;
    const a = normal(rows * cols, 3);
    const y = normal(rows, 4);
    const { r, qty } = triangularFactor(rows, cols, (i, out) => {
      out.set(a.subarray(i * cols, (i + 1) * cols));
      out[cols] = y[i]!;
    });
    for (let p = 0; p < cols; p++) {
      let right = 0;
      let expected = 0;
      for (let k = 0; k < cols; k++) right += r[k * cols + p]! * qty[k]!;
      for (let i = 0; i < rows; i++) expected += a[i * cols + p]! * y[i]!;
      expect(right).toBeCloseTo(expected, 9);
      for (let q = 0; q < cols; q++) {
        let gram = 0;
        let whole = 0;
        for (let k = 0; k < cols; k++) gram += r[k * cols + p]! * r[k * cols + q]!;
        for (let i = 0; i < rows; i++) whole += a[i * cols + p]! * a[i * cols + q]!;
        expect(gram).toBeCloseTo(whole, 9);
      }
    }
  });

  it("finds small singular values to full relative precision", () => {
    // diag(1, 1e-12) rotated on both sides by hand: values must come back as they went in.
    const c = Math.SQRT1_2;
    const tiny = 1e-12;
    const a = Float64Array.of(c, -c * tiny, c, c * tiny);
    const values = Array.from(jacobiSvd(a, 2).values).sort((p, q) => q - p);
    expect(values[0]).toBeCloseTo(1, 14);
    expect(values[1]! / tiny).toBeCloseTo(1, 10);
  });
});
