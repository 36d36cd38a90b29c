import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { heap } from "../runtime/heap.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import { kMeans, kMeansSteps } from "./k-means.js";
import { centerDistances, nearestCenters } from "./nearest-centers.js";

const matrix = (rows: number, cols: number, value: () => number) =>
  new Matrix(Float64Array.from({ length: rows * cols }, value), rows, cols);

/** Σ (x_j − c_j)² with the four running sums of the kernel. */
function squared(x: ArrayLike<number>, c: ArrayLike<number>): number {
  const sums = [0, 0, 0, 0];
  const d = x.length;
  const whole = d - (d % 4);
  for (let j = 0; j < whole; j++) sums[j % 4]! += (x[j]! - c[j]!) * (x[j]! - c[j]!);
  let sum = sums[0]! + sums[2]! + (sums[1]! + sums[3]!);
  for (let j = whole; j < d; j++) sum += (x[j]! - c[j]!) * (x[j]! - c[j]!);
  return sum;
}

/** The twin of the kernel: every row is compared with every centre. */
function nearest(x: Matrix, centers: Matrix) {
  const labels = new Int32Array(x.rows);
  const distances = new Float64Array(x.rows).fill(Infinity);
  for (let i = 0; i < x.rows; i++) {
    for (let k = 0; k < centers.rows; k++) {
      const s = squared(x.row(i), centers.row(k));
      if (!(s < distances[i]!)) continue;
      distances[i] = s;
      labels[i] = k;
    }
  }
  return { labels, distances };
}

describe("the nearest centres are those of a plain loop, bit for bit", () => {
  const random = new Random(5);
  const normal = () => random.normal();

  it.each([1, 2, 3, 4, 5, 7, 8, 20, 33])("with %i columns, around the edges of panels and chunks", (d) => {
    for (const k of [1, 2, 7, 8, 9, 16, 17, 40])
      for (const n of [1, 3, 4, 5, 31, 33, 513]) {
        const [x, centers] = [matrix(n, d, normal), matrix(k, d, normal)];
        expect(nearestCenters("test", x, centers)).toEqual(nearest(x, centers));
      }
  });

  it.each([
    ["many ties", () => random.below(3)],
    ["an offset of 1e6", () => 1e6 + random.normal()],
    ["an offset of 1e9 and tiny differences", () => 1e9 + random.below(8) / 1024],
    ["sizes from 1e-30 to 1e30", () => random.normal() * 10 ** (random.below(61) - 30)],
    ["tiny numbers", () => random.normal() * 1e-140],
    ["large numbers", () => random.normal() * 1e140],
  ])("with %s", (_, value) => {
    const [x, centers] = [matrix(700, 6, value), matrix(13, 6, value)];
    expect(nearestCenters("test", x, centers)).toEqual(nearest(x, centers));
  });

  it("with rows far from all centres, and centres far from all others", () => {
    const x = matrix(300, 4, normal);
    const far = new Matrix(
      x.data.map((value, e) => (e % 3 === 0 ? value * 1e40 : value)),
      300,
      4,
    );
    const centers = matrix(9, 4, normal);
    centers.data[5] = 1e60;
    centers.data[17] = -1e9;
    for (const z of [x, far]) expect(nearestCenters("test", z, centers)).toEqual(nearest(z, centers));
  });

  it("and all distances are their roots", () => {
    const [x, centers] = [matrix(600, 5, normal), matrix(11, 5, normal)];
    const all = centerDistances("test", x, centers);
    for (let i = 0; i < x.rows; i++)
      for (let k = 0; k < 11; k++) expect(all.at(i, k)).toBe(Math.sqrt(squared(x.row(i), centers.row(k))));
  });
});

describe("kMeans", () => {
  const random = new Random(8);

  it("ends every start at nearest centres, with bounds as without, with any number of threads", () => {
    for (const [n, d, k] of [
      [3000, 2, 30],
      [5000, 9, 64],
      [2000, 40, 17],
    ] as const) {
      const x = matrix(n, d, () => random.normal() + 4 * random.below(3));
      const plain = kMeans("test", x, { k, bounds: false, randomState: 3 });
      const { labels } = nearest(x, new Matrix(plain.centers, k, d));
      expect(plain.labels).toEqual(labels);
      assumeCores(3);
      for (const threads of [1, 3]) {
        setThreads(threads);
        expect(kMeans("test", x, { k, randomState: 3 })).toEqual(plain);
      }
      assumeCores(undefined);
      setThreads(8);
    }
  });

  it("begins k-means++ with rows that differ while there are such rows", () => {
    const x = matrix(500, 2, () => random.below(4));
    const distinct = new Set(x.toArray().map(String)).size;
    const { centers } = kMeans("test", x, { k: distinct, maxIter: 0 });
    expect(new Set(new Matrix(centers, distinct, 2).toArray().map(String)).size).toBe(distinct);
  });

  it("begins random starts with k different rows", () => {
    const x = matrix(50, 1, () => random.normal());
    for (const weights of [undefined, Float64Array.from({ length: 50 }, (_, i) => 1 + (i % 3))]) {
      const { centers } = kMeans("test", x, { k: 50, init: "random", maxIter: 0, weights });
      expect(Array.from(centers).sort()).toEqual(Array.from(x.data).sort());
    }
  });

  it("frees its memory when steps are abandoned", () => {
    const x = matrix(100, 3, () => random.normal());
    const before = heap().bytesInUse;
    const steps = kMeansSteps("test", x, { k: 5 });
    steps.next();
    steps.return(undefined as never);
    expect(heap().bytesInUse).toBe(before);
  });
});
