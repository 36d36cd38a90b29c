import { describe, expect, it } from "vitest";
import { apart, normals, rings } from "../../test/support/random-rows.js";
import { LinearDiscriminantAnalysis } from "../discriminant/linear-discriminant-analysis.js";
import { kernelMatrix, kernels } from "../kernel-functions/index.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { LinearSVC } from "../linear/linear-svc.js";
import { LogisticRegression } from "../linear/logistic-regression.js";
import { Perceptron } from "../linear/perceptron.js";
import { Ridge } from "../linear/ridge.js";
import { SVC } from "../svm/index.js";
import { KernelRowBlocks, perceptronEpochs } from "./dual-perceptron.js";
import {
  KernelFisherDiscriminant,
  KernelLogisticRegression,
  KernelPerceptron,
  KernelRidge,
  kernelize,
} from "./index.js";

const two = (y: readonly string[]) => y.map((label) => (label === "inner" ? "in" : "out"));
const weightsOf = (rows: number) => Float64Array.from({ length: rows }, (_, i) => 0.5 + (i % 4));

describe("kernelize", () => {
  const { x, y } = rings(150, 3, 1);
  const z = normals(40, 3, 2);

  it("of Ridge is KernelRidge", () => {
    const target = Float64Array.from({ length: 150 }, (_, i) => x.at(i, 0) ** 2);
    const kernel = kernels.rbf({ gamma: 0.3 });
    const model = kernelize(new Ridge({ alpha: 0.7 }), kernel).fit(x, target);
    const own = new KernelRidge({ kernel, alpha: 0.7, fitIntercept: true }).fit(x, target);
    expect(apart(model.predict(z), own.predict(z))).toBeLessThan(1e-9);
  });

  it("of LogisticRegression is KernelLogisticRegression", () => {
    const kernel = kernels.polynomial({ degree: 2 });
    const precisely = { tol: 1e-9, maxIter: 10_000 };
    const model = kernelize(new LogisticRegression(precisely), kernel).fit(x, y);
    const own = new KernelLogisticRegression({ kernel, ...precisely }).fit(x, y);
    expect(apart(model.predictProba(z).data, own.predictProba(z).data)).toBeLessThan(1e-8);
    expect(model.predict(z)).toEqual(own.predict(z));
  });

  it("of LinearSVC with hinge loss is SVC", () => {
    const kernel = kernels.rbf({ gamma: 0.3 });
    const linear = new LinearSVC({ loss: "hinge", fitIntercept: false, tol: 1e-9, maxIter: 100_000 });
    const model = kernelize(linear, kernels.sum(kernel, kernels.linear({ gamma: 1e-300, coef0: 1 }))).fit(
      x,
      two(y),
    );
    const own = new SVC({ kernel, bias: "kernel", tol: 1e-6 }).fit(x, two(y));
    // SVC keeps kernel values in 32 bits.
    expect(apart(model.decisionFunction(z).data, own.decisionFunction(z).data)).toBeLessThan(1e-4);
  });

  it("separates what no line separates", () => {
    expect(
      kernelize(new LogisticRegression({ C: 100 }))
        .fit(x, y)
        .score(x, y),
    ).toBeGreaterThan(0.95);
    expect(new LogisticRegression({ C: 100 }).fit(x, y).score(x, y)).toBeLessThan(0.7);
  });
});

describe("KernelLogisticRegression", () => {
  const { x, y } = rings(200, 4, 3);
  const z = normals(30, 4, 4);
  const precisely = { tol: 1e-9, maxIter: 10_000 };

  for (const labels of [y, two(y)]) {
    it(`is LogisticRegression with the linear kernel, for ${new Set(labels).size} classes`, () => {
      for (const fitIntercept of [true, false]) {
        const params = { ...precisely, C: 0.7, fitIntercept, classWeight: "balanced" as const };
        const options = { sampleWeight: weightsOf(200) };
        const own = new KernelLogisticRegression({ ...params, kernel: "linear" }).fit(x, labels, options);
        const linear = new LogisticRegression(params).fit(x, labels, options);
        expect(own.points.rows).toBe(4);
        expect(apart(own.predictProba(z).data, linear.predictProba(z).data)).toBeLessThan(1e-7);
        expect(apart(own.decisionFunction(z).data, linear.decisionFunction(z).data)).toBeLessThan(1e-6);
        expect(own.report.objective).toBeCloseTo(linear.report.objective, 8);
      }
    });
  }

  it("is where the gradient of C Σ log(1 + e^(−y f)) + ½ cᵀKc is 0", () => {
    const kernel = kernels.rbf({ gamma: 0.5 });
    const labels = two(y);
    const model = new KernelLogisticRegression({ kernel, C: 3, ...precisely }).fit(x, labels);
    const f = model.decisionFunction(x).data;
    const [b] = model.intercept;
    // At the minimum f − b = C Σ (t − p) k, with t = 1 for the second class.
    const slopes = Float64Array.from(
      labels,
      (label, i) => 3 * ((label === "out" ? 1 : 0) - 1 / (1 + Math.exp(-f[i]!))),
    );
    const K = kernelMatrix(kernel, x);
    const sums = Float64Array.from(labels, (_, i) =>
      K.row(i).reduce((sum, k, t) => sum + k * slopes[t]!, b!),
    );
    expect(apart(f, sums)).toBeLessThan(1e-6);
    expect(Math.abs(slopes.reduce((sum, s) => sum + s, 0))).toBeLessThan(1e-6);
    const loss = labels.reduce(
      (sum, label, i) => sum + Math.log1p(Math.exp(label === "out" ? -f[i]! : f[i]!)),
      0,
    );
    const size = slopes.reduce((sum, s, i) => sum + s * (f[i]! - b!), 0);
    expect(model.report.objective).toBeCloseTo(3 * loss + size / 2, 6);
  });

  it("shows its steps, and logarithms of probabilities that are their logarithms", () => {
    const steps = [...new KernelLogisticRegression().steps(x, y)];
    expect(steps.length).toBeGreaterThan(1);
    const last = steps.at(-1)!;
    expect(last.objective!).toBeLessThan(steps[0]!.objective!);
    const model = last.model();
    const logs = model.predictLogProba(z).data;
    expect(apart(logs.map(Math.exp), model.predictProba(z).data)).toBeLessThan(1e-12);
  });
});

