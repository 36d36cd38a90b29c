import {
  CsrMatrix,
  crossValidate,
  crossValScore,
  ElasticNet,
  FittedKernelRidgeTargets,
  FittedLinearTargets,
  KernelRidge,
  Lasso,
  LinearRegression,
  LinearSVR,
  loadModel,
  loadRegressor,
  Matrix,
  meanAbsoluteError,
  meanSquaredError,
  pipeline,
  Random,
  Ridge,
  RidgeCV,
  r2Score,
  rootMeanSquaredError,
  StandardScaler,
  saveModel,
  Table,
  type TargetsRegressor,
} from "argmax";
import { describe, expect, it } from "vitest";

/** X, and targets that depend on it differently: linear with noise, another scale, and noise only. */
function problem(n: number, d: number, seed = 1) {
  const random = new Random(seed);
  const X = Array.from({ length: n }, () => Array.from({ length: d }, () => random.normal()));
  const Y = X.map((x) => [
    x.reduce((sum, v, j) => sum + (j + 1) * v, 3) + 0.1 * random.normal(),
    1000 * x[0]! - 50 + random.normal(),
    random.normal(),
  ]);
  const weights = X.map(() => Math.floor(3 * random.uniform()));
  return { X, Y, weights };
}

const column = (Y: readonly (readonly number[])[], t: number) => Y.map((row) => row[t]!);
const columnOf = (matrix: Matrix, t: number) =>
  Array.from({ length: matrix.rows }, (_, i) => matrix.at(i, t));

/** `tolerance` relative to the size of the target: the solvers of the first are direct, those of the others stop at `tol`. */
const subjects: readonly {
  readonly name: string;
  readonly estimator: TargetsRegressor;
  readonly tolerance: number;
}[] = [
  { name: "LinearRegression", estimator: new LinearRegression(), tolerance: 1e-10 },
  {
    name: "LinearRegression without intercept",
    estimator: new LinearRegression({ fitIntercept: false }),
    tolerance: 1e-10,
  },
  {
    name: "positive LinearRegression",
    estimator: new LinearRegression({ positive: true }),
    tolerance: 1e-10,
  },
  { name: "Ridge", estimator: new Ridge({ alpha: 2 }), tolerance: 1e-10 },
  { name: "positive Ridge", estimator: new Ridge({ alpha: 2, positive: true }), tolerance: 1e-10 },
  {
    name: "RidgeCV with an α per target",
    estimator: new RidgeCV({ alphas: [0.01, 1, 100], alphaPerTarget: true }),
    tolerance: 1e-10,
  },
  {
    name: "RidgeCV with an α per target, by folds",
    estimator: new RidgeCV({ alphas: [0.01, 1, 100], alphaPerTarget: true, cv: 3 }),
    tolerance: 1e-10,
  },
  { name: "Lasso", estimator: new Lasso({ alpha: 0.05 }), tolerance: 1e-10 },
  { name: "positive Lasso", estimator: new Lasso({ alpha: 0.05, positive: true }), tolerance: 1e-10 },
  { name: "ElasticNet", estimator: new ElasticNet({ alpha: 0.05 }), tolerance: 1e-10 },
  { name: "KernelRidge", estimator: new KernelRidge({ alpha: 0.3, gamma: 0.2 }), tolerance: 1e-10 },
  {
    name: "KernelRidge with intercept",
    estimator: new KernelRidge({ alpha: 0.3, gamma: 0.2, fitIntercept: true }),
    tolerance: 1e-10,
  },
  {
    // α = 0 is solved on the pivots of the kernel matrix.
    name: "KernelRidge without a penalty",
    estimator: new KernelRidge({ alpha: 0, kernel: "poly", degree: 2 }),
    tolerance: 1e-7,
  },
];

