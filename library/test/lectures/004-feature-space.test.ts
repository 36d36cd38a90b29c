import {
  CsrMatrix,
  isLinearlySeparable,
  kernels,
  LinearSVC,
  LogisticRegression,
  Matrix,
  PolynomialFeatures,
  pipeline,
  Random,
  StandardScaler,
  SVC,
} from "argmax";
import { gemm, gemv } from "argmax/numeric";
import { describe, expect, it } from "vitest";

const dot = (a: readonly number[], b: readonly number[]) =>
  gemv(Matrix.fromRows([[...a]]), Float64Array.from(b))[0]!;

describe("E2 dot products and projections, with the numbers of the note", () => {
  it("(5, 10)·(10, 10) = 150", () => {
    expect(dot([5, 10], [10, 10])).toBe(150);
  });

  it("the projections of (1.5, 1) and (0, 0.5) onto (0.71, 0.71) are 1.78 and 0.35", () => {
    expect(dot([0.71, 0.71], [1.5, 1])).toBeCloseTo(1.775, 12);
    expect(dot([0.71, 0.71], [0, 0.5])).toBeCloseTo(0.355, 12);
    // What is left of b without its projection onto the unit vector a is orthogonal to a.
    const a = [Math.SQRT1_2, Math.SQRT1_2];
    const length = dot(a, [1.5, 1]);
    expect(dot(a, [1.5 - length * a[0]!, 1 - length * a[1]!])).toBeCloseTo(0, 15);
    expect(Math.sqrt(dot([5, 10], [5, 10]))).toBeCloseTo(Math.sqrt(125), 14);
  });
});

describe("X7 documents as points of a feature space", () => {
  const terms = ["Wolf", "Lion", "Monkey", "Broker", "Analyst", "Dividend"];
  const counts = [
    [12, 8, 0],
    [16, 10, 2],
    [14, 11, 1],
    [0, 1, 14],
    [1, 0, 10],
    [1, 1, 12],
  ];
  const documents = Matrix.fromRows(counts).transpose();

  it("the table is a term–document matrix, and dot products of its columns compare documents", () => {
    expect(documents.rows).toBe(3);
    expect(documents.cols).toBe(terms.length);
    const products = gemm(documents, documents.transpose());
    expect(products.at(0, 1)).toBe(12 * 8 + 16 * 10 + 14 * 11 + 1);
    const cosine = (i: number, j: number) =>
      products.at(i, j) / Math.sqrt(products.at(i, i) * products.at(j, j));
    expect(cosine(0, 1)).toBeGreaterThan(0.98);
    expect(cosine(0, 2)).toBeLessThan(0.2);
    expect(cosine(1, 2)).toBeLessThan(0.2);
  });

  it("a new document has the class whose side of w·x + b it is on, dense or sparse", () => {
    const y = ["animals", "animals", "finance"];
    const news = [
      [0, 1, 0, 9, 7, 3],
      [4, 7, 2, 0, 0, 1],
    ];
    const model = new LinearSVC().fit(documents, y);
    expect(model.predict(news)).toEqual(["finance", "animals"]);
    const w = Array.from(model.coef.row(0));
    expect(model.decisionFunction(news).data[0]).toBeCloseTo(dot(w, news[0]!) + model.intercept[0]!, 12);
    const sparse = new LinearSVC().fit(CsrMatrix.fromDense(documents), y);
    expect(sparse.predict(CsrMatrix.fromDense(Matrix.fromRows(news)))).toEqual(["finance", "animals"]);
  });
});

describe("X5 N points in general position are separable in N − 1 dimensions", () => {
  const random = new Random(5);
  const points = (n: number, d: number) =>
    Array.from({ length: n }, () => Array.from({ length: d }, () => random.normal()));
  const labelings = (n: number) =>
    Array.from({ length: 2 ** n - 2 }, (_, code) =>
      Array.from({ length: n }, (_, i) => ((code + 1) >> i) & 1),
    );

  it.each([2, 3, 4, 5, 6])("%i points, every labeling, in one dimension less and in more", (n) => {
    for (const d of [n - 1, n, n + 3]) {
      const X = points(n, d);
      for (const y of labelings(n)) expect(isLinearlySeparable(X, y)).toBe(true);
    }
  });

  it.each([4, 5, 6])("%i points in two dimensions less are not, for some labeling", (n) => {
    const X = points(n, n - 2);
    const separable = labelings(n).filter((y) => isLinearlySeparable(X, y)).length;
    expect(separable).toBeLessThan(2 ** n - 2);
    // Cover's count of the labelings of N points in d dimensions: 2 Σ C(N − 1, k), k ≤ d; two of them have one class only.
    const choose = (k: number) =>
      Array.from({ length: k }, (_, e) => (n - 1 - e) / (e + 1)).reduce((a, b) => a * b, 1);
    const cover = 2 * Array.from({ length: n - 1 }, (_, k) => choose(k)).reduce((a, b) => a + b, 0);
    expect(separable).toBe(Math.round(cover) - 2);
  });
});

