import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import type { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { fisherCriterion, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "./index.js";

const gaussians = (rows: number, cols: number, classes: number) => {
  const random = new Random(11);
  const X = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: cols }, (_, j) => random.normal() + (j === 0 ? 2 * (i % classes) : 0)),
  );
  return { X, y: X.map((_, i) => i % classes) };
};

describe("LinearDiscriminantAnalysis", () => {
  it("keeps the type of its labels", async () => {
    const iris = await loadDataset("iris");
    const model = new LinearDiscriminantAnalysis().fit(iris.X, iris.y);
    expectTypeOf(model.predict(iris.X)).toEqualTypeOf<("setosa" | "versicolor" | "virginica")[]>();
    expect(model.score(iris.X, iris.y)).toBe(0.98);
  });

  it.each(["svd", "lsqr", "eigen"] as const)("tells three classes far from 0 apart as at 0: %s", (solver) => {
    const { X, y } = gaussians(90, 2, 3);
    // Columns at 1e8 are rounded to 1e-8.
    const far = X.map((row) => row.map((v) => 1e8 + v));
    const here = new LinearDiscriminantAnalysis({ solver }).fit(X, y);
    const there = new LinearDiscriminantAnalysis({ solver }).fit(far, y);
    const [near, moved] = [here.predictProba(X).data, there.predictProba(far).data];
    expect(Math.max(...near.map((p, e) => Math.abs(p - moved[e]!)))).toBeLessThan(1e-5);
  });

  it("has axes of unit variance within classes, uncorrelated, that explain all of the rest", () => {
    const { X, y } = gaussians(120, 4, 3);
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    const Z = model.transform(X);
    const means = [0, 1, 2].map((k) => [0, 1].map((a) => mean(Z, y, k, a)));
    for (const [a, b] of [
      [0, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      let sum = 0;
      for (let i = 0; i < Z.rows; i++)
        sum += (Z.at(i, a) - means[y[i]!]![a]!) * (Z.at(i, b) - means[y[i]!]![b]!);
      expect(sum / (120 - 3)).toBeCloseTo(a === b ? 1 : 0, 12);
    }
    expect(model.explainedVarianceRatio.reduce((total, r) => total + r, 0)).toBeCloseTo(1, 12);
  });

  it("has a first axis that no other axis beats by Fisher's criterion", async () => {
    const { X, y } = await loadDataset("wine");
    const first = new LinearDiscriminantAnalysis().fit(X, y).scalings.column(0);
    const best = fisherCriterion(X, y, first);
    const random = new Random(11);
    for (let trial = 0; trial < 200; trial++) {
      const near = first.map((v) => v * (1 + 0.1 * random.normal()));
      expect(fisherCriterion(X, y, near)).toBeLessThanOrEqual(best * (1 + 1e-12));
    }
    expect(
      fisherCriterion(
        X,
        y,
        first.map((v) => -3 * v),
      ),
    ).toBeCloseTo(best, 9);
  });

  it("does not see constant and repeated columns", () => {
    const { X, y } = gaussians(90, 3, 3);
    const plain = new LinearDiscriminantAnalysis().fit(X, y);
    const wider = X.map((row) => [...row, 5, row[0]!, row[1]! - row[2]!]);
    const other = new LinearDiscriminantAnalysis().fit(wider, y);
    const p = plain.predictProba(X).data;
    other.predictProba(wider).data.forEach((q, e) => {
      expect(q).toBeCloseTo(p[e]!, 9);
    });
    expect(other.scalings.cols).toBe(2);
  });

  it("leaves out a column that is constant within every class, as scikit-learn's svd does", () => {
    const { X, y } = gaussians(60, 2, 2);
    const told = X.map((row, i) => [...row, y[i]! / 3]);
    const model = new LinearDiscriminantAnalysis().fit(told, y);
    expect(model.coef.at(0, 2)).toBe(0);
  });

  it("works with a thousand times more columns than rows", () => {
    const random = new Random(11);
    const X = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 12_000 }, () => random.normal() + (i % 2)),
    );
    const y = X.map((_, i) => (i % 2 === 0 ? "even" : "odd"));
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    expect(model.coef.cols).toBe(12_000);
    for (const p of model.predictProba(X).data) expect(p >= 0 && p <= 1).toBe(true);
  });

  it("gives the same model whether rows outnumber columns by one or not", () => {
    const { X, y } = gaussians(8, 9, 2);
    const wide = new LinearDiscriminantAnalysis().fit(X, y);
    // A column of zeros less makes it square: the other way of whitening.
    const square = new LinearDiscriminantAnalysis().fit(
      X.map((row) => row.slice(1)),
      y,
    );
    const padded = new LinearDiscriminantAnalysis().fit(
      X.map((row) => [0, ...row.slice(1)]),
      y,
    );
    const rows = X.map((row) => row.slice(1));
    const p = square.decisionFunction(rows).data;
    padded.decisionFunction(X.map((row) => [0, ...row.slice(1)])).data.forEach((q, e) => {
      expect(q / p[e]!).toBeCloseTo(1, 8);
    });
    expect(wide.score(X, y)).toBe(1);
  });

  it("is right a million standard deviations away, and at the end of the doubles", () => {
    const { X, y } = gaussians(60, 2, 3);
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    for (const far of [1e6, 1e150, 1.7e308]) {
      const asked = [
        [far, 0],
        [-far, far],
      ];
      const p = model.predictProba(asked);
      const logs = model.predictLogProba(asked);
      for (let i = 0; i < 2; i++) {
        expect(p.row(i).reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
        expect(Math.max(...logs.row(i))).toBeCloseTo(0, 12);
        expect([...logs.row(i)].every((v) => v <= 0)).toBe(true);
      }
      expect(model.predict(asked)).toEqual([2, 0]);
    }
  });

  it("takes a class of one row", () => {
    const { X, y } = gaussians(30, 2, 2);
    const model = new LinearDiscriminantAnalysis().fit([...X, [50, 50]], [...y, 2]);
    expect(model.predict([[50, 50]])).toEqual([2]);
  });

  it("does not care how far from the origin the rows lie", () => {
    const { X, y } = gaussians(90, 3, 3);
    // Sixteenths, so that moving them is exact.
    const near = X.map((row) => row.map((v) => Math.round(v * 16) / 16));
    const far = near.map((row) => row.map((v) => v + 2 ** 20));
    const [a, b] = [near, far].map((rows) => new LinearDiscriminantAnalysis().fit(rows, y).coef.data);
    a!.forEach((w, e) => {
      expect(b![e]).toBeCloseTo(w, 9);
    });
  });

  it("gives twice the same axes, whatever the order of rows: the largest entry is positive", () => {
    const { X, y } = gaussians(60, 3, 3);
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    for (let a = 0; a < 2; a++) {
      const column = model.scalings.column(a);
      expect(Math.max(...column)).toBe(Math.max(...column.map(Math.abs)));
    }
  });

  it("shrinks: share 1 leaves only the variances' mean", () => {
    const { X, y } = gaussians(60, 3, 2);
    const model = new LinearDiscriminantAnalysis({ solver: "lsqr", shrinkage: 1 }).fit(X, y);
    const { data } = model.covariance!;
    expect([data[1], data[2], data[5]]).toEqual([0, 0, 0]);
    expect(data[0]).toBeCloseTo(data[4]!, 14);
  });

  it("solves a singular covariance by least norm with lsqr, and says what to do with eigen", () => {
    const { X, y } = gaussians(60, 2, 2);
    const twice = X.map((row) => [...row, row[0]!]);
    const lsqr = new LinearDiscriminantAnalysis({ solver: "lsqr" }).fit(twice, y);
    expect(lsqr.coef.at(0, 0)).toBeCloseTo(lsqr.coef.at(0, 2), 9);
    expect(lsqr.score(twice, y)).toBe(
      new LinearDiscriminantAnalysis({ solver: "lsqr" }).fit(X, y).score(X, y),
    );
    expect(() => new LinearDiscriminantAnalysis({ solver: "eigen" }).fit(twice, y)).toThrow(
      /within-class covariance must be invertible with solver "eigen".*shrinkage/,
    );
  });

  it("says to raise a shrinkage that is too small, and to set one that is not there", () => {
    const { X, y } = gaussians(60, 2, 2);
    const twice = X.map((row) => [...row, row[0]!]);
    const fit = (shrinkage: number | null) => () =>
      new LinearDiscriminantAnalysis({ solver: "eigen", shrinkage }).fit(twice, y);
    for (const none of [null, 0]) expect(fit(none)).toThrow('Set shrinkage above 0, or use solver "svd".');
    expect(fit(1e-20)).toThrow('Raise shrinkage, or use solver "svd".');
    // Every row's product with itself is the covariance: Ledoit and Wolf see nothing to shrink.
    const diagonal = [-1, 1, 4, 6].map((v) => [v, v]);
    const auto = new LinearDiscriminantAnalysis({ solver: "eigen", shrinkage: "auto" });
    expect(() => auto.fit(diagonal, [0, 0, 1, 1])).toThrow(
      'Set shrinkage to a number in place of "auto", or',
    );
    expect(fit(0.1)).not.toThrow();
  });

  it("has posteriors where the products of a far row overflow and cancel", () => {
    const corners = [
      [0, 0.1],
      [0.1, 0],
      [-0.1, 0],
      [0, -0.1],
    ];
    const X = [...corners, ...corners.map(([a, b]) => [a! + 1, b! - 1])];
    const model = new LinearDiscriminantAnalysis().fit(X, [0, 0, 0, 0, 1, 1, 1, 1]);
    expect(model.predict([[1e308, -1e308]])).toEqual([1]);
    for (const far of [1e308, 1.7e308]) {
      const p = model.predictProba([[far, far]]);
      expect(p.at(0, 0) + p.at(0, 1)).toBe(1);
    }
    expect(() => model.transform([[1e308, -1e308]])).toThrow(/place on the axes fits a double/);
  });

  it("refuses classes that are points, instead of calling them equally likely", () => {
    const X = [
      [1, 2],
      [1, 2],
      [0, 5],
      [0, 5],
    ];
    for (const solver of ["svd", "lsqr"] as const) {
      const estimator = new LinearDiscriminantAnalysis({ solver });
      expect(() => estimator.fit(X, ["a", "a", "b", "b"])).toThrow(/rows that vary within a class/);
      const same = estimator.fit([[1], [1], [1]], ["a", "a", "b"]);
      expect(same.predictProba([[1]]).at(0, 0)).toBeCloseTo(2 / 3, 15);
    }
  });

  it("tells two classes apart at an offset of 1e6 as well as around 0", () => {
    const { X, y } = gaussians(60, 3, 2);
    const moved = X.map((row) => row.map((value) => value + 1e6));
    for (const params of [{}, { solver: "lsqr" }, { solver: "eigen", shrinkage: "auto" }] as const) {
      const here = new LinearDiscriminantAnalysis(params).fit(X, y).predictProba(X).data;
      const there = new LinearDiscriminantAnalysis(params).fit(moved, y).predictProba(moved).data;
      expect(Math.max(...here.map((p, e) => Math.abs(p - there[e]!)))).toBeLessThan(1e-8);
    }
  });

  it("refuses what contradicts itself", () => {
    // @ts-expect-error: solver "svd", the default, has no covariance to shrink
    expect(() => new LinearDiscriminantAnalysis({ shrinkage: "auto" })).toThrow(ParameterError);
    // @ts-expect-error: the same
    expect(() => new LinearDiscriminantAnalysis({ solver: "svd", shrinkage: 0.1 })).toThrow(ParameterError);
    expect(() => new LinearDiscriminantAnalysis({ priors: [0.5, 0.6] })).toThrow(
      /priors must be numbers that sum to 1/,
    );
    const { X, y } = gaussians(30, 2, 2);
    expect(() => new LinearDiscriminantAnalysis({ priors: [0.2, 0.3, 0.5] }).fit(X, y)).toThrow(DataError);
    expect(() => new LinearDiscriminantAnalysis({ nComponents: 2 }).fit(X, y)).toThrow(
      /min\(classes − 1, columns\) = 1/,
    );
    expect(() => new LinearDiscriminantAnalysis().fit([[1], [2]], ["a", "b"])).toThrow(
      /more rows .* than classes \(2\)/,
    );
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    expect(() => model.boundary(0, 0)).toThrow(ParameterError);
    expect(() => model.boundary(0, 7)).toThrow(/one of the classes \(0, 1\), got 7/);
    expect(() => fisherCriterion(X, y, [1])).toThrow(/axis must be 2 long/);
  });
});

