import { describe, expect, test } from "vitest";
import type { FitReport } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { makeBlobs } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { kernelMatrix, kernels } from "../kernel-functions/index.js";
import { KernelLogisticRegression, KernelPerceptron, KernelRidge } from "../kernel-methods/index.js";
import { accuracyScore } from "../metrics/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { type FittedSVC, type FittedSVR, formatLibsvmModel, parseLibsvmModel, SVC, SVR } from "./index.js";

const wine = await loadDataset("wine");
const iris = await loadDataset("iris");
const diabetes = await loadDataset("diabetes");

describe("a step's model is the model of that step, whenever it is asked for", () => {
  const { X, y } = makeBlobs({ nSamples: 120, nFeatures: 3, centers: 3, clusterStd: 3, randomState: 4 });
  const target = X.column(0);
  const learners = {
    SVC: () => new SVC().steps(X, y),
    "SVC of one class against the rest": () => new SVC({ multiClass: "ovr", C: 10 }).steps(X, y),
    "SVC with probabilities": () => new SVC({ probability: true }).steps(X, y),
    "SVC with the linear kernel": () => new SVC({ kernel: "linear" }).steps(X, y),
    SVR: () => new SVR({ C: 10 }).steps(X, target),
    KernelPerceptron: () => new KernelPerceptron().steps(X, y),
    KernelLogisticRegression: () => new KernelLogisticRegression({ kernel: "rbf" }).steps(X, y),
  };
  for (const [name, steps] of Object.entries(learners)) {
    test(name, () => {
      const models = (list: Iterable<Step<unknown>>) =>
        Array.from(list, (step) => saveModel(step.model() as never));
      const atOnce = models(steps());
      const later = models([...steps()]);
      expect(atOnce.length).toBeGreaterThan(1);
      expect(later).toEqual(atOnce);
    });
  }

  test("the steps of the linear start, too", () => {
    const { X: many, y: two } = makeBlobs({ nSamples: 800, nFeatures: 2, centers: 2, clusterStd: 4 });
    const machine = () => new SVC({ kernel: "linear" }).steps(many, two);
    const atOnce = Array.from(machine(), (step) => step.model().decisionFunction(many.selectRows([0, 1, 2])));
    expect(atOnce.length).toBeGreaterThan(5);
    const later = [...machine()].map((step) => step.model().decisionFunction(many.selectRows([0, 1, 2])));
    expect(later).toEqual(atOnce);
  });
});

/** ½‖w‖² + C Σξ and Σα − ½‖w‖² of a machine of two classes with the linear kernel, from what it says itself. */
function certificate(model: ReturnType<SVC["fit"]>, X: Matrix, signs: readonly number[], C: number) {
  const { data: coef } = model.dualCoef;
  const w = new Float64Array(X.cols);
  for (const [s, i] of model.support.entries())
    for (let j = 0; j < X.cols; j++) w[j]! += coef[s]! * X.at(i, j);
  const square = w.reduce((sum, v) => sum + v * v, 0);
  const margins = model.decisionFunction(X).data;
  const slack = signs.reduce((sum, sign, i) => sum + Math.max(0, 1 - sign * margins[i]!), 0);
  const alphas = coef.reduce((sum, v) => sum + Math.abs(v), 0);
  return { primal: square / 2 + C * slack, dual: alphas - square / 2 };
}

