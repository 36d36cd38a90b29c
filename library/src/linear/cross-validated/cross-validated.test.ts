import { describe, expect, it } from "vitest";
import { drawnNormals } from "../../../test/support/random-rows.js";
import type { FitOptions, Progress } from "../../core/contract.js";
import { AbortError, DataError, ParameterError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { KFold, StratifiedKFold } from "../../data/splitters/k-fold.js";
import { Table } from "../../data/table/table.js";
import { loadDataset } from "../../datasets/index.js";
import { heap } from "../../numeric/runtime/heap.js";
import { estimatorFromJson, loadModel, saveModel } from "../../persistence/index.js";
import {
  ElasticNetCV,
  FittedRidgeCVTargets,
  Lasso,
  LassoCV,
  LogisticRegression,
  LogisticRegressionCV,
  lassoPath,
  Ridge,
  RidgeCV,
} from "../index.js";

const random = new Random(5);
const normals = (rows: number, cols: number) => drawnNormals(random, rows, cols);
const without = (n: number, i: number) => Int32Array.from({ length: n - 1 }, (_, r) => (r < i ? r : r + 1));

describe("RidgeCV", () => {
  const shapes = [
    ["more rows than columns", 30, 4],
    ["more columns than rows", 12, 20],
    ["as many", 8, 8],
  ] as const;
  it.each(shapes)("leaves each row out without fitting anew: %s", (_, n, d) => {
    const X = normals(n, d);
    const y = Float64Array.from({ length: n }, (_, i) => 100 + X.at(i, 0) + random.normal());
    const sampleWeight = Float64Array.from({ length: n }, (_, i) => 0.5 + (i % 3));
    for (const fitIntercept of [true, false]) {
      for (const x of [X, CsrMatrix.fromDense(X)]) {
        const options = { alphas: [0.3, 5], storeCvValues: true, fitIntercept };
        const { cvValues } = new RidgeCV(options).fit(x, y, { sampleWeight });
        for (let i = 0; i < n; i++) {
          const rows = without(n, i);
          for (const [a, alpha] of options.alphas.entries()) {
            const model = new Ridge({ alpha, fitIntercept }).fit(
              X.selectRows(rows),
              Float64Array.from(rows, (r) => y[r]!),
              { sampleWeight: Float64Array.from(rows, (r) => sampleWeight[r]!) },
            );
            const error = (y[i]! - model.predict([[...X.row(i)]])[0]!) ** 2;
            expect(Math.abs(cvValues!.at(i, a) - error)).toBeLessThan(1e-8 * (1 + error));
          }
        }
      }
    }
  });

  it("leaves out a row that outweighs all others by a fit without it", () => {
    const x = Matrix.fromRows(Array.from({ length: 12 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]));
    const y = Array.from({ length: 12 }, (_, i) => Math.sin(3 * i) + i / 5);
    for (const cols of [2, 20]) {
      const wide = Matrix.fromRows(
        x
          .toArray()
          .map(([a, b]) => Array.from({ length: cols }, (_, j) => a! * Math.cos(j) + b! * Math.sin(j * j))),
      );
      for (const heavy of [1e12, 1e60, 1e200]) {
        const sampleWeight = y.map((_, i) => (i === 4 ? heavy : 1));
        const { cvValues } = new RidgeCV({ alphas: [0.5], storeCvValues: true }).fit(wide, y, {
          sampleWeight,
        });
        const others = y.flatMap((_, i) => (i === 4 ? [] : [i]));
        const without = new Ridge({ alpha: 0.5 }).fit(
          wide.selectRows(others),
          others.map((i) => y[i]!),
        );
        const error = y[4]! - without.predict(wide.selectRows([4]))[0]!;
        expect(cvValues!.at(4, 0)).toBeCloseTo(error * error, 8);
      }
    }
  });

  it("chooses the best α of given folds, reads tables by name, and is saved with its splitter", async () => {
    const { X, y } = await loadDataset("diabetes");
    const estimator = new RidgeCV({ alphas: [0.01, 0.1, 1], cv: new KFold({ nSplits: 3, shuffle: true }) });
    const model = estimator.fit(X, y);
    const back = loadModel(saveModel(model), RidgeCV);
    expect([back.alpha, back.bestScore]).toEqual([model.alpha, model.bestScore]);
    expect(back.predict(X)).toEqual(model.predict(X));
    const again = estimatorFromJson(JSON.parse(JSON.stringify(estimator))) as RidgeCV;
    expect(again.fit(X, y).coef).toEqual(model.coef);
    const table = Table.fromRows([
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 3, b: 5 },
    ]);
    expect(new RidgeCV().fit(table, [1, 2, 3]).featureNamesIn).toEqual(["a", "b"]);
  });

  describe("of several targets", () => {
    const X = normals(40, 5);
    // The first follows X, the second is noise: they want the least and the largest α.
    const columns = [
      Float64Array.from({ length: 40 }, (_, i) => 5 * X.at(i, 0) - X.at(i, 3) + 0.01 * random.normal()),
      Float64Array.from({ length: 40 }, () => random.normal()),
    ];
    const Y = Array.from({ length: 40 }, (_, i) => columns.map((column) => column[i]!));
    const alphas = [0.001, 1, 1000];

    it.each([null, 4])("alphaPerTarget chooses for each as if it were alone (cv: %s)", (cv) => {
      const each = new RidgeCV({ alphas, cv, alphaPerTarget: true }).fit(X, Y);
      const alone = columns.map((column) => new RidgeCV({ alphas, cv }).fit(X, column));
      expect([...each.alpha]).toEqual(alone.map(({ alpha }) => alpha));
      expect(new Set(each.alpha).size).toBe(2);
      expect([...each.bestScore]).toEqual(alone.map(({ bestScore }) => bestScore));
      for (const [t, { coef }] of alone.entries())
        for (const [j, w] of coef.entries()) expect(each.coef.at(t, j)).toBeCloseTo(w, 12);
    });

    it("without it, one α has the best mean score", () => {
      const model = new RidgeCV({ alphas, storeCvValues: true }).fit(X, Y);
      const means = alphas.map((_, a) =>
        model.cvValues!.reduce((sum, own) => sum + own.column(a).reduce((s, e) => s + e, 0) / 80, 0),
      );
      const best = means.indexOf(Math.min(...means));
      expect([...model.alpha]).toEqual([alphas[best], alphas[best]]);
      expect(model.bestScore[0]).toBeCloseTo(-means[best]!, 12);
      expect(model.bestScore[1]).toBe(model.bestScore[0]);
    });

    it("is saved with everything it chose, and loads by its own class", () => {
      const model = new RidgeCV({ alphas, alphaPerTarget: true, storeCvValues: true }).fit(X, Y);
      const back = loadModel(saveModel(model), FittedRidgeCVTargets);
      expect(back.predict(X)).toEqual(model.predict(X));
      expect([back.alpha, back.bestScore, back.cvValues]).toEqual([
        model.alpha,
        model.bestScore,
        model.cvValues,
      ]);
      const plain = loadModel(saveModel(new RidgeCV().fit(X, Y)), FittedRidgeCVTargets);
      expect(plain.cvValues).toBeUndefined();
    });

    it("refuses NaN in Y, another number of rows, and one row", () => {
      expect(() => new RidgeCV().fit([[1], [2]], [[1], [Number.NaN]])).toThrow(/^RidgeCV.fit: Y/);
      expect(() => new RidgeCV().fit([[1], [2]], [[1, 2]])).toThrow("Y must be as long as X has rows (2)");
      expect(() => new RidgeCV().fit([[1]], [[1, 2]])).toThrow("X must be at least two rows");
    });
  });

  it("refuses one row, no alphas, and folds that are not folds", () => {
    expect(() => new RidgeCV().fit([[1]], [1])).toThrow("RidgeCV.fit: X must be at least two rows");
    expect(() => new RidgeCV({ alphas: [] })).toThrow(ParameterError);
    expect(() => new RidgeCV({ alphas: [0] })).toThrow(ParameterError);
    expect(() => new RidgeCV({ cv: 1 })).toThrow("RidgeCV: cv must be a number of folds ≥ 2");
    expect(() => new RidgeCV({ cv: 5 }).fit([[1], [2]], [1, 2])).toThrow(DataError);
    const broken = { split: () => [{ train: Int32Array.of(0), test: Int32Array.of(9) }] };
    expect(() => new RidgeCV({ cv: broken }).fit([[1], [2]], [1, 2])).toThrow(
      "test must be row numbers from 0 to 1",
    );
  });
});