function mean(Z: Matrix, y: readonly number[], k: number, a: number): number {
  const rows = y.map((_, i) => i).filter((i) => y[i] === k);
  return rows.reduce((sum, i) => sum + Z.at(i, a), 0) / rows.length;
}

describe("nearly dependent columns", () => {
  // Two readings of one quantity, 1e6 times as large as the difference that tells the classes apart.
  const X = Array.from({ length: 200 }, (_, i) => {
    const s = 1e5 * Math.sin(1.7 * i);
    return [s, s + 0.05 * Math.cos(3.1 * i) + (i % 2 === 0 ? -0.1 : 0.1), Math.cos(5 * i)];
  });
  const y = X.map((_, i) => i % 2);

  it.each(["lsqr", "eigen"] as const)("are told apart by %s, as scikit-learn's are", (solver) => {
    expect(new LinearDiscriminantAnalysis({ solver }).fit(X, y).score(X, y)).toBe(1);
  });
});

describe("classWeight", () => {
  it.each([LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])(
    "counts the rows of a class as often as it says (%o)",
    async (Estimator) => {
      const { X, y } = await loadDataset("iris");
      const weighted = new Estimator({ classWeight: { setosa: 3 } }).fit(X, y);
      const sampleWeight = Array.from(y, (label) => (label === "setosa" ? 3 : 1));
      const repeated = new Estimator().fit(X, y, { sampleWeight });
      expect(weighted.priors).toEqual(Float64Array.of(0.6, 0.2, 0.2));
      expect(weighted.predictProba(X)).toEqual(repeated.predictProba(X));
    },
  );
});