describe("what is reported is true of the model", () => {
  const first = wine.y.flatMap((label, i) => (label === wine.y[0] ? [i] : []));
  const second = wine.y.flatMap((label, i) => (label !== wine.y[0] ? [i] : []));
  const rows = [...first.slice(0, 50), ...second.slice(0, 60)];
  const X = wine.X.selectRows(rows);
  const signs = rows.map((_, e) => (e < 50 ? -1 : 1));

  for (const [C, tol] of [
    [100, 1e-6],
    [1, 1e-3],
    [1e4, 1e-6],
  ] as const) {
    test(`columns of size 1000, C = ${C}, tol = ${tol}: the gap is the gap, and small`, () => {
      const model = new SVC({ kernel: "linear", C, tol }).fit(X, signs);
      const { primal, dual } = certificate(model, X, signs, C);
      const { dualityGap, objective, converged } = model.report;
      expect(converged).toBe(true);
      // Margins of thousands times α are rounded at 1e-12 of them.
      expect(Math.abs(-objective - dual)).toBeLessThan(1e-7 * primal);
      expect(Math.abs(dualityGap! - (primal - dual))).toBeLessThan(1e-7 * primal + 0.02 * dualityGap!);
      // C Σ (violations up to tol) is all that may be left.
      expect(primal - dual).toBeLessThan(C * tol * rows.length + 1e-7 * primal);
    });
  }

  test("the violation, evaluated on the model, is below tol when it claims to have converged", () => {
    for (const params of [
      { kernel: "rbf", gamma: 1e-5, C: 1000, tol: 1e-5 },
      { kernel: "linear", C: 10, tol: 1e-4 },
    ] as const) {
      const model = new SVC(params).fit(X, signs);
      expect(model.report.converged).toBe(true);
      expect(model.report.gradientNorm).toBeLessThanOrEqual(params.tol);
      const margins = model.decisionFunction(X).data;
      const alpha = new Float64Array(rows.length);
      for (const [s, i] of model.support.entries()) alpha[i] = Math.abs(model.dualCoef.data[s]!);
      for (const [i, sign] of signs.entries()) {
        const excess = sign * margins[i]! - 1;
        if (alpha[i]! < params.C) expect(excess).toBeGreaterThan(-2 * params.tol);
        if (alpha[i]! > 0) expect(excess).toBeLessThan(2 * params.tol);
      }
    }
  });
});

describe("binary SVMs that rounding keeps from the optimum stop, and say so", () => {
  for (const C of [1e10, 1e20, 1e300]) {
    test(`C = ${C}, classes that overlap`, () => {
      const started = performance.now();
      const model = new SVC({ kernel: "linear", C }).fit(iris.X, iris.y);
      // Tens of milliseconds to a second; without an end it is minutes.
      expect(performance.now() - started).toBeLessThan(15_000);
      expect(model.report.converged).toBe(false);
      expect(model.report.warnings[0]).toMatch(
        /^Stopped (because rounding hides|after more than a hundred iterations)/,
      );
      // Not worse than saying nothing.
      expect(model.score(iris.X, iris.y)).toBeGreaterThan(0.9);
      expect(model.report.objective).toBeLessThan(0);
    });
  }

  test("weights of 1e300, in classification and regression", () => {
    const sampleWeight = new Float64Array(iris.X.rows).fill(1e300);
    const model = new SVC({ kernel: "linear" }).fit(iris.X, iris.y, { sampleWeight });
    expect(model.report.converged).toBe(false);
    expect(model.score(iris.X, iris.y)).toBeGreaterThan(0.9);
    const heavy = new Float64Array(diabetes.X.rows).fill(1e300);
    const line = new SVR({ kernel: "linear" }).fit(diabetes.X, diabetes.y, { sampleWeight: heavy });
    expect(line.report.converged).toBe(false);
    expect(line.score(diabetes.X, diabetes.y)).toBeGreaterThan(0);
  });

  test("costs that are large beside nothing to pay for do no harm", () => {
    const apart = new SVC({ C: 1e20 }).fit(iris.X, iris.y);
    expect(apart.report.converged).toBe(true);
    expect(apart.score(iris.X, iris.y)).toBe(1);
  });
});