function expectSame(
  { estimator, tolerance }: (typeof subjects)[number],
  { X, Y, weights }: ReturnType<typeof problem>,
  given: Parameters<TargetsRegressor["fit"]>[0] = X,
): void {
  for (const options of [{}, { sampleWeight: weights }]) {
    const predicted = estimator.fit(given, Y, options).predict(given) as Matrix;
    expect([predicted.rows, predicted.cols]).toEqual([X.length, 3]);
    for (let t = 0; t < 3; t++) {
      const y = column(Y, t);
      const alone = estimator.fit(given, y, options).predict(given);
      const size = Math.max(...y.map(Math.abs));
      for (const [i, value] of alone.entries())
        expect(Math.abs(predicted.at(i, t) - value)).toBeLessThan(tolerance * size);
    }
  }
}

describe("a matrix Y", () => {
  for (const subject of subjects) {
    const { name, estimator } = subject;
    it(`gives every target the model of its own: ${name}`, () => {
      expectSame(subject, problem(60, 4));
      // More columns than rows.
      expectSame(subject, problem(12, 20));
    });

    it(`may go with sparse rows: ${name}`, () => {
      const { X, ...rest } = problem(60, 4);
      const holes = X.map((row, i) => row.map((v, j) => ((i + j) % 3 === 0 ? v : 0)));
      // Without a penalty L-BFGS would stop at a relative gradient of 1e-9; rows this small are solved as dense ones.
      const tolerance = Math.max(subject.tolerance, 1e-6);
      expectSame(
        { ...subject, tolerance },
        { X: holes, ...rest },
        CsrMatrix.fromDense(Matrix.fromRows(holes)),
      );
    });

    it(`of one column gives a matrix of one column: ${name}`, () => {
      const { X, Y } = problem(30, 3);
      const y = column(Y, 0);
      const model = estimator.fit(
        X,
        y.map((v) => [v]),
      );
      const predicted = model.predict(X) as Matrix;
      expect(predicted.cols).toBe(1);
      expect(model.nTargets).toBe(1);
      expect(
        model.score(
          X,
          y.map((v) => [v]),
        ),
      ).toBeCloseTo(estimator.fit(X, y).score(X, y), 10);
    });

    it(`may be of any kind, and the names of a table's columns are kept: ${name}`, () => {
      const { X, Y } = problem(30, 3);
      const rows = Y.map(([first, second, third]) => ({ first: first!, second: second!, third: third! }));
      const flat = Y.flat();
      const expected = (estimator.fit(X, Y).predict(X) as Matrix).data;
      const matrices = [
        Matrix.fromRows(Y),
        { data: flat, rows: 30, cols: 3 },
        Y.map((y) => Float32Array.from(y)),
      ];
      for (const given of matrices.slice(0, 2))
        expect((estimator.fit(X, given).predict(X) as Matrix).data).toEqual(expected);
      expect((estimator.fit(X, matrices[2]!).predict(X) as Matrix).cols).toBe(3);
      const model = estimator.fit(X, Table.fromRows(rows));
      expect(model.targetNames).toEqual(["first", "second", "third"]);
      expect((model.predict(X) as Matrix).data).toEqual(expected);
    });

    it(`survives saving and loading: ${name}`, () => {
      const { X, Y } = problem(30, 3);
      const table = Table.fromRows(Y.map(([a, b, c]) => ({ a: a!, b: b!, c: c! })));
      const model = estimator.fit(X, table);
      const bytes = saveModel(model);
      const back = loadModel(bytes);
      expect((back.predict!(X) as Matrix).data).toEqual((model.predict(X) as Matrix).data);
      expect(back.nTargets).toBe(3);
      expect((back as typeof model).targetNames).toEqual(["a", "b", "c"]);
      expect(String(back)).toBe(String(model));
      expect(saveModel(back)).toEqual(bytes);
    });
  }

  it("that is wrong is refused with its place", () => {
    const { X } = problem(4, 2);
    for (const { estimator } of subjects) {
      const fit = (Y: unknown) => () => estimator.fit(X, Y as number[][]);
      expect(fit([[1, 2], [3], [4, 5], [6, 7]])).toThrow(/fit: Y\[1\] must be/);
      expect(
        fit([
          [1, 2],
          [3, Number.NaN],
          [4, 5],
          [6, 7],
        ]),
      ).toThrow(/fit: Y\[1\]\[1\] must be a finite number, got NaN/);
      expect(
        fit([
          [1, 2],
          [3, 4],
        ]),
      ).toThrow(/fit: Y must be as long as X has rows \(4\), got 2 rows/);
      expect(fit([[], [], [], []])).toThrow(/fit: Y must be at least one row and one column/);
      expect(fit([["a"], ["b"], ["c"], ["d"]])).toThrow(/Y\[0\]\[0\] must be a number/);
      const names = Table.fromRows(["a", "b", "c", "d"].map((town) => ({ town, y: 1 })));
      expect(fit(names)).toThrow(/"town"/);
      expect(fit(CsrMatrix.fromDense(Matrix.fromRows([[1], [0], [2], [3]])))).toThrow(
        /fit: Y must be dense here.*Y\.toDense\(\)/,
      );
    }
  });
});

