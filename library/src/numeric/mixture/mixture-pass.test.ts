import { describe, expect, it } from "vitest";
import { exp, log } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads } from "../runtime/threads.js";
import { type MixtureFactors, MixturePass, type MixtureSums, mixtureScores } from "./mixture-pass.js";

const random = new Random(6);
const normals = (count: number) => Float64Array.from({ length: count }, () => random.normal());
const triangle = (d: number) =>
  normals(d * d).map((value, e) => (e % d > Math.floor(e / d) ? value : e % (d + 1) === 0 ? 1 : 0));

function factorsOf(kind: "diagonal" | "full" | "tied", K: number, d: number): MixtureFactors {
  const means = normals(K * d);
  const constants = normals(K);
  if (kind === "diagonal") return { means, constants, diagonal: normals(K * d).map(Math.abs) };
  return { means, constants, triangular: Array.from({ length: kind === "full" ? K : 1 }, () => triangle(d)) };
}

/** log πₖ + log N(x; μₖ, Σₖ), by the formula. */
function score(row: Float64Array, k: number, { means, constants, diagonal, triangular }: MixtureFactors) {
  const d = row.length;
  let sum = 0;
  for (let c = 0; c < d; c++) {
    let z = 0;
    for (let j = 0; j < d; j++) {
      const w = diagonal
        ? j === c
          ? diagonal[k * d + c]!
          : 0
        : (triangular![k] ?? triangular![0]!)[j * d + c]!;
      z += (row[j]! - means[k * d + j]!) * w;
    }
    sum += z * z;
  }
  return constants[k]! - 0.5 * sum;
}

/** The sums by plain loops, with all pairs of columns. */
function twin(
  x: Matrix,
  s: Float64Array,
  mixture: MixtureFactors,
  hard: boolean,
  centres: Float64Array,
): MixtureSums {
  const K = mixture.constants.length;
  const d = x.cols;
  const [counts, offsets, squares] = [
    new Float64Array(K),
    new Float64Array(K * d),
    new Float64Array(K * d * d),
  ];
  let logLikelihood = 0;
  for (let i = 0; i < x.rows; i++) {
    const row = x.row(i);
    const z = Array.from({ length: K }, (_, k) => score(row, k, mixture));
    const top = Math.max(...z);
    const total = z.reduce((sum, value) => sum + exp(value - top), 0);
    logLikelihood += s[i]! * (hard ? top : top + log(total));
    for (let k = 0; k < K; k++) {
      const r = s[i]! * (hard ? (k === z.indexOf(top) ? 1 : 0) : exp(z[k]! - top) / total);
      counts[k]! += r;
      for (let a = 0; a < d; a++) {
        const u = row[a]! - centres[k * d + a]!;
        offsets[k * d + a]! += r * u;
        for (let b = 0; b < d; b++) squares[(k * d + a) * d + b]! += r * u * (row[b]! - centres[k * d + b]!);
      }
    }
  }
  return { logLikelihood, counts, offsets, squares };
}

const near = (ours: ArrayLike<number>, expected: ArrayLike<number>) => {
  expect(ours.length).toBe(expected.length);
  for (let e = 0; e < expected.length; e++)
    expect(Math.abs(ours[e]! - expected[e]!)).toBeLessThan(1e-10 * (1 + Math.abs(expected[e]!)));
};

describe("MixturePass", () => {
  for (const d of [1, 2, 3, 4, 7]) {
    it.each([1, 2, 7, 8, 63, 64, 65, 129])(`sums what the formulas say over %i rows of ${d}`, (n) => {
      const x = new Matrix(normals(n * d), n, d);
      const weights = normals(n).map(Math.abs);
      const K = 3;
      const centres = normals(K * d);
      for (const kind of ["diagonal", "full", "tied"] as const) {
        const mixture = factorsOf(kind, K, d);
        for (const hard of [false, true]) {
          const expected = twin(x, weights, mixture, hard, centres);
          const pairs = new MixturePass("test", x, weights, K, "pairs");
          const columns = new MixturePass("test", x, weights, K, "columns");
          const [all, own] = [pairs.expect(mixture, hard, centres), columns.expect(mixture, hard, centres)];
          for (const sums of [all, own]) {
            near([sums.logLikelihood], [expected.logLikelihood]);
            near(sums.counts, expected.counts);
            near(sums.offsets, expected.offsets);
          }
          near(all.squares, expected.squares);
          near(
            own.squares,
            own.squares.map((_, e) => expected.squares[e * d + (e % d)]!),
          );
          pairs.close();
          columns.close();
        }
        const scores = mixtureScores("test", x, mixture);
        near(
          scores,
          scores.map((_, e) => score(x.row(Math.floor(e / K)), e % K, mixture)),
        );
      }
    });
  }

  it("weighs rows by given responsibilities", () => {
    const [n, d, K] = [71, 3, 2];
    const x = new Matrix(normals(n * d), n, d);
    const given = normals(n * K).map(Math.abs);
    const pass = new MixturePass("test", x, undefined, K, "none");
    const sums = pass.weigh(given, new Float64Array(K * d));
    pass.close();
    for (let k = 0; k < K; k++) {
      const weight = (i: number) => given[i * K + k]!;
      const rows = Array.from({ length: n }, (_, i) => i);
      near([sums.counts[k]!], [rows.reduce((sum, i) => sum + weight(i), 0)]);
      for (let j = 0; j < d; j++)
        near([sums.offsets[k * d + j]!], [rows.reduce((sum, i) => sum + weight(i) * x.at(i, j), 0)]);
    }
  });

  it("has the same bits with one thread and with two", () => {
    const x = new Matrix(normals(20_000 * 6), 20_000, 6);
    const mixture = factorsOf("full", 4, 6);
    const pass = new MixturePass("test", x, undefined, 4, "pairs");
    const together = pass.expect(mixture, false, mixture.means);
    setThreads(1);
    try {
      expect(pass.expect(mixture, false, mixture.means)).toEqual(together);
    } finally {
      setThreads(2);
      pass.close();
    }
  });
});