describe("KernelFisherDiscriminant", () => {
  const { x, y } = rings(160, 3, 5);
  const z = normals(30, 3, 6);
  const absolute = (v: Float64Array) => v.map(Math.abs);

  for (const labels of [y, two(y)]) {
    it(`is LinearDiscriminantAnalysis with the linear kernel, for ${new Set(labels).size} classes`, () => {
      const options = { sampleWeight: weightsOf(160) };
      const pairs = [
        [{ shrinkage: 0 }, {}],
        [{ shrinkage: 0.3 }, { solver: "lsqr", shrinkage: 0.3 }],
      ] as const;
      for (const [own, twin] of pairs) {
        const model = new KernelFisherDiscriminant({ kernel: "linear", ...own }).fit(x, labels, options);
        const linear = new LinearDiscriminantAnalysis(twin as object).fit(x, labels, options);
        expect(apart(model.decisionFunction(z).data, linear.decisionFunction(z).data)).toBeLessThan(1e-9);
        expect(apart(model.predictProba(z).data, linear.predictProba(z).data)).toBeLessThan(1e-10);
        expect(apart(model.predictLogProba(z).data, linear.predictLogProba(z).data)).toBeLessThan(1e-9);
        // Signs of axes are not determined.
        expect(apart(absolute(model.transform(z).data), absolute(linear.transform(z).data))).toBeLessThan(
          1e-9,
        );
        expect(apart(model.explainedVarianceRatio, linear.explainedVarianceRatio)).toBeLessThan(1e-10);
      }
    });
  }

  it("separates rings, and puts the last class on the positive side of its first axis", () => {
    const model = new KernelFisherDiscriminant({ gamma: 0.5 }).fit(x, two(y));
    expect(model.score(x, two(y))).toBeGreaterThan(0.95);
    const axis = model.transform(x).data;
    const mean = (label: string) => {
      const own = axis.filter((_, i) => two(y)[i] === label);
      return own.reduce((sum, v) => sum + v, 0) / own.length;
    };
    expect(mean("out")).toBeGreaterThan(mean("in"));
  });

  it("says whose complaint it is", () => {
    const run = () => new KernelFisherDiscriminant().fit([[0], [1]], ["a", "b"]);
    expect(run).toThrow(/KernelFisherDiscriminant\.fit, LinearDiscriminantAnalysis\.fit: X must be/);
    expect(() => new KernelFisherDiscriminant({ nComponents: 5 }).fit(x, y)).toThrow(/nComponents/);
  });
});

