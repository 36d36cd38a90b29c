import { describe, expect, it } from "vitest";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { makeBlobs, makeCircles } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { kernels } from "../kernel-functions/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { SVC, SVR } from "./index.js";

const twoMoonsOfIris = async () => {
  const { X, y } = await loadDataset("iris");
  const rows = Int32Array.from(y.keys()).filter((i) => y[i] !== "setosa");
  return { X: X.selectRows(rows), y: Array.from(rows, (i) => y[i]!) };
};

/** k(x, y) = e^(−‖x − y‖²/2), by hand. */
const gaussian = (x: Float64Array, y: Float64Array) =>
  Math.exp(-0.5 * x.reduce((sum, v, j) => sum + (v - y[j]!) ** 2, 0));

const gramOf = (a: Matrix, b: Matrix) =>
  new Matrix(
    Float64Array.from({ length: a.rows * b.rows }, (_, e) =>
      gaussian(a.row(Math.floor(e / b.rows)), b.row(e % b.rows)),
    ),
    a.rows,
    b.rows,
  );

// Kernel values are kept in 32 bits: two machines whose values were rounded from different last digits differ by that.
const digits = 4;

describe("a kernel of one's own", () => {
  it("given as a function, or as its matrix, learns what the named one learns", async () => {
    const { X, y } = await loadDataset("iris");
    const named = new SVC({ gamma: 0.5, tol: 1e-6 }).fit(X, y);
    const own = new SVC({ kernel: gaussian, tol: 1e-6 }).fit(X, y);
    const matrix = new SVC({ kernel: "precomputed", tol: 1e-6 }).fit(gramOf(X, X), y);
    const expected = named.decisionFunction(X).data;
    const [a, b] = [own.decisionFunction(X).data, matrix.decisionFunction(gramOf(X, X)).data];
    for (let e = 0; e < expected.length; e++) {
      expect(a[e]).toBeCloseTo(expected[e]!, digits);
      expect(b[e]).toBeCloseTo(expected[e]!, digits);
    }
    expect(matrix.nFeatures).toBe(150);
    expect(matrix.support).toEqual(named.support);
  });

  it("as a matrix learns without rows of weight 0, and is saved", async () => {
    const { X, y } = await loadDataset("iris");
    const sampleWeight = y.map((_, i) => (i % 7 === 0 ? 0 : 1));
    const kept = Int32Array.from(y.keys()).filter((i) => i % 7 !== 0);
    const model = new SVC({ kernel: "precomputed" }).fit(gramOf(X, X), y, { sampleWeight });
    const few = new SVC({ kernel: "rbf", gamma: 0.5 }).fit(
      X.selectRows(kept),
      Array.from(kept, (i) => y[i]!),
    );
    expect(model.predict(gramOf(X, X))).toEqual(few.predict(X));
    expect(model.support).toEqual(few.support.map((i) => kept[i]!));
    const again = loadModel(saveModel(model));
    expect((again as typeof model).predict(gramOf(X, X))).toEqual(model.predict(gramOf(X, X)));
  });

  it("takes part in sums and products", async () => {
    const { X, y } = await loadDataset("iris");
    const both = new SVC({ kernel: kernels.sum(kernels.custom(gaussian), kernels.linear()) }).fit(X, y);
    const named = new SVC({ kernel: kernels.sum(kernels.rbf({ gamma: 0.5 }), kernels.linear()) }).fit(X, y);
    expect(both.predict(X)).toEqual(named.predict(X));
  });

  it("says what is wrong with a matrix, a value, a file", async () => {
    const { X, y } = await loadDataset("iris");
    expect(() => new SVC({ kernel: "precomputed" }).fit(X, y)).toThrow(ShapeError);
    const lopsided = gramOf(X, X);
    lopsided.data[3] = 7;
    expect(() => new SVC({ kernel: "precomputed" }).fit(lopsided, y)).toThrow(/symmetric/);
    expect(() => new SVC({ kernel: () => Number.NaN }).fit(X, y)).toThrow(DataError);
    expect(() => saveModel(new SVC({ kernel: gaussian }).fit(X, y))).toThrow(/functions cannot be saved/);
    expect(() => kernels.sum()).toThrow(ParameterError);
    expect(() => kernels.product(kernels.precomputed(), kernels.rbf())).toThrow(/product of the matrices/);
    expect(() => kernels.rbf({ gamma: -1 })).toThrow(ParameterError);
  });
});