describe("LassoCV and ElasticNetCV", () => {
  it("are quick where no column is correlated with y, and answer with the mean", () => {
    const angle = (i: number) => (2 * Math.PI * i) / 30;
    const X = Array.from({ length: 30 }, (_, i) => [Math.sin(angle(i))]);
    const y = X.map((_, i) => 3 + Math.cos(angle(i)));
    const folds = { cv: new KFold({ nSplits: 3, shuffle: true }) };
    for (const scale of [1, 1e-9, 1e9])
      for (const positive of [false, true]) {
        const t = y.map((v) => v * scale);
        // The correlations are rounding noise: 10,000 sweeps per α did not end it, in 15 s.
        const { alphas, coefs, iterations } = lassoPath(X, t, { positive });
        expect([alphas[0], iterations.reduce((sum, n) => sum + n, 0)]).toEqual([1, 0]);
        expect(coefs.data.every((w) => w === 0)).toBe(true);
        const tiny = lassoPath(X, t, { positive, alphas: [1e-20 * scale] });
        expect(tiny.iterations[0]).toBeLessThan(100);
        for (const estimator of [
          new LassoCV({ positive, ...folds }),
          new ElasticNetCV({ positive, ...folds }),
        ])
          expect(estimator.fit(X, t).predict([[0.5]])[0]! / scale).toBeCloseTo(3, 12);
      }
  });

  it("fit all rows with the α that is best over the folds", async () => {
    const { X, y } = await loadDataset("diabetes");
    const model = new LassoCV({ nAlphas: 30 }).fit(X, y);
    const means = Array.from({ length: 30 }, (_, a) => model.msePath.row(a).reduce((sum, e) => sum + e, 0));
    expect(model.alpha).toBe(model.alphas[means.indexOf(Math.min(...means))]);
    const alone = new Lasso({ alpha: model.alpha }).fit(X, y);
    expect(model.coef).toEqual(alone.coef);
    const sparse = new LassoCV({ nAlphas: 30 }).fit(CsrMatrix.fromDense(X), y);
    expect(sparse.alpha).toBeCloseTo(model.alpha, 8);
    const net = new ElasticNetCV({ l1Ratio: [0.5, 1], nAlphas: 10 }).fit(X, y);
    const back = loadModel(saveModel(net), ElasticNetCV);
    expect(back.msePath).toEqual(net.msePath);
    expect([back.alphas, back.l1Ratio, back.dualGap]).toEqual([net.alphas, net.l1Ratio, net.dualGap]);
  });

  it("refuse empty lists and ratios of 0", () => {
    expect(() => new ElasticNetCV({ l1Ratio: [] })).toThrow(
      "ElasticNetCV: l1Ratio must be at least one number",
    );
    expect(() => new ElasticNetCV({ l1Ratio: 0 })).toThrow(ParameterError);
    expect(() => new LassoCV({ alphas: [] })).toThrow("LassoCV: alphas must be at least one number");
  });
});

