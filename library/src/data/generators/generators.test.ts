import { describe, expect, it } from "vitest";
import { ParameterError } from "../../core/errors.js";
import {
  makeBlobs,
  makeCircles,
  makeClassification,
  makeMoons,
  makeRegression,
  makeSpirals,
  makeXor,
} from "./index.js";

const count = (y: readonly number[]) =>
  y.reduce<number[]>((counts, k) => {
    counts[k] = (counts[k] ?? 0) + 1;
    return counts;
  }, []);
const radius = (row: ArrayLike<number>) => Math.hypot(row[0]!, row[1]!);

describe("all generators", () => {
  const generators = {
    makeBlobs,
    makeMoons,
    makeCircles,
    makeSpirals,
    makeXor,
    makeClassification,
    makeRegression,
  };

  it.each(Object.entries(generators))(
    "%s gives the same data for the same seed and other data for another",
    (_, make) => {
      const once = make({ nSamples: 50, randomState: 7 });
      expect(make({ nSamples: 50, randomState: 7 })).toEqual(once);
      expect(make({ nSamples: 50, randomState: 8 }).X.data).not.toEqual(once.X.data);
      expect(once.X.rows).toBe(50);
      expect(once.y.length).toBe(50);
      expect(once.X.data.every(Number.isFinite)).toBe(true);
    },
  );

  it.each(Object.entries(generators))("%s refuses unknown and illegal parameters", (name, make) => {
    expect(() => make({ nSamples: 0 })).toThrow(`${name}: nSamples must be an integer ≥ 1`);
    expect(() => make({ n_samples: 3 } as never)).toThrow("Did you mean nSamples?");
  });
});

describe("makeBlobs", () => {
  it("spreads the points evenly over the centers, which it reports", () => {
    const { X, y, centers } = makeBlobs({ nSamples: 3000, centers: 3, nFeatures: 4, clusterStd: 0.5 });
    expect(count(y)).toEqual([1000, 1000, 1000]);
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 4; j++) {
        const own = [...X.column(j)].filter((_, i) => y[i] === k);
        const mean = own.reduce((sum, v) => sum + v, 0) / own.length;
        // Standard error 0.5 / √1000 = 0.016.
        expect(mean).toBeCloseTo(centers.at(k, j), 1);
      }
    }
  });

  it("takes centers, sizes and deviations one by one", () => {
    const centers = [
      [0, 0],
      [10, 10],
    ];
    const { X, y } = makeBlobs({ centers, nSamples: [1, 3], clusterStd: [0, 0], shuffle: false });
    expect(y).toEqual([0, 1, 1, 1]);
    expect(X.toArray()).toEqual([
      [0, 0],
      [10, 10],
      [10, 10],
      [10, 10],
    ]);
    expect(() => makeBlobs({ centers, nSamples: [1, 2, 3] })).toThrow(ParameterError);
    expect(() => makeBlobs({ centers, nSamples: [1, 2.5] })).toThrow(ParameterError);
    expect(() => makeBlobs({ centers, clusterStd: [1] })).toThrow(ParameterError);
    expect(() => makeBlobs({ centers: [[1], [1, 2]] })).toThrow(ParameterError);
    expect(() => makeBlobs({ centerBox: [1, -1] })).toThrow(ParameterError);
  });
});

describe("makeMoons", () => {
  it("puts class 0 on the upper half circle and class 1 on the lower one", () => {
    const { X, y } = makeMoons({ nSamples: 101 });
    expect(count(y)).toEqual([50, 51]);
    for (let i = 0; i < 101; i++) {
      const [a, b] = X.row(i) as unknown as [number, number];
      expect(y[i] === 0 ? radius([a, b]) : radius([a - 1, b - 0.5])).toBeCloseTo(1, 14);
    }
  });
});

describe("makeCircles", () => {
  it("has radius 1 and `factor`", () => {
    const { X, y } = makeCircles({ nSamples: 60, factor: 0.3 });
    for (let i = 0; i < 60; i++) expect(radius(X.row(i))).toBeCloseTo(y[i] === 0 ? 1 : 0.3, 14);
    expect(() => makeCircles({ factor: 1 })).toThrow(ParameterError);
  });
});