describe("sums and products of kernels", () => {
  it("are sums and products of their values, however nested", () => {
    const random = new Random(5);
    const X = new Matrix(
      Float64Array.from({ length: 60 * 3 }, () => random.normal()),
      60,
      3,
    );
    const y = Array.from({ length: 60 }, (_, i) => (X.at(i, 0) * X.at(i, 1) > 0 ? 1 : 0));
    const nested = kernels.product(
      kernels.sum(kernels.rbf({ gamma: 0.3 }), kernels.linear({ gamma: 0.5, coef0: 1 })),
      kernels.sum(
        kernels.polynomial({ gamma: 1, degree: 2 }),
        kernels.product(kernels.laplacian({ sigma: 2 })),
      ),
    );
    const byHand = kernels.custom((a, b) => {
      const dot = a.reduce((sum, v, j) => sum + v * b[j]!, 0);
      const square = a.reduce((sum, v, j) => sum + (v - b[j]!) ** 2, 0);
      return (Math.exp(-0.3 * square) + 0.5 * dot + 1) * ((dot + 1) ** 2 + Math.exp(-Math.sqrt(square) / 2));
    });
    const [a, b] = [nested, byHand].map((kernel) => new SVC({ kernel, tol: 1e-6 }).fit(X, y));
    const [f, g] = [a!.decisionFunction(X).data, b!.decisionFunction(X).data];
    for (let i = 0; i < 60; i++) expect(f[i]).toBeCloseTo(g[i]!, 3);
    expect(nested.positiveDefinite).toBe(true);
    expect(loadModel(saveModel(a!))).toBeInstanceOf(a!.constructor);
    // From its JSON it is the same estimator.
    const described = JSON.parse(JSON.stringify(new SVC({ kernel: nested }))) as { params: object };
    expect(JSON.stringify(new SVC(described.params))).toBe(JSON.stringify(new SVC({ kernel: nested })));
  });

  it("know whether they are positive definite", () => {
    expect(kernels.sum(kernels.rbf(), kernels.sigmoid()).positiveDefinite).toBe(false);
    expect(kernels.product(kernels.rbf(), kernels.custom(gaussian)).positiveDefinite).toBe("unknown");
    expect(kernels.polynomial({ coef0: -1 }).positiveDefinite).toBe(false);
    const { X, y } = makeCircles({ nSamples: 40, noise: 0.1 });
    expect(new SVC({ kernel: "sigmoid" }).fit(X, y).report.warnings.join()).toMatch(/not positive definite/);
    expect(new SVC({ kernel: "rbf" }).fit(X, y).report.warnings).toEqual([]);
    expect(() => new SVC({ kernel: "sigmoid", C: Infinity })).toThrow(/positive definite/);
  });
});

describe("a hard margin", () => {
  it("leaves no row inside it, and is where a large C ends", () => {
    const { X, y } = makeBlobs({ nSamples: 60, centers: 2, clusterStd: 0.8, randomState: 3 });
    const hard = new SVC({ kernel: "linear", C: Infinity, tol: 1e-6 }).fit(X, y);
    const large = new SVC({ kernel: "linear", C: 1e6, tol: 1e-6 }).fit(X, y);
    const { functional } = hard.margins(X, y);
    // Up to the tolerance of the solver and 32-bit kernel values.
    expect(Math.min(...functional)).toBeCloseTo(1, 3);
    expect(hard.marginWidths[0]).toBeCloseTo(large.marginWidths[0]!, 3);
    expect(hard.report.converged).toBe(true);
    expect(hard.support.length).toBeLessThan(6);
  });

  it("is refused where rows cannot be separated", async () => {
    const { X, y } = await twoMoonsOfIris();
    expect(() => new SVC({ kernel: "linear", C: Infinity }).fit(X, y)).toThrow(/Set a finite C/);
    const same = [
      [0, 0],
      [1, 1],
      [0, 0],
      [3, 3],
    ];
    expect(() => new SVC({ C: Infinity }).fit(same, ["a", "a", "b", "b"])).toThrow(DataError);
  });
});