describe("searches by folds", () => {
  const random = new Random(6);
  const X = Array.from({ length: 90 }, () => [0, 0, 0].map(() => random.normal()));
  const z = X.map(([a, b]) => a! - b! + random.normal());
  const two = z.map((v) => (v > 0 ? "up" : "down"));
  const three = z.map((v) => (v > 0.7 ? "up" : v < -0.7 ? "down" : "mid"));
  const alphas = [1, 0.1, 0.01];
  /** With the number of fits in all folds, and at the end. */
  const searches: [string, number, (options: FitOptions) => unknown][] = [
    ["RidgeCV, leave-one-out", 3, (options) => new RidgeCV({ alphas }).fit(X, z, options)],
    ["RidgeCV", 12, (options) => new RidgeCV({ alphas, cv: 4 }).fit(X, z, options)],
    ["LassoCV", 13, (options) => new LassoCV({ alphas, cv: 4 }).fit(X, z, options)],
    ["LassoCV, positive", 13, (options) => new LassoCV({ alphas, cv: 4, positive: true }).fit(X, z, options)],
    [
      "ElasticNetCV",
      25,
      (options) => new ElasticNetCV({ alphas, cv: 4, l1Ratio: [0.2, 0.7] }).fit(X, z, options),
    ],
    [
      "LogisticRegressionCV",
      13,
      (options) => new LogisticRegressionCV({ Cs: 3, cv: 4 }).fit(X, two, options),
    ],
    ["softmax", 13, (options) => new LogisticRegressionCV({ Cs: 3, cv: 4 }).fit(X, three, options)],
    [
      "one against the rest",
      3 * 13,
      (options) => new LogisticRegressionCV({ Cs: 3, cv: 4, multiClass: "ovr" }).fit(X, three, options),
    ],
    [
      "elastic net",
      13,
      (options) =>
        new LogisticRegressionCV({ Cs: [1], cv: 4, penalty: "elasticnet", l1Ratios: [0.1, 0.5, 0.9] }).fit(
          X,
          two,
          options,
        ),
    ],
  ];
  for (const [name, total, fit] of searches) {
    it(`${name}: report every fit once it is done`, () => {
      const seen: Progress[] = [];
      fit({ onProgress: (step) => seen.push(step) });
      expect(seen.every((step) => step.total === total)).toBe(true);
      const done = seen.map(({ iteration }) => iteration);
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect([...new Set(done)].filter((d) => d > 0)).toEqual(Array.from({ length: total }, (_, e) => e + 1));
    });

    it(`${name}: stop at a signal, and free their memory`, () => {
      const before = heap().bytesInUse;
      const controller = new AbortController();
      const onProgress = ({ iteration }: Progress) => iteration === 2 && controller.abort();
      expect(() => fit({ signal: controller.signal, onProgress: (p) => void onProgress(p) })).toThrow(
        AbortError,
      );
      expect(heap().bytesInUse).toBe(before);
    });
  }
});