describe("rows far from 0", () => {
  const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
  const y = X.map((row) => Math.sin(3 * row[0]!) + row[1]!);
  const labels = X.map((row, i) => (row[0]! * row[1]! + 0.2 * Math.sin(9 * i) > 0 ? 1 : 0));
  const far = X.map((row) => row.map((v) => v + 1e8));

  test.each(["rbf", "laplacian"] as const)("are as far from each other as at 0: %s", (kernel) => {
    // Entries at 1e8 are rounded to 1e-8.
    const classifier = new SVC({ kernel, C: 10, gamma: 0.5 });
    const [here, there] = [classifier.fit(X, labels), classifier.fit(far, labels)];
    expect(there.report.objective).toBeCloseTo(here.report.objective, 2);
    expect(there.predict(far)).toEqual(here.predict(X));
    const regressor = new SVR({ kernel, C: 10, gamma: 0.5, bias: "kernel" });
    expect(regressor.fit(far, y).score(far, y)).toBeCloseTo(regressor.fit(X, y).score(X, y), 3);
    const ridge = new KernelRidge({ kernel, gamma: 0.5, alpha: 0.1 });
    expect(ridge.fit(far, y).score(far, y)).toBeCloseTo(ridge.fit(X, y).score(X, y), 5);
  });

  /** Multiples of 1/1024, so that adding 1e8 rounds nothing. */
  const exactly = (value: number) => Math.round(value * 1024) / 1024;
  const tol = 1e-6;
  /** Two machines, each within tol of the optimality conditions, differ by a few tol. */
  const close = 20 * tol;
  const furthest = (a: Float64Array, b: Float64Array) =>
    a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i]!)), 0);

  for (const rows of [80, 600]) {
    const random = new Random(rows);
    const near = Array.from({ length: rows }, () => [0, 1, 2].map(() => exactly(random.normal())));
    const target = near.map((row) => row[0]! - row[1]! + 0.7 * random.normal());
    const two = target.map((value) => (value > 0 ? 1 : -1));
    const three = near.map(([a, b], i) => (target[i]! > 0.5 ? 1 : a! + b! > 0 ? 2 : 3));

    test.each([10, 1e3, 1e6, -1e8])(
      `the linear kernel of ${rows} rows + %d is that of the rows`,
      (offset) => {
        const moved = near.map((row) => row.map((v, j) => v + (j === 2 ? offset / 4 : offset)));
        for (const C of [1, 100]) {
          const machine = { kernel: "linear", C, tol } as const;
          for (const [labels, params] of [
            [two, machine],
            [three, machine],
            [three, { ...machine, multiClass: "ovr" }],
          ] as const) {
            const [here, there] = [near, moved].map((x) => new SVC(params).fit(x, labels));
            expect(there!.report.converged).toBe(true);
            expect(there!.report.objective).toBeCloseTo(here!.report.objective, 3);
            expect(there!.predict(moved)).toEqual(here!.predict(near));
            const margins = [there!.decisionFunction(moved).data, here!.decisionFunction(near).data] as const;
            expect(furthest(...margins)).toBeLessThan(close);
          }
          const [here, there] = [near, moved].map((x) => new SVR(machine).fit(x, target));
          expect(there!.report.converged).toBe(true);
          expect(furthest(there!.predict(moved), here!.predict(near))).toBeLessThan(close);
        }
      },
    );
  }

  test("the model of far rows is saved, loaded and written for LIBSVM as it is, and takes sparse rows", () => {
    const random = new Random(8);
    const moved = Array.from({ length: 60 }, () => [0, 1].map(() => exactly(random.normal()) + 1e6));
    const two = moved.map((row) => (row[0]! - row[1]! + 0.3 * random.normal() > 0 ? 1 : -1));
    const model = new SVC({ kernel: "linear" }).fit(moved, two);
    const margins = model.decisionFunction(moved);
    expect(loadModel(saveModel(model), SVC).decisionFunction(moved)).toEqual(margins);
    // LIBSVM has support vectors class by class, which rounds their mean, and with it b of 1e6, in another place.
    const again = parseLibsvmModel(formatLibsvmModel(model), SVC);
    expect(furthest(again.decisionFunction(moved).data, margins.data)).toBeLessThan(1e-8);
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(moved));
    expect(model.decisionFunction(sparse)).toEqual(margins);
    expect(new SVC({ kernel: "linear" }).fit(sparse, two).decisionFunction(sparse)).toEqual(margins);
    // b is that of rows where they are: w·x + b with w from the support vectors, rounded at 1e-16 of 1e6.
    const w = [0, 1].map((j) =>
      model.support.reduce((sum, i, s) => sum + model.dualCoef.data[s]! * (moved[i]![j]! - 1e6), 0),
    );
    const scores = moved.map((row) => w[0]! * row[0]! + w[1]! * row[1]! + model.intercept[0]!);
    expect(furthest(Float64Array.from(scores), margins.data)).toBeLessThan(1e-8);
    const probable = new SVC({ kernel: "linear", probability: true }).fit(moved, two);
    expect(accuracyScore(two, probable.predict(moved))).toBeGreaterThan(0.9);
  });
});