describe("the bias inside the kernel", () => {
  it("is the machine of 1 + k without Σ yα = 0", () => {
    const { X, y } = makeCircles({ nSamples: 120, noise: 0.15, factor: 0.5, randomState: 1 });
    const [C, tol] = [1, 1e-6];
    const model = new SVC({ C, tol, bias: "kernel", gamma: 0.8 }).fit(X, y);
    const signs = Float64Array.from(y, (label) => (label === model.classes[1] ? 1 : -1));
    const alpha = new Float64Array(120);
    for (const [s, i] of model.support.entries()) alpha[i] = model.dualCoef.at(0, s) * signs[i]!;
    // b = Σ y α, and every α fits its row's margin, b being part of it.
    expect(model.intercept[0]).toBeCloseTo(
      alpha.reduce((sum, a, i) => sum + a * signs[i]!, 0),
      12,
    );
    const f = model.decisionFunction(X).data;
    for (let i = 0; i < 120; i++) {
      const margin = signs[i]! * f[i]!;
      if (alpha[i]! < 1e-9) expect(margin).toBeGreaterThan(1 - 1e-4);
      else if (alpha[i]! > C - 1e-9) expect(margin).toBeLessThan(1 + 1e-4);
      else expect(margin).toBeCloseTo(1, 3);
    }
    const own = new SVC({
      C,
      tol,
      bias: "kernel",
      kernel: (a, b) => Math.exp(-0.8 * ((a[0]! - b[0]!) ** 2 + (a[1]! - b[1]!) ** 2)),
    });
    const g = own.fit(X, y).decisionFunction(X).data;
    for (let i = 0; i < 120; i++) expect(g[i]).toBeCloseTo(f[i]!, digits);
  });

  it("regresses too", async () => {
    const { X, y } = await loadDataset("diabetes");
    const [separate, inside] = (["separate", "kernel"] as const).map((bias) =>
      new SVR({ C: 1000, bias, tol: 1e-2 }).fit(X, y).score(X, y),
    );
    expect(inside).toBeGreaterThan(separate! - 0.05);
  });
});

describe("sparse rows", () => {
  it("of many columns learn what dense ones learn, and are saved as they are", () => {
    const random = new Random(9);
    const dense = Matrix.zeros(150, 400);
    for (let i = 0; i < 150; i++) {
      for (let e = 0; e < 8; e++) dense.data[i * 400 + Math.floor(random.uniform() * 400)] = random.normal();
    }
    const y = Array.from({ length: 150 }, (_, i) => ["a", "b", "c"][i % 3]!);
    const sparse = CsrMatrix.fromDense(dense);
    for (const kernel of ["rbf", "linear", "poly"] as const) {
      const [a, b] = [dense, sparse].map((x) => new SVC({ kernel, coef0: 1, C: 10, tol: 1e-6 }).fit(x, y));
      expect(b!.supportVectors).toBeInstanceOf(CsrMatrix);
      const expected = a!.decisionFunction(dense).data;
      for (const x of [dense, sparse]) {
        const f = b!.decisionFunction(x).data;
        for (let e = 0; e < f.length; e++) expect(f[e]).toBeCloseTo(expected[e]!, digits);
      }
      const again = loadModel(saveModel(b!)) as typeof b;
      expect(again!.decisionFunction(sparse)).toEqual(b!.decisionFunction(sparse));
    }
    const target = Float64Array.from(y, (label) => label.charCodeAt(0));
    const [r, s] = [dense, sparse].map((x) => new SVR({ tol: 1e-6 }).fit(x, target).predict(x));
    for (let i = 0; i < 150; i++) expect(s![i]).toBeCloseTo(r![i]!, digits);
  });
});