describe("LogisticRegressionCV", () => {
  it("lists the coefficients of every fit, each that of LogisticRegression on its fold", () => {
    const random = new Random(9);
    const X = Array.from({ length: 80 }, () => [random.normal(), 3 + random.normal()]);
    const sampleWeight = X.map((_, i) => 1 + (i % 3));
    for (const classes of [2, 3])
      for (const fitIntercept of [true, false]) {
        const y = X.map(
          ([a, b]) => `class ${Math.min(classes - 1, Math.max(0, Math.floor(1 + a! + 0.3 * (b! - 3))))}`,
        );
        const params = { fitIntercept, tol: 1e-8, maxIter: 1000 };
        const cv = new StratifiedKFold({ nSplits: 3 });
        const Cs = [0.1, 10];
        const model = new LogisticRegressionCV({ ...params, Cs, cv }).fit(X, y, { sampleWeight });
        const folds = [...cv.split(X, y)];
        for (const [f, { train }] of folds.entries())
          for (const [c, C] of Cs.entries()) {
            const pick = <T>(list: readonly T[]) => Array.from(train, (i) => list[i]!);
            const own = { sampleWeight: pick(sampleWeight) };
            const alone = new LogisticRegression({ ...params, C }).fit(pick(X), pick(y), own);
            for (const [k, [label, paths]] of [...model.coefsPaths].entries()) {
              expect(label).toBe(model.classes[classes === 2 ? 1 : k]);
              expect(paths[f]!.cols).toBe(fitIntercept ? 3 : 2);
              const expected = [...alone.coef.row(k), ...(fitIntercept ? [alone.intercept[k]!] : [])];
              // Gaps of 1e-16 of the objective leave 1e-8 of the coefficients, times their condition.
              for (const [j, w] of expected.entries()) expect(paths[f]!.at(c, j)).toBeCloseTo(w, 5);
            }
          }
        const back = loadModel(saveModel(model), LogisticRegressionCV);
        expect(back.coefsPaths).toEqual(model.coefsPaths);
      }
  });

  it("keeps labels, is saved with its scores, and refits with the chosen C", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new LogisticRegressionCV({ Cs: [0.1, 1, 10], tol: 1e-8 }).fit(X, y);
    expect([...model.scores.keys()]).toEqual(["setosa", "versicolor", "virginica"]);
    const alone = new LogisticRegression({ C: model.C[0]!, tol: 1e-8 }).fit(X, y);
    const off = model.coef.data.map((w, e) => Math.abs(w - alone.coef.data[e]!));
    expect(Math.max(...off)).toBeLessThan(1e-5);
    const back = loadModel(saveModel(model), LogisticRegressionCV);
    expect(back.predictProba(X)).toEqual(model.predictProba(X));
    expect([...back.scores.values()]).toEqual([...model.scores.values()]);
  });

  it("counts sampleWeight in scores, and refuses folds for which a class is too rare", () => {
    const x = Array.from({ length: 12 }, (_, i) => [i % 4, i]);
    const y = x.map(([a]) => (a! > 1 ? "b" : "a"));
    const weighted = new LogisticRegressionCV({ Cs: 2, cv: 2 }).fit(x, y, {
      sampleWeight: x.map((_, i) => 1 + (i % 2)),
    });
    expect([...weighted.scores.values()][0]!.rows).toBe(2);
    expect(() => new LogisticRegressionCV({ cv: 7 }).fit(x, y)).toThrow("nSplits must be at most 6");
    expect(() => new LogisticRegressionCV({ Cs: [] })).toThrow(ParameterError);
    expect(() => new LogisticRegressionCV({ penalty: "l1", solver: "lbfgs" })).toThrow(ParameterError);
  });
});