describe("X6 more dimensions: a lower training error, and a risk of over-fitting", () => {
  it("over polynomial degrees the training error falls and the error on new rows turns", () => {
    const random = new Random(6);
    const draw = (n: number) => {
      const X = Array.from({ length: n }, () => [2 * random.uniform() - 1, 2 * random.uniform() - 1]);
      const y = X.map(([a, b]) => (a! * a! + b! * b! + 0.35 * random.normal() > 0.6 ? 1 : 0));
      return { X, y };
    };
    const [train, test] = [draw(80), draw(4000)];
    const errors = [1, 2, 8].map((degree) => {
      const model = pipeline(
        new PolynomialFeatures({ degree, includeBias: false }),
        new StandardScaler(),
        new LogisticRegression({ C: 1e4, maxIter: 2000 }),
      ).fit(train.X, train.y);
      return { train: 1 - model.score(train.X, train.y), test: 1 - model.score(test.X, test.y) };
    });
    const [line, conic, wild] = errors;
    expect(conic!.train).toBeLessThan(line!.train);
    expect(wild!.train).toBeLessThan(conic!.train);
    expect(conic!.test).toBeLessThan(line!.test - 0.1);
    expect(wild!.test).toBeGreaterThan(conic!.test + 0.02);
  });
});

describe("X4 an outlier pulls the logistic boundary, not the maximum-margin one", () => {
  const X = [
    [0, 0],
    [1, 0.5],
    [0.5, 1.5],
    [3, 3],
    [4, 2.5],
    [3.5, 4],
  ];
  const y = [0, 0, 0, 1, 1, 1];
  const withOutlier = (distance: number) => [...X, [distance, distance]];
  const labels = [...y, 1];
  /** Where the boundary, on which decisions are 0, crosses the diagonal. */
  const crossing = (model: { decisionFunction(x: number[][]): Matrix }) => {
    const [at0, at1] = model.decisionFunction([
      [0, 0],
      [1, 1],
    ]).data;
    return at0! / (at0! - at1!);
  };

  it("a far point of its own side, moved further out", () => {
    const hard = [8, 80].map((far) =>
      crossing(new SVC({ kernel: "linear", C: Infinity, tol: 1e-10 }).fit(withOutlier(far), labels)),
    );
    expect(hard[1]! - hard[0]!).toBeCloseTo(0, 9);
    const soft = [4, 8].map((far) =>
      crossing(new LogisticRegression({ C: 1, tol: 1e-8 }).fit(withOutlier(far), labels)),
    );
    expect(soft[1]! - soft[0]!).toBeGreaterThan(1e-3);
  });

  it("and of the wrong side: a soft margin pays for it with slack, logistic regression follows it", () => {
    const wrong = [-1, -2].map((far) => [...X, [far, far]]);
    const machines = wrong.map((rows) => new SVC({ kernel: "linear", C: 1, tol: 1e-9 }).fit(rows, labels));
    const logistic = wrong.map((rows) => new LogisticRegression({ C: 1, tol: 1e-8 }).fit(rows, labels));
    const moved = ([near, far]: readonly { decisionFunction(x: number[][]): Matrix }[]) =>
      Math.abs(crossing(far!) - crossing(near!));
    expect(moved(logistic)).toBeGreaterThan(0.3);
    expect(moved(machines)).toBeLessThan(0.1 * moved(logistic));
    // The outlier is beyond the far edge of the street, and no other row is on the wrong side; of the logistic model one is.
    machines.forEach((model, e) => {
      expect(model.slacks(wrong[e]!, labels).at(-1)).toBeGreaterThan(2);
      expect(model.predict(X)).toEqual(y);
    });
    expect(logistic[1]!.predict(X)).not.toEqual(y);
  });

  it("but slack grows with the distance: far enough, an outlier of the wrong side turns both", () => {
    const rows = [...X, [-20, -20]];
    expect(new SVC({ kernel: "linear", C: 1, tol: 1e-9 }).fit(rows, labels).predict(X)).not.toEqual(y);
    expect(new LogisticRegression({ C: 1, tol: 1e-8 }).fit(rows, labels).predict(X)).not.toEqual(y);
    // A hard margin has no solution with either.
    expect(() => new SVC({ kernel: "linear", C: Infinity }).fit(rows, labels)).toThrow(
      /rows that the kernel can separate/,
    );
  });
});