describe("steps", () => {
  it("show the machine on its way, and end where fit ends", () => {
    const { X, y } = makeCircles({ nSamples: 200, noise: 0.2, randomState: 2 });
    const steps = new SVC().steps(X, y);
    const seen: number[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) seen.push(step.value.model().report.objective);
    expect(seen.length).toBeGreaterThan(5);
    for (let e = 1; e < seen.length; e++) expect(seen[e]!).toBeLessThanOrEqual(seen[e - 1]! + 1e-9);
    expect(saveModel(step.value)).toEqual(saveModel(new SVC().fit(X, y)));
    const regression = new SVR().steps(
      X,
      X.data.filter((_, e) => e % 2 === 0),
    );
    expect(regression.next().done).toBe(false);
  });

  it("obey a signal", () => {
    const { X, y } = makeCircles({ nSamples: 3000, noise: 0.5, randomState: 2 });
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    expect(() => new SVC({ C: 1000, tol: 1e-6 }).fit(X, y, options)).toThrow(AbortError);
  });
});

describe("the report", () => {
  it("has a duality gap that closes with the tolerance", () => {
    const { X, y } = makeCircles({ nSamples: 300, noise: 0.3, randomState: 4 });
    const gaps = [1e-1, 1e-3, 1e-6].map((tol) => new SVC({ tol, C: 5 }).fit(X, y).report);
    for (const { dualityGap, objective } of gaps) expect(dualityGap! / -objective).toBeLessThan(0.2);
    expect(gaps[2]!.dualityGap!).toBeLessThan(1e-5 * -gaps[2]!.objective);
    expect(gaps[0]!.dualityGap!).toBeGreaterThan(gaps[2]!.dualityGap!);
    const target = X.data.filter((_, e) => e % 2 === 0).map((v) => v * v);
    const { dualityGap, objective } = new SVR({ tol: 1e-6, epsilon: 0.01 }).fit(X, target).report;
    expect(dualityGap! / Math.abs(objective)).toBeLessThan(1e-5);
  });
});

describe("the linear kernel with many rows", () => {
  it("starts from the interior and ends where pairs end", () => {
    const { X, y } = makeBlobs({ nSamples: 700, centers: 2, nFeatures: 4, clusterStd: 4, randomState: 8 });
    const tol = 1e-5;
    const linear = new SVC({ kernel: "linear", tol }).fit(X, y);
    // A kernel that only its formula tells from the linear one goes through pairs.
    const pairs = new SVC({ kernel: kernels.polynomial({ degree: 1, gamma: 1, coef0: 0 }), tol }).fit(X, y);
    expect(linear.report.iterations).toBeLessThan(pairs.report.iterations);
    expect(linear.report.converged && pairs.report.converged).toBe(true);
    expect(linear.report.objective).toBeCloseTo(pairs.report.objective, 3);
    const [f, g] = [linear, pairs].map((model) => model.decisionFunction(X).data);
    for (let i = 0; i < 700; i++) expect(f![i]).toBeCloseTo(g![i]!, 3);
    const target = X.data.filter((_, e) => e % 4 === 0).map((v, i) => v + (i % 5));
    const lines = [kernels.linear(), kernels.polynomial({ degree: 1, gamma: 1, coef0: 0 })].map((kernel) =>
      new SVR({ kernel, tol, epsilon: 0.5 }).fit(X, target).predict(X),
    );
    for (let i = 0; i < 700; i++) expect(lines[0]![i]).toBeCloseTo(lines[1]![i]!, 3);
  });
});