describe("models of several targets", () => {
  const { X, Y } = problem(40, 3);

  it("have one row of coefficients per target, and a report of all", () => {
    const model = new Ridge({ alpha: 1 }).fit(X, Y);
    expect(model).toBeInstanceOf(FittedLinearTargets);
    expect([model.coef.rows, model.coef.cols, model.intercept.length]).toEqual([3, 3, 3]);
    const alone = [0, 1, 2].map((t) => new Ridge({ alpha: 1 }).fit(X, column(Y, t)));
    const objective = alone.reduce((sum, { report }) => sum + report.objective, 0);
    expect(model.report.objective).toBeCloseTo(objective, 6);
    expect(model.report).toMatchObject({ converged: true, solver: "cholesky", warnings: [] });
    expect(model.score(X, Y)).toBeCloseTo(
      alone.reduce((sum, own, t) => sum + own.score(X, column(Y, t)) / 3, 0),
      12,
    );
  });

  it("take one α for all targets or one for each", () => {
    const alphas = [0, 5, 5000];
    for (const kernel of [false, true]) {
      const with_ = (alpha: number | number[]) =>
        kernel ? new KernelRidge({ alpha }) : new Ridge({ alpha });
      const model = with_(alphas).fit(X, Y);
      for (const [t, alpha] of alphas.entries()) {
        const alone = with_(alpha).fit(X, column(Y, t)).predict(X);
        // α = 0 has a kernel matrix of condition number 1e9.
        for (const [i, value] of columnOf(model.predict(X), t).entries())
          expect(value).toBeCloseTo(alone[i]!, 5);
      }
      expect(() => with_([1, 2]).fit(X, Y)).toThrow(
        /alpha must be a number, or a list of 3, one per target, got 2 numbers/,
      );
      expect(() => with_(alphas).fit(X, column(Y, 0))).toThrow(
        /alpha must be a number, since y is one target/,
      );
    }
  });

  it("of nearly dependent columns share the singular values", () => {
    const near = X.map(([a, b, c]) => [a!, b!, c!, a! + 1e-9 * b!]);
    const model = new Ridge({ alpha: 1e-12 }).fit(near, Y);
    expect(model.report.solver).toBe("svd");
    for (let t = 0; t < 3; t++) {
      const alone = new Ridge({ alpha: 1e-12 }).fit(near, column(Y, t));
      expect(columnOf(model.coef.transpose(), t)).toEqual([...alone.coef]);
    }
    const copies = X.map(([a, b, c]) => [a!, b!, c!, a!]);
    const spread = new LinearRegression().fit(copies, Y);
    for (let t = 0; t < 3; t++) expect(spread.coef.at(t, 0)).toBeCloseTo(spread.coef.at(t, 3), 9);
  });

  it("may be very many", () => {
    const many = X.map((_, i) => Array.from({ length: 100 }, (_, t) => Y[i]![t % 3]! * (t + 1)));
    const model = new Ridge().fit(X, many);
    const [first, last] = [new Ridge().fit(X, column(Y, 0)), new Ridge().fit(X, column(many, 99))];
    expect(model.coef.at(0, 1)).toBeCloseTo(first.coef[1]!, 10);
    expect(model.coef.at(99, 1)).toBeCloseTo(last.coef[1]!, 7);
  });

  it("are loaded by their class, and not by the estimator's", () => {
    const bytes = saveModel(new Ridge().fit(X, Y));
    expect(loadModel(bytes, FittedLinearTargets).coef.rows).toBe(3);
    expect(() => loadModel(bytes, Ridge)).toThrow(
      /the model must be a Ridge, got a LinearTargets\. It was fitted by Ridge to several targets: load it with loadModel\(bytes, FittedLinearTargets\)/,
    );
    expect(() => loadRegressor(bytes)).toThrow(/a regressor of one target, got a LinearTargets/);
    const kernel = saveModel(new KernelRidge().fit(X, Y));
    expect(loadModel(kernel, FittedKernelRidgeTargets).dualCoef.rows).toBe(3);
    expect(loadModel(saveModel(new Ridge().fit(X, column(Y, 0))), Ridge).coef.length).toBe(3);
  });

  it("stand at the end of a pipeline", () => {
    const table = Table.fromRows(Y.map(([a, b, c]) => ({ a: a!, b: b!, c: c! })));
    const model = pipeline(new StandardScaler(), new Ridge()).fit(X, table);
    const scaled = new StandardScaler().fit(X).transform(X);
    expect(model.predict(X).data).toEqual(new Ridge().fit(scaled, Y).predict(scaled).data);
    expect(model.nTargets).toBe(3);
    expect(model.targetNames).toEqual(["a", "b", "c"]);
    expect(model.last.coef.rows).toBe(3);
    const back = loadModel(saveModel(model));
    expect((back.predict!(X) as Matrix).data).toEqual(model.predict(X).data);
    expect(() => loadRegressor(saveModel(model))).toThrow(/a regressor of one target, got a Pipeline/);
  });

  it("are cross-validated", () => {
    for (const given of [Y, Matrix.fromRows(Y)]) {
      const result = crossValidate(new Ridge(), X, given, { cv: 4, returnModels: true });
      const [train, test] = [X.slice(10), X.slice(0, 10)];
      const first = new Ridge().fit(train, Y.slice(10));
      expect(result.testScore[0]).toBeCloseTo(first.score(test, Y.slice(0, 10)), 12);
      expect(result.models[0]!.coef.data).toEqual(first.coef.data);
      const errors = crossValScore(pipeline(new StandardScaler(), new Ridge()), X, given, {
        scoring: "negMeanSquaredError",
        cv: 4,
      });
      const model = pipeline(new StandardScaler(), new Ridge()).fit(train, Y.slice(10));
      expect(errors[0]).toBeCloseTo(-meanSquaredError(Y.slice(0, 10), model.predict(test)), 9);
    }
    expect(() => crossValidate(new Ridge(), X, Y.slice(1))).toThrow(
      /Y must be as long as X has rows \(40\), got 39 rows/,
    );
    expect(() => crossValidate(new LinearSVR(), X, Y as never)).toThrow(/y\[0\] must be a finite number/);
  });
});

describe("metrics of several targets", () => {
  const truth = [
    [1, 10],
    [2, 30],
    [3, 20],
  ];
  const predicted = [
    [1, 12],
    [2, 26],
    [4, 20],
  ];
  const weights = [1, 2, 3];

  it("are the mean of those of the targets", () => {
    for (const metric of [meanSquaredError, meanAbsoluteError, rootMeanSquaredError, r2Score]) {
      for (const options of [{}, { sampleWeight: weights }]) {
        const each = [0, 1].map((t) => metric(column(truth, t), column(predicted, t), options));
        expect(metric(truth, Matrix.fromRows(predicted), options)).toBeCloseTo((each[0]! + each[1]!) / 2, 12);
      }
      expect(() => metric(truth, [1, 2, 3])).toThrow(
        /yPred must be a matrix, since the other has several targets/,
      );
      expect(() => metric(truth, [[1], [2], [3]])).toThrow(
        /yPred must be as wide as yTrue \(2 columns\), got 1 columns/,
      );
      expect(() => metric(truth, predicted.slice(1))).toThrow(/yPred must be as long as yTrue \(3\)/);
    }
  });
});