describe("Y22 kernels keep the number of learned parameters in check", () => {
  const random = new Random(22);
  const [N, rows] = [100, 60];
  const X = Array.from({ length: rows }, () => Array.from({ length: N }, () => random.normal()));
  const y = X.map((x) => (x[0]! * x[1]! + x[2]! > 0 ? "in" : "out"));
  const params = { C: 0.1, tol: 1e-7 };
  const kernel = new SVC({ kernel: kernels.quadratic({ gamma: 1, coef0: 1 }), ...params }).fit(X, y);
  const map = new PolynomialFeatures({ degree: 2, includeBias: false }).fit(X);

  it("the quadratic map has N + N + N(N − 1)/2 features, the kernel one α per support vector", () => {
    expect(map.transform([X[0]!]).cols).toBe(N + N + (N * (N - 1)) / 2);
    // Squares and products with √2 where the map's inner product has them: the same machine, in 5,150 coordinates.
    const scale = map.powers.toArray().map((powers) => (powers.includes(2) ? 1 : Math.SQRT2));
    const phi = (rows: number[][]) =>
      map
        .transform(rows)
        .toArray()
        .map((row) => row.map((v, e) => v * scale[e]!));
    const linear = new SVC({ kernel: "linear", ...params }).fit(phi(X), y);
    expect(kernel.dualCoef.data.length).toBe(kernel.support.length);
    expect(kernel.support.length).toBeLessThanOrEqual(rows);
    const fresh = Array.from({ length: 100 }, () => Array.from({ length: N }, () => random.normal()));
    const [f, g] = [kernel.decisionFunction(fresh).data, linear.decisionFunction(phi(fresh)).data];
    const largest = Math.max(...g.map(Math.abs));
    // Kernel values of up to 1e4 in 32 bits leave four digits of the scores.
    f.forEach((z, i) => {
      expect(Math.abs(z - g[i]!)).toBeLessThan(1e-4 * largest);
    });
  });

  it("more columns add features, not α: there are never more than rows", () => {
    const counts = [10, 50, 100].map((columns) => {
      const narrow = X.map((x) => x.slice(0, columns));
      const model = new SVC({ kernel: kernels.quadratic({ gamma: 1, coef0: 1 }), ...params }).fit(narrow, y);
      return { learned: model.dualCoef.data.length, features: 2 * columns + (columns * (columns - 1)) / 2 };
    });
    for (const { learned } of counts) expect(learned).toBeLessThanOrEqual(rows);
    expect(counts.map(({ features }) => features)).toEqual([65, 1325, 5150]);
    expect(counts[2]!.features / counts[2]!.learned).toBeGreaterThan(85);
  });
});

describe("X8 the note's objective w·w + C Σ ε has no ½: its C is twice the library's", () => {
  it("the library's fit with C/2 has the lowest value of the note's objective", () => {
    const random = new Random(8);
    const X = Array.from({ length: 300 }, (_, i) => [random.normal() + (i % 2), random.normal() - (i % 2)]);
    const y = X.map((_, i) => i % 2);
    const C = 0.02;
    const lecture = (c: number) => {
      const model = new LinearSVC({ loss: "hinge", C: c, tol: 1e-8 }).fit(X, y);
      const slacks = model.margins(X, y).functional.map((margin) => Math.max(0, 1 - margin));
      const w = model.coef.row(0);
      return w.reduce((sum, v) => sum + v * v, 0) + C * slacks.reduce((sum, v) => sum + v, 0);
    };
    const ours = lecture(C / 2);
    // The path of solutions is piecewise: near C/2 there may be the same one, up to tol.
    for (const other of [0.45 * C, 0.55 * C]) expect(lecture(other)).toBeGreaterThan(ours - 1e-9);
    for (const other of [C / 20, C / 8, C, 4 * C]) expect(lecture(other)).toBeGreaterThan(ours + 1e-6);
  });
});
