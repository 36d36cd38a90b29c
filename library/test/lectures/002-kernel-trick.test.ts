import {
  KernelFisherDiscriminant,
  KernelLogisticRegression,
  KernelMap,
  KernelPerceptron,
  KernelRidge,
  kernelize,
  kernels,
  LinearDiscriminantAnalysis,
  LinearSVC,
  LogisticRegression,
  Matrix,
  makeCircles,
  Nystroem,
  ParameterError,
  Perceptron,
  PolynomialFeatures,
  Ridge,
  StandardScaler,
  SVC,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const cancer = await loadDataset("breastCancer");
const Z = new StandardScaler().fitTransform(cancer.X);
const diabetes = await loadDataset("diabetes");
const iris = await loadDataset("iris");
/** Of solvers that stop when they are about tol² from the minimum, relatively. */
const precise = { tol: 1e-9, maxIter: 100_000 };

interface Scores {
  readonly data: Float64Array;
}
/** Largest difference relative to the largest score. */
function apart(ours: Scores, expected: Scores): number {
  const scale = expected.data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return expected.data.reduce((most, v, e) => Math.max(most, Math.abs(v - ours.data[e]!)), 0) / scale;
}

describe("C4 with the linear kernel, a kernel method is its linear method", () => {
  it("perceptron: the same mistakes in the same order, so the same plane", () => {
    const kernel = new KernelPerceptron({ kernel: "linear", maxIter: 50, tol: 0, randomState: 3 });
    const linear = new Perceptron({ maxIter: 50, tol: 0, randomState: 3 });
    const [ours, twin] = [kernel.fit(Z, cancer.y), linear.fit(Z, cancer.y)];
    // Sums of the same rows in another order.
    expect(apart(ours.decisionFunction(Z), twin.decisionFunction(Z))).toBeLessThan(1e-10);
  });

  it.each([0.01, 1, 100])("logistic regression, C = %d", (C) => {
    const ours = new KernelLogisticRegression({ kernel: "linear", C, ...precise }).fit(Z, cancer.y);
    const twin = new LogisticRegression({ C, ...precise }).fit(Z, cancer.y);
    expect(apart(ours.predictProba(Z), twin.predictProba(Z))).toBeLessThan(1e-6);
    expect(ours.report.objective).toBeCloseTo(twin.report.objective, 8);
  });

  it("logistic regression of three classes", () => {
    const ours = new KernelLogisticRegression({ kernel: "linear", ...precise }).fit(iris.X, iris.y);
    const twin = new LogisticRegression(precise).fit(iris.X, iris.y);
    expect(apart(ours.predictProba(iris.X), twin.predictProba(iris.X))).toBeLessThan(1e-6);
  });

  it.each([0.01, 1, 100])("ridge, α = %d", (alpha) => {
    const ours = new KernelRidge({ kernel: "linear", alpha, fitIntercept: true }).fit(diabetes.X, diabetes.y);
    const twin = new Ridge({ alpha }).fit(diabetes.X, diabetes.y);
    const [f, g] = [ours.predict(diabetes.X), twin.predict(diabetes.X)];
    expect(apart({ data: f }, { data: g })).toBeLessThan(1e-9);
  });

  it("Fisher's discriminant", () => {
    const ours = new KernelFisherDiscriminant({ kernel: "linear", shrinkage: 0 }).fit(iris.X, iris.y);
    const twin = new LinearDiscriminantAnalysis().fit(iris.X, iris.y);
    expect(apart(ours.predictProba(iris.X), twin.predictProba(iris.X))).toBeLessThan(1e-8);
  });

  it.each([0.01, 1])("support vector machine, C = %d", (C) => {
    const ours = new SVC({ kernel: "linear", C, tol: 1e-6 }).fit(Z, cancer.y);
    const twin = new LinearSVC({ loss: "hinge", C, ...precise }).fit(Z, cancer.y);
    // Dual and primal have one value, and SVC keeps kernel values in 32 bits.
    expect(-ours.report.objective / twin.report.objective).toBeCloseTo(1, 5);
    expect(apart(ours.decisionFunction(Z), twin.decisionFunction(Z))).toBeLessThan(1e-3);
  });
});

/** φ(x) with φ(x)·φ(z) = (1 + x·z)²: all squares, and √2 times all products and columns. */
function mapped(X: Matrix): Matrix {
  const map = new PolynomialFeatures({ degree: 2 }).fit(X);
  const scale = map.powers
    .toArray()
    .map((powers) => (powers.includes(2) || powers.every((p) => p === 0) ? 1 : Math.SQRT2));
  const features = map.transform(X);
  return new Matrix(
    features.data.map((v, e) => v * scale[e % features.cols]!),
    features.rows,
    features.cols,
  );
}

describe("C4 the trick: φ is never evaluated, and the method is the linear one of φ(x)", () => {
  const quadratic = kernels.quadratic({ gamma: 1, coef0: 1 });
  const [X, y] = [iris.X, iris.y];
  const phi = mapped(X);

  it("ridge", () => {
    const target = X.column(3);
    const three = new Matrix(
      X.data.filter((_, e) => e % 4 !== 3),
      X.rows,
      3,
    );
    const ours = new KernelRidge({ kernel: quadratic, alpha: 0.1, fitIntercept: true }).fit(three, target);
    const twin = new Ridge({ alpha: 0.1 }).fit(mapped(three), target);
    expect(apart({ data: ours.predict(three) }, { data: twin.predict(mapped(three)) })).toBeLessThan(1e-8);
  });

  it("logistic regression", () => {
    const ours = new KernelLogisticRegression({ kernel: quadratic, C: 0.1, ...precise }).fit(X, y);
    const twin = new LogisticRegression({ C: 0.1, ...precise }).fit(phi, y);
    expect(apart(ours.predictProba(X), twin.predictProba(phi))).toBeLessThan(1e-5);
  });

  it("perceptron", () => {
    const options = { maxIter: 20, tol: 0, randomState: 1 };
    const ours = new KernelPerceptron({ kernel: quadratic, ...options }).fit(X, y);
    const twin = new Perceptron(options).fit(phi, y);
    expect(apart(ours.decisionFunction(X), twin.decisionFunction(phi))).toBeLessThan(1e-9);
  });

  it("any other, by kernelize: here a machine with a squared hinge", () => {
    const linear = new LinearSVC({ C: 0.01, ...precise });
    const ours = kernelize(linear, quadratic).fit(X, y);
    expect(apart(ours.decisionFunction(X), linear.fit(phi, y).decisionFunction(phi))).toBeLessThan(1e-4);
  });
});

describe("C4 data which is not linearly separable", () => {
  const { X, y } = makeCircles({ nSamples: 200, noise: 0.05, factor: 0.5, randomState: 2 });
  const gamma = 1;
  const pairs = [
    ["perceptron", new Perceptron(), new KernelPerceptron({ gamma })],
    ["logistic regression", new LogisticRegression(), new KernelLogisticRegression({ gamma })],
    ["Fisher's discriminant", new LinearDiscriminantAnalysis(), new KernelFisherDiscriminant({ gamma })],
    ["support vector machine", new LinearSVC(), new SVC({ gamma })],
  ] as const;

  it.each(pairs)("%s cannot, and can with a kernel", (_, linear, kernel) => {
    expect(linear.fit(X, y).score(X, y)).toBeLessThan(0.75);
    expect(kernel.fit(X, y).score(X, y)).toBe(1);
  });

  it("least squares of ±1 cannot, and can with a kernel", () => {
    const signs = y.map((label) => (label === 1 ? 1 : -1));
    expect(new Ridge().fit(X, signs).score(X, signs)).toBeLessThan(0.1);
    expect(new KernelRidge({ gamma, alpha: 0.1 }).fit(X, signs).score(X, signs)).toBeGreaterThan(0.9);
  });
});

describe("C6 methods that need an inner product refuse kernels that are not", () => {
  const makers = [
    ["KernelRidge", (kernel: ReturnType<typeof kernels.sigmoid>) => new KernelRidge({ kernel })],
    ["KernelLogisticRegression", (kernel) => new KernelLogisticRegression({ kernel })],
    ["KernelFisherDiscriminant", (kernel) => new KernelFisherDiscriminant({ kernel })],
    ["KernelMap", (kernel) => new KernelMap({ kernel })],
    ["Nystroem", (kernel) => new Nystroem({ kernel })],
    ["kernelize", (kernel) => kernelize(new Ridge(), kernel)],
  ] satisfies readonly (readonly [string, (kernel: ReturnType<typeof kernels.sigmoid>) => unknown])[];
  const none = [
    kernels.sigmoid(),
    kernels.multiquadric(),
    kernels.thinPlate(),
    kernels.linear({ coef0: -1 }),
  ];

  it.each(makers)("%s", (_, make) => {
    for (const kernel of none) {
      expect(() => make(kernel)).toThrow(ParameterError);
      expect(() => make(kernel)).toThrow(/kernel must be positive definite/);
    }
    expect(() => make(kernels.rbf())).not.toThrow();
  });

  it("KernelPerceptron, which only asks which side rows are on, takes them; some are still of use", () => {
    for (const kernel of none) {
      const model = new KernelPerceptron({ kernel, maxIter: 20 }).fit(iris.X, iris.y);
      expect(model.decisionFunction(iris.X).data.every(Number.isFinite)).toBe(true);
    }
    const X = new StandardScaler().fitTransform(iris.X);
    const sigmoid = new KernelPerceptron({ kernel: kernels.sigmoid({ gamma: 0.02 }) }).fit(X, iris.y);
    expect(sigmoid.score(X, iris.y)).toBeGreaterThan(0.8);
  });
});