describe("gap and violation are never negative", () => {
  const random = new Random(4);
  const rows = 40;
  const X = Matrix.fromRows(Array.from({ length: rows }, () => [random.normal(), random.normal()]));
  const y = Array.from({ length: rows }, (_, i) => X.at(i, 0) + 0.5 * random.normal());
  const labels = y.map((value) => (value > 0 ? 1 : -1));
  const isSound = ({ gradientNorm, dualityGap = 0 }: FitReport) => gradientNorm >= 0 && dualityGap >= 0;

  /** ½‖w‖² + C Σξ and the dual of a machine, in doubles, from its coefficients and its margins. */
  function gapOf(
    model: FittedSVC<number> | FittedSVR,
    kernel: "linear" | "rbf",
    C: number,
    epsilon?: number,
  ) {
    const K = kernelMatrix(kernel === "rbf" ? kernels.rbf({ gamma: 0.5 }) : kernel, X);
    const coef = new Float64Array(rows);
    for (const [s, i] of model.support.entries()) coef[i] = model.dualCoef.data[s]!;
    const square = coef.reduce((sum, a, s) => sum + a * coef.reduce((t, c, r) => t + c * K.at(s, r), 0), 0);
    const isClassifier = epsilon === undefined;
    const f = isClassifier
      ? (model as FittedSVC<number>).decisionFunction(X).data
      : (model as FittedSVR).predict(X);
    const slack = (i: number) =>
      isClassifier ? Math.max(0, 1 - labels[i]! * f[i]!) : Math.max(0, Math.abs(y[i]! - f[i]!) - epsilon);
    const primal = square / 2 + C * labels.reduce((sum, _, i) => sum + slack(i), 0);
    const gain = (a: number, i: number) => (isClassifier ? Math.abs(a) : a * y[i]! - epsilon * Math.abs(a));
    return { gap: primal - (coef.reduce((sum, a, i) => sum + gain(a, i), 0) - square / 2), primal };
  }

  for (const kernel of ["linear", "rbf"] as const) {
    for (const C of [1e-3, 1, 1e4]) {
      test(`${kernel}, C = ${C}: and the gap is that of the model`, () => {
        const params = { kernel, C, gamma: 0.5 } as const;
        const classifier = new SVC(params);
        for (const step of classifier.steps(X, labels)) expect(isSound(step.model().report)).toBe(true);
        const model = classifier.fit(X, labels);
        expect(isSound(model.report)).toBe(true);
        const found = gapOf(model, kernel, C);
        // Kernel values of 32 bits move every margin by less than a tenth of tol = 1e-3.
        expect(Math.abs(found.gap - model.report.dualityGap!)).toBeLessThan(1e-4 * C * rows);
        for (const epsilon of [0, 0.1, 10]) {
          const regressor = new SVR({ ...params, epsilon });
          for (const step of regressor.steps(X, y)) expect(isSound(step.model().report)).toBe(true);
          const line = regressor.fit(X, y);
          expect(isSound(line.report)).toBe(true);
          const tube = gapOf(line, kernel, C, epsilon);
          expect(Math.abs(tube.gap - line.report.dualityGap!)).toBeLessThan(1e-4 * C * rows);
        }
      });
    }
  }

  test("a gap that is much smaller than the objective is still known", () => {
    // Classes of the sigmoid kernel at C = 1e6 have an objective of 1e12, in which a gap of 1e-6 is lost.
    const model = new SVC({ kernel: "sigmoid", C: 1e6 }).fit(X, labels);
    expect(model.report.gradientNorm > 0).toBe(model.report.dualityGap! > 0);
  });
});