describe("logLikelihood", () => {
  it.each([
    ["svd", new LinearDiscriminantAnalysis()],
    ["lsqr", new LinearDiscriminantAnalysis({ solver: "lsqr", shrinkage: 0.2 })],
    ["eigen", new LinearDiscriminantAnalysis({ solver: "eigen" })],
    ["priors", new LinearDiscriminantAnalysis({ priors: [0.2, 0.5, 0.3] })],
    ["QDA", new QuadraticDiscriminantAnalysis({ regParam: 0.1 })],
    ["tied QDA", new QuadraticDiscriminantAnalysis({ tiedCovariance: true })],
  ])(
    "is the log density that the posterior is computed from, also after save and load (%s)",
    async (_, estimator) => {
      const { X, y } = await loadDataset("iris");
      const model = estimator.fit(X, y);
      const density = model.logLikelihood(X);
      const p = model.predictProba(X);
      for (let i = 0; i < X.rows; i++) {
        const joint = Array.from(density.row(i), (z, k) => Math.exp(z) * model.priors[k]!);
        const total = joint.reduce((sum, value) => sum + value, 0);
        // The class of every flower has a density far above the smallest double: shares keep ten digits.
        for (const [k, value] of joint.entries()) expect(p.at(i, k)).toBeCloseTo(value / total, 10);
      }
      const loaded = loadModel(saveModel(model)) as unknown as typeof model;
      expect(loaded.logLikelihood(X)).toEqual(density);
    },
  );

  it("integrates to 1 over the line", () => {
    const model = new LinearDiscriminantAnalysis().fit([[0], [2], [5], [9]], ["a", "a", "b", "b"]);
    const grid = Array.from({ length: 4001 }, (_, i) => [-40 + i / 50]);
    const area = model.logLikelihood(grid).data.reduce((sum, z) => sum + Math.exp(z) / 50, 0);
    // Both classes; 40 is 17 deviations away, and the rule of equal steps is exact for a normal density.
    expect(area).toBeCloseTo(2, 10);
  });

  it("finds the columns of a table by name, in any order", () => {
    const { X, y } = gaussians(60, 3, 3);
    const columns = ["a", "b", "c"].map((name, j): [string, number[]] => [name, X.map((row) => row[j]!)]);
    const table = Table.fromColumns(new Map(columns));
    const model = new LinearDiscriminantAnalysis().fit(table, y);
    const turned = Table.fromColumns(new Map([...columns].reverse()));
    expect(model.logLikelihood(turned)).toEqual(model.logLikelihood(table));
  });

  it("does not exist where the covariance is singular", () => {
    const { X, y } = gaussians(60, 2, 2);
    const twice = X.map((row) => [...row, row[0]!]);
    const model = new LinearDiscriminantAnalysis().fit(twice, y);
    expect(() => model.logLikelihood(twice)).toThrow(
      "LinearDiscriminantAnalysis.logLikelihood: the within-class covariance must be of full rank",
    );
  });

  it("is finite for rows as far away as numbers go", () => {
    const { X, y } = gaussians(60, 2, 2);
    for (const estimator of [new LinearDiscriminantAnalysis(), new QuadraticDiscriminantAnalysis()])
      expect(
        estimator
          .fit(X, y)
          .logLikelihood([[1e308, -1e308]])
          .data.every(Number.isFinite),
      ).toBe(true);
  });
});