describe("KernelPerceptron", () => {
  const { x, y } = rings(180, 4, 7);
  const z = normals(30, 4, 8);

  for (const labels of [y, two(y)]) {
    it(`makes the mistakes of Perceptron with the linear kernel, for ${new Set(labels).size} classes`, () => {
      for (const own of [
        {},
        { shuffle: false, fitIntercept: false },
        { eta0: 0.25, tol: 0, maxIter: 13, randomState: 4 },
      ]) {
        const params = { ...own, classWeight: { inner: 2, in: 2, out: 1, middle: 1, outer: 1 } };
        const fitting = pick(params, labels);
        const model = new KernelPerceptron({ ...fitting, kernel: "linear" }).fit(x, labels, {
          sampleWeight: weightsOf(180),
        });
        const linear = new Perceptron(fitting).fit(x, labels, { sampleWeight: weightsOf(180) });
        const scale = 1 + linear.coef.data.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
        expect(apart(model.decisionFunction(z).data, linear.decisionFunction(z).data) / scale).toBeLessThan(
          1e-11,
        );
        expect(model.report.iterations).toBe(linear.report.iterations);
        expect(model.report.converged).toBe(linear.report.converged);
        expect(model.report.objective / linear.report.objective).toBeCloseTo(1, 9);
      }
    });
  }

  it("counts mistakes: c = η s y m", () => {
    const labels = two(y);
    const model = new KernelPerceptron({ eta0: 0.5, gamma: 0.5 }).fit(x, labels);
    const [counts] = model.mistakes;
    expect(counts!.every((m) => m > 0)).toBe(true);
    const expected = Float64Array.from(
      model.rows,
      (i, s) => (labels[i] === "out" ? 0.5 : -0.5) * counts![s]!,
    );
    expect(apart(model.dualCoef.data, expected)).toBe(0);
  });

  it("ends without mistakes where the kernel separates", () => {
    const model = new KernelPerceptron({ gamma: 2, tol: 0, maxIter: 200 }).fit(x, y);
    expect(model.score(x, y)).toBe(1);
    expect(model.report.objective).toBe(0);
  });

  it("takes kernels that are not inner products: its margins are Σ c k + b", () => {
    for (const kernel of [kernels.sigmoid({ gamma: 0.1 }), kernels.multiquadric(), kernels.thinPlate()]) {
      const model = new KernelPerceptron({ kernel, maxIter: 20 }).fit(x, two(y));
      const [b] = model.intercept;
      const c = model.dualCoef.data;
      const expected = Float64Array.from({ length: 30 }, (_, i) =>
        kernelMatrix(kernel, z, x.selectRows(model.rows))
          .row(i)
          .reduce((sum, k, t) => sum + k * c[t]!, b!),
      );
      const scale = expected.reduce((most, v) => Math.max(most, Math.abs(v)), 1);
      expect(apart(model.decisionFunction(z).data, expected) / scale).toBeLessThan(1e-12);
    }
  });

  it("makes the same mistakes when the kernel matrix is not kept", () => {
    const { x, y } = rings(600, 2, 11);
    const signs = Float64Array.from(y, (label) => (label === "inner" ? 1 : -1));
    const training = trainingRows("test", kernels.rbf(), { x }, undefined);
    const { params } = new KernelPerceptron({ maxIter: 4 });
    const run = (blocks: KernelRowBlocks) => {
      const epochs = perceptronEpochs(blocks, signs, undefined, params);
      for (;;) {
        const step = epochs.next();
        if (step.done) return step.value;
      }
    };
    expect(run(new KernelRowBlocks("test", training, 0))).toEqual(run(new KernelRowBlocks("test", training)));
  });

  it("shows its epochs, class by class", () => {
    const steps = [...new KernelPerceptron({ tol: 0, maxIter: 3 }).steps(x, y)];
    expect(steps.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect(steps[0]!.model().mistakes[2]!.every((m) => m === 0)).toBe(true);
    expect(steps[8]!.model().predict(z)).toEqual(
      new KernelPerceptron({ tol: 0, maxIter: 3 }).fit(x, y).predict(z),
    );
  });
});

/** Class weights for the classes there are. */
function pick<P extends { classWeight: Record<string, number> }>(params: P, labels: readonly string[]): P {
  const classWeight = Object.fromEntries(
    Object.entries(params.classWeight).filter(([label]) => labels.includes(label)),
  );
  return { ...params, classWeight };
}

describe("kernelMatrix", () => {
  it("is symmetric where there is one matrix, and has a row for each of X where there are two", () => {
    const x = normals(70, 3, 9);
    const z = normals(20, 3, 10);
    const value = (a: Float64Array, b: Float64Array) =>
      (0.5 * a.reduce((sum, v, j) => sum + v * b[j]!, 0) + 1) ** 3;
    const own = kernelMatrix(kernels.polynomial({ gamma: 0.5 }), x);
    const outside = kernelMatrix(value, x);
    expect(apart(own.data, outside.data)).toBeLessThan(1e-11);
    expect(apart(own.transpose().data, own.data)).toBe(0);
    const block = kernelMatrix(kernels.polynomial({ gamma: 0.5 }), x, z);
    expect(block.shape).toEqual([70, 20]);
    expect(apart(block.data, kernelMatrix(value, x, z).data)).toBeLessThan(1e-11);
  });

  it("refuses what is not a kernel of rows", () => {
    expect(() => kernelMatrix("precomputed" as never, [[1]])).toThrow(/a kernel of rows/);
    expect(() => kernelMatrix("cosine" as never, [[1]])).toThrow(/kernelMatrix: kernel must be/);
    expect(() => kernelMatrix("rbf", [[1]], [[1, 2]])).toThrow(/1 column/);
  });
});
