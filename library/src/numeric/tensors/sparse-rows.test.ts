import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import { type Dtype, withSpace } from "./space.js";
import { denseInto, sparseGradientInto, sparseProductInto, sparseRows } from "./sparse-rows.js";

/** Rows with few entries, one of them empty. */
function rows(n: number, cols: number, seed: number) {
  const random = new Random(seed);
  const dense = Array.from({ length: n }, (_, i) =>
    Array.from({ length: cols }, () =>
      i !== 1 && random.uniform() < 0.3 ? Math.fround(random.normal()) : 0,
    ),
  );
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const row of dense) {
    for (const [j, value] of row.entries())
      if (value !== 0) {
        indices.push(j);
        values.push(value);
      }
    indptr.push(indices.length);
  }
  return { dense, csr: { indptr, indices, values, cols } };
}

// Sums of at most 30 products of numbers near 1.
const within = { float32: 1e-5, float64: 1e-13 } as const;

describe.each<Dtype>(["float32", "float64"])("sparse rows in %s", (dtype) => {
  it.each([1, 2, 3, 4, 7, 8, 15, 16, 17, 32, 37])(
    "times a matrix of %i columns are the dense product",
    (m) => {
      const { dense, csr } = rows(9, 30, m);
      const random = new Random(5);
      const draw = (count: number) =>
        Float64Array.from({ length: count }, () => Math.fround(random.normal()));
      const [w, bias, g] = [draw(30 * m), draw(m), draw(5 * m)];
      const picked = [3, 1, 8, 0, 3, 7];
      withSpace("test", dtype, (space) => {
        const held = sparseRows(space, csr);
        const batch = { rows: held, order: space.integers(picked), from: 1, count: 5 };
        const chosen = picked.slice(1, 6).map((i) => dense[i]!);
        const out = space.reals(5 * m);
        sparseProductInto(space, batch, space.copy(w), m, space.copy(bias), out);
        const gradient = space.copy(new Float64Array(30 * m).fill(0.5));
        sparseGradientInto(space, batch, space.copy(g), m, gradient, true);
        for (let k = 0; k < m; k++) {
          for (const [p, row] of chosen.entries()) {
            const expected = row.reduce((sum, value, j) => sum + value * w[j * m + k]!, bias[k]!);
            expect(Math.abs(out.array[p * m + k]! - expected)).toBeLessThan(within[dtype]);
          }
          for (let j = 0; j < 30; j++) {
            const expected = chosen.reduce((sum, row, p) => sum + row[j]! * g[p * m + k]!, 0.5);
            expect(Math.abs(gradient.array[j * m + k]! - expected)).toBeLessThan(within[dtype]);
          }
        }
      });
    },
  );

  it("have their zeros in dense form, also without an order", () => {
    const { dense, csr } = rows(6, 11, 2);
    withSpace("test", dtype, (space) => {
      const out = space.reals(3 * 11);
      denseInto({ rows: sparseRows(space, csr), order: undefined, from: 2, count: 3 }, out);
      expect(Array.from(out.array)).toEqual(dense.slice(2, 5).flat());
    });
  });

  it("give the same bits with one thread and with four", () => {
    const { csr } = rows(3000, 200, 4);
    const random = new Random(6);
    const w = Float64Array.from({ length: 200 * 64 }, () => random.normal());
    const product = () =>
      withSpace("test", dtype, (space) => {
        const out = space.reals(3000 * 64);
        const batch = { rows: sparseRows(space, csr), order: undefined, from: 0, count: 3000 };
        sparseProductInto(space, batch, space.copy(w), 64, undefined, out);
        return out.array.slice();
      });
    try {
      const results = [1, 4].map((threads) => {
        assumeCores(threads);
        setThreads(threads);
        return product();
      });
      expect(results[1]).toEqual(results[0]);
    } finally {
      assumeCores(undefined);
    }
  });
});
