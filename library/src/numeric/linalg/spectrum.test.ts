import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { largestEigen } from "./spectrum.js";

const symmetric = (n: number, entry: (i: number, j: number) => number): Float64Array => {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = entry(i, j);
  return a;
};

/** ‖AV − VΛ‖ and ‖VᵀV − I‖, relative to the largest value. */
function errors(a: Float64Array, n: number, count: number): [residual: number, orthogonality: number] {
  const { values, vectors } = largestEigen("test", a, n, () => count);
  const size = Math.max(Math.abs(values[0]!), Math.abs(values[n - 1]!), Number.MIN_VALUE);
  let [residual, orthogonality] = [0, 0];
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < n; i++) {
      let sum = -values[k]! * vectors[k * n + i]!;
      for (let j = 0; j < n; j++) sum += a[i * n + j]! * vectors[k * n + j]!;
      residual = Math.max(residual, Math.abs(sum) / size);
    }
    for (let l = 0; l <= k; l++) {
      let dot = l === k ? -1 : 0;
      for (let i = 0; i < n; i++) dot += vectors[k * n + i]! * vectors[l * n + i]!;
      orthogonality = Math.max(orthogonality, Math.abs(dot));
    }
  }
  return [residual, orthogonality];
}

describe("largestEigen", () => {
  const random = new Random(3);
  // Around the blocks of four rows and the smallest side for the kernels.
  it.each([1, 2, 39, 40, 41, 42, 43, 64, 131])("solves a random matrix of side %i", (n) => {
    const [residual, orthogonality] = errors(
      symmetric(n, () => random.normal()),
      n,
      n,
    );
    expect(residual).toBeLessThan(1e-13 * n);
    expect(orthogonality).toBeLessThan(1e-12);
  });

  it.each<[string, (i: number, j: number) => number]>([
    ["twice the identity", (i, j) => (i === j ? 2 : 0)],
    ["ones", () => 1],
    ["two blocks", (i, j) => (i % 2 === j % 2 ? 1 : 0)],
    ["zeros", () => 0],
  ])("solves matrices with many equal eigenvalues: %s", (_, entry) => {
    const n = 60;
    expect(Math.max(...errors(symmetric(n, entry), n, n))).toBeLessThan(1e-12);
  });

  it("solves matrices of very large and very small numbers", () => {
    const n = 50;
    const a = symmetric(n, () => random.normal());
    for (const scale of [1e200, 1e-200]) {
      const [residual] = errors(
        a.map((value) => value * scale),
        n,
        5,
      );
      expect(residual).toBeLessThan(1e-12);
    }
  });
});
