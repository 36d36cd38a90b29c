import { describe, expect, it } from "vitest";
import { corners } from "../../test/support/corners.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { heap } from "../numeric/runtime/heap.js";
import { assumeCores, setThreads } from "../numeric/runtime/threads.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { MLPClassifier } from "./mlp-classifier.js";
import { MLPRegressor } from "./mlp-regressor.js";

const xorLabels = ["no", "yes", "yes", "no"] as const;

/** Three classes on rings around the origin. */
function rings(n: number, seed = 1) {
  const random = new Random(seed);
  const y: string[] = [];
  const X = Array.from({ length: n }, () => {
    const ring = random.below(3);
    y.push(["inner", "middle", "outer"][ring]!);
    const angle = 2 * Math.PI * random.uniform();
    const radius = ring + 0.5 + 0.15 * random.normal();
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return { X, y };
}

describe("MLPClassifier", () => {
  it("learns XOR from many random starts", () => {
    let solved = 0;
    for (let randomState = 0; randomState < 20; randomState++) {
      const model = new MLPClassifier({
        hiddenLayerSizes: [8],
        activation: "tanh",
        solver: "lbfgs",
        alpha: 0,
        randomState,
      }).fit(corners, xorLabels);
      if (model.score(corners, xorLabels) === 1) solved++;
    }
    // Some starts end in a local minimum; with eight hidden neurons few do.
    expect(solved).toBeGreaterThanOrEqual(18);
  });

  it("separates what no line separates, in all three of its solvers", () => {
    const { X, y } = rings(600);
    const far = rings(300, 2);
    for (const solver of ["adam", "sgd", "lbfgs"] as const) {
      const rate = solver === "sgd" ? 0.1 : 0.01;
      const model = new MLPClassifier({ hiddenLayerSizes: [32], solver, learningRateInit: rate }).fit(X, y);
      expect(model.score(far.X, far.y), solver).toBeGreaterThan(0.97);
    }
  });

  it("goes on from the model of a step as if it had not stopped, bit for bit, also after it was saved", () => {
    const { X, y } = rings(150);
    for (const params of [
      { hiddenLayerSizes: [6], maxIter: 12, batchSize: 20 },
      {
        hiddenLayerSizes: [6],
        maxIter: 12,
        solver: "sgd",
        learningRate: "adaptive",
        nIterNoChange: 1,
        tol: 0.05,
      },
      { hiddenLayerSizes: [6], maxIter: 12, earlyStopping: true, validationFraction: 0.2 },
    ] as const) {
      const estimator = new MLPClassifier(params);
      const whole = estimator.fit(X, y);
      const steps = estimator.steps(X, y);
      for (let epoch = 1; epoch < 5; epoch++) steps.next();
      const fifth = steps.next().value;
      if (!("model" in fifth)) throw new Error("ended early");
      const checkpoint = loadModel(saveModel(fifth.model()));
      steps.return(undefined as never);
      const resumed = estimator.fit(X, y, { resume: checkpoint as never });
      expect(saveModel(resumed)).toEqual(saveModel(whole));
    }
  });

  it("reports divergence with its step and what to do, and keeps finite weights", () => {
    const { X, y } = rings(100);
    const huge = X.map((row) => row.map((value) => 1e18 * value));
    const model = new MLPClassifier({ solver: "sgd", learningRateInit: 1e10, maxIter: 5 }).fit(huge, y);
    expect(model.report.converged).toBe(false);
    expect(model.report.warnings[0]).toMatch(/^Diverged in epoch 2, step 2: .* Lower the learning rate/);
    for (const { data } of model.coefs) expect(data.every(Number.isFinite)).toBe(true);
    expect(model.predict(X)).toHaveLength(100);
  });

  it("stops early on held-out rows and has the weights of the best epoch", () => {
    const { X, y } = rings(300);
    const model = new MLPClassifier({ earlyStopping: true, learningRateInit: 0.05, maxIter: 500 }).fit(X, y);
    expect(model.report.converged).toBe(true);
    expect(model.validationScores.length).toBe(model.lossCurve.length);
    expect(model.validationScores.length).toBeLessThan(500);
    const best = Math.max(...model.validationScores);
    expect(best).toBeGreaterThan(0.9);
    // The last ten epochs were no better than the best one.
    expect(model.validationScores.slice(-10).every((score) => score <= best)).toBe(true);
  });

  it("gives the same bits with one thread and with four, and from 32-bit rows", () => {
    const random = new Random(3);
    const data = Float32Array.from({ length: 2000 * 300 }, () => random.normal());
    const y = Array.from({ length: 2000 }, (_, i) => (data[i * 300]! + data[i * 300 + 1]! > 0 ? 1 : 0));
    const estimator = new MLPClassifier({ hiddenLayerSizes: [100], maxIter: 3 });
    const bytes: Uint8Array[] = [];
    try {
      for (const threads of [1, 4]) {
        assumeCores(threads);
        setThreads(threads);
        bytes.push(saveModel(estimator.fit(new Matrix(data, 2000, 300), y)));
      }
    } finally {
      assumeCores(undefined);
    }
    const wide = new Matrix(Float64Array.from(data), 2000, 300);
    bytes.push(saveModel(estimator.fit(wide, y)));
    expect(bytes[1]).toEqual(bytes[0]);
    expect(bytes[2]).toEqual(bytes[0]);
  });

  it("learns the same from sparse rows as from dense ones, and computes on them as they are", () => {
    const random = new Random(5);
    const X = Matrix.fromRows(
      Array.from({ length: 80 }, () =>
        Array.from({ length: 30 }, () => (random.uniform() < 0.2 ? random.normal() : 0)),
      ),
    );
    const y = X.toArray().map((row) => (row.reduce((sum, value) => sum + value) > 0 ? "up" : "down"));
    const estimator = new MLPClassifier({ hiddenLayerSizes: [10], maxIter: 10 });
    const dense = estimator.fit(X, y);
    const sparse = estimator.fit(CsrMatrix.fromDense(X), y);
    const [ours, expected] = [sparse.predictProba(CsrMatrix.fromDense(X)).data, dense.predictProba(X).data];
    // Products of 32 bits in another order of summation, ten steps.
    for (const [e, p] of expected.entries()) expect(Math.abs(ours[e]! - p)).toBeLessThan(1e-5);
  });

  it("keeps its memory flat over ten thousand steps, and gives it back", () => {
    const { X, y } = rings(50);
    const before = heap().bytesInUse;
    const steps = new MLPClassifier({ batchSize: 7, maxIter: 1250, tol: 0, nIterNoChange: 2000 }).steps(X, y);
    let reserved = 0;
    for (let epoch = 0; epoch < 1250; epoch++) {
      steps.next();
      if (epoch === 2) reserved = heap().bytesReserved;
    }
    expect(heap().bytesReserved).toBe(reserved);
    steps.return(undefined as never);
    expect(heap().bytesInUse).toBeLessThanOrEqual(before);
  });

  it("continues with new rows by partialFit, and knows all classes from the first call", () => {
    const { X, y } = rings(400);
    const estimator = new MLPClassifier({ hiddenLayerSizes: [32], learningRateInit: 0.02 });
    let model = estimator.partialFit(null, X.slice(0, 50), y.slice(0, 50), {
      classes: ["inner", "middle", "outer"],
    });
    for (let round = 0; round < 40; round++)
      for (let from = 0; from < 400; from += 50)
        model = estimator.partialFit(model, X.slice(from, from + 50), y.slice(from, from + 50));
    expect(model.score(X, y)).toBeGreaterThan(0.95);
    expect(model.training.step).toBe(1 + 40 * 8);
    expect(() => new MLPClassifier({ solver: "lbfgs" }).partialFit(null, X, y)).toThrow(
      "MLPClassifier.partialFit: solver must be adam or sgd in partialFit",
    );
  });

  it("starts from given weights, and refuses those of another network", () => {
    const start = {
      coefs: [
        [
          [1, -1],
          [1, -1],
        ],
        [[1], [1]],
      ],
      intercepts: [[-0.5, 1.5], [-1.5]],
    };
    const estimator = new MLPClassifier({ hiddenLayerSizes: [2], maxIter: 1, learningRateInit: 1e-12 });
    const model = estimator.fit(corners, xorLabels, { start });
    expect(Array.from(model.coefs[0]!.data)).toEqual([1, -1, 1, -1]);
    const wrong = { ...start, coefs: [start.coefs[0]!, [[1], [1], [1]]] };
    expect(() => estimator.fit(corners, xorLabels, { start: wrong })).toThrow(
      "start of 1.weights must be 2 × 1, got 3 × 1",
    );
  });

  it("shows what is inside: a summary, weights by name and the output of every layer", () => {
    const model = new MLPClassifier({ hiddenLayerSizes: [3], maxIter: 2 }).fit(corners, xorLabels);
    expect(model.summary.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim())).toEqual([
      "layer output parameters",
      "input 2",
      "0 dense 3 9",
      "1 dense 1 4",
      "total 13",
    ]);
    expect([...model.weights.keys()]).toEqual(["0.weights", "0.bias", "1.weights", "1.bias"]);
    const activations = model.activations(corners);
    expect(activations.get("0")!.shape).toEqual([4, 3]);
    expect(activations.get("0")!.data.every((value) => value >= 0)).toBe(true);
    expect(activations.get("1")!.shape).toEqual([4, 1]);
  });

  it("weighs classes: a heavy class wins where the two overlap", () => {
    const X = Array.from({ length: 100 }, (_, i) => [i % 10]);
    const y = X.map((_, i) => (i < 50 ? "a" : "b"));
    const params = { hiddenLayerSizes: [4], maxIter: 50, learningRateInit: 0.05 };
    const model = new MLPClassifier({ ...params, classWeight: { a: 1, b: 5 } }).fit(X, y);
    expect(new Set(model.predict(X))).toEqual(new Set(["b"]));
    expect(model.predictProba([[5]]).at(0, 1)).toBeCloseTo(5 / 6, 1);
  });

  it("refuses early stopping where nothing would be stopped", () => {
    expect(() => new MLPClassifier({ solver: "lbfgs", earlyStopping: true })).toThrow(
      'earlyStopping must be false with solver "lbfgs", which has no epochs, got true',
    );
  });
});

describe("MLPRegressor", () => {
  it("by L-BFGS adds up the blocks of many rows: the same minimum as of the rows with a weight", () => {
    const X = Array.from({ length: 200 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
    const y = X.map(([a, b]) => a! * b! + a!);
    const many = Array.from({ length: 25 }, () => X).flat();
    const targets = Array.from({ length: 25 }, () => y).flat();
    const estimator = new MLPRegressor({
      hiddenLayerSizes: [3],
      activation: "tanh",
      solver: "lbfgs",
      alpha: 1,
      maxIter: 20,
    });
    const whole = estimator.fit(many, targets);
    const weighted = estimator.fit(X, y, { sampleWeight: X.map(() => 25) });
    // Twenty iterations in which only the rounding of the sums differs.
    expect(whole.report.objective).toBeCloseTo(weighted.report.objective, 9);
  });

  it("fits a curve", () => {
    const X = Array.from({ length: 200 }, (_, i) => [i / 100 - 1]);
    const y = X.map(([x]) => Math.sin(3 * x!));
    const model = new MLPRegressor({ hiddenLayerSizes: [20, 20], solver: "lbfgs", maxIter: 500 }).fit(X, y);
    expect(model.score(X, y)).toBeGreaterThan(0.999);
  });

  it("answers for rows far outside in 64 bits where 32 bits overflow", () => {
    const X = Array.from({ length: 50 }, (_, i) => [i / 50]);
    const y = X.map(([x]) => 2 * x!);
    const model = new MLPRegressor({ hiddenLayerSizes: [10], maxIter: 300, learningRateInit: 0.01 }).fit(
      X,
      y,
    );
    const [far] = model.predict([[1e38]]);
    expect(Number.isFinite(far)).toBe(true);
    expect(far! / 1e38).toBeCloseTo(model.predict([[1e6]])[0]! / 1e6, 3);
  });
});