describe("makeSpirals", () => {
  it("turns each arm by the same angle against the one before", () => {
    const { X, y } = makeSpirals({ nSamples: 30, nClasses: 3, shuffle: false });
    expect(count(y)).toEqual([10, 10, 10]);
    for (let i = 0; i < 10; i++) expect(radius(X.row(i))).toBeCloseTo(radius(X.row(i + 20)), 14);
  });
});

describe("makeXor", () => {
  it("labels a point by the signs of its coordinates, a quarter of them in each quadrant", () => {
    const { X, y } = makeXor({ nSamples: 400 });
    expect(count(y)).toEqual([200, 200]);
    for (let i = 0; i < 400; i++) {
      const [a, b] = X.row(i) as unknown as [number, number];
      expect(Math.max(Math.abs(a), Math.abs(b))).toBeLessThanOrEqual(1);
      expect(y[i]).toBe(a > 0 !== b > 0 ? 1 : 0);
    }
  });

  it("moves points by noise after they have got their class", () => {
    const clean = makeXor({ nSamples: 100, shuffle: false });
    const noisy = makeXor({ nSamples: 100, shuffle: false, noise: 0.5 });
    expect(noisy.y).toEqual(clean.y);
    expect(noisy.X.data).not.toEqual(clean.X.data);
  });
});

describe("makeClassification", () => {
  it("gives classes their weights", () => {
    const { y } = makeClassification({ nSamples: 1000, weights: [0.75], flipY: 0 });
    expect(count(y)).toEqual([750, 250]);
  });

  it("makes redundant columns from informative ones and copies the repeated ones", () => {
    const { X } = makeClassification({
      nFeatures: 5,
      nInformative: 2,
      nRedundant: 1,
      nRepeated: 2,
      shuffle: false,
    });
    const [a, b, c] = [X.column(0), X.column(1), X.column(2)];
    // c = u a + v b: two rows give u and v, all rows must agree.
    const det = a[0]! * b[1]! - a[1]! * b[0]!;
    const u = (c[0]! * b[1]! - c[1]! * b[0]!) / det;
    const v = (a[0]! * c[1]! - a[1]! * c[0]!) / det;
    for (let i = 0; i < X.rows; i++) expect(c[i]).toBeCloseTo(u * a[i]! + v * b[i]!, 10);
    for (const copy of [X.column(3), X.column(4)]) {
      expect([a, b, c].some((original) => original.every((value, i) => value === copy[i]))).toBe(true);
    }
  });

  it("puts every cluster on a corner of its own", () => {
    const { y } = makeClassification({
      nInformative: 3,
      nClasses: 4,
      nClustersPerClass: 2,
      nSamples: 80,
      flipY: 0,
    });
    expect(count(y)).toEqual([20, 20, 20, 20]);
    expect(() => makeClassification({ nInformative: 2, nClasses: 3 })).toThrow("at most 2^nInformative = 4");
    expect(() => makeClassification({ nFeatures: 3 })).toThrow(ParameterError);
    expect(() => makeClassification({ weights: [0.2, 0.3, 0.5] })).toThrow(ParameterError);
  });

  it("shifts and scales columns, at random when asked with null", () => {
    const plain = makeClassification({ shuffle: false }).X;
    const moved = makeClassification({ shuffle: false, shift: 2, scale: 3 }).X;
    expect(moved.at(5, 5)).toBe((plain.at(5, 5) + 2) * 3);
    const random = makeClassification({ shuffle: false, shift: null, scale: null }).X;
    expect(random.at(5, 5)).not.toBe(plain.at(5, 5));
  });
});

describe("makeRegression", () => {
  it("is exactly linear without noise, with the coefficients it reports", () => {
    const { X, y, coef } = makeRegression({ nSamples: 20, nFeatures: 6, nInformative: 3, bias: 5 });
    expect(coef.filter((c) => c !== 0).length).toBe(3);
    for (let i = 0; i < 20; i++) {
      const expected = X.row(i).reduce((sum, value, j) => sum + value * coef[j]!, 5);
      expect(y[i]).toBeCloseTo(expected, 10);
    }
  });

  it("adds noise of the given deviation", () => {
    const clean = makeRegression({ nSamples: 2000, nFeatures: 2 });
    const noisy = makeRegression({ nSamples: 2000, nFeatures: 2, noise: 3 });
    const squares = noisy.y.reduce((sum, value, i) => sum + (value - clean.y[i]!) ** 2, 0);
    expect(Math.sqrt(squares / 2000)).toBeCloseTo(3, 0);
  });
});
