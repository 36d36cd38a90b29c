import { describe, expect, it } from "vitest";
import { FormatError } from "../../core/errors.js";
import { pow } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import type { Json } from "../../core/state/state.js";
import { Table } from "../../data/table/table.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import {
  batchNorm,
  conv2d,
  dense,
  flatten,
  MLPClassifier,
  MLPRegressor,
  NeuralClassifier,
  TransformerClassifier,
} from "../index.js";
import { lbfgs, sgd } from "./optimizers.js";

const random = new Random(5);
const X = Array.from({ length: 60 }, () => [random.normal(), random.normal(), random.normal()]);
const y = X.map(([a, b]) => (a! > 0.3 ? "p" : b! > 0 ? "q" : "r"));

describe("training that goes on", () => {
  it("changes the model also where the earlier training kept its best weights", () => {
    const before = new MLPClassifier({ maxIter: 3, earlyStopping: true }).fit(X, y);
    const after = new MLPClassifier({ maxIter: 150, learningRateInit: 0.01 }).fit(X, y, { resume: before });
    expect(after.score(X, y)).toBeGreaterThan(0.95);
    expect(after.training.best).toBeUndefined();
    expect(after.validationScores).toEqual([]);
  });

  it("finds a table's columns by the names of the model", () => {
    const columns = { a: X.map((row) => row[0]!), b: X.map((row) => row[1]!), c: X.map((row) => row[2]!) };
    const [one, other] = [Table.fromColumns(columns), Table.fromColumns(columns).select(["c", "a", "b"])];
    for (const estimator of [MLPClassifier, NeuralClassifier]) {
      const begun = new estimator({ maxIter: 2 }).fit(one, y);
      const [first, second] = [one, other].map((x) =>
        new estimator({ maxIter: 4 }).fit(x, y, { resume: begun as never }),
      );
      expect(second!.featureNamesIn).toEqual(["a", "b", "c"]);
      expect(second!.predictProba(one).data).toEqual(first!.predictProba(one).data);
    }
    const numbers = X.map(([a, b]) => a! - b!);
    const begun = new MLPRegressor({ maxIter: 2 }).fit(one, numbers);
    const [first, second] = [one, other].map((x) =>
      new MLPRegressor({ maxIter: 4 }).fit(x, numbers, { resume: begun }),
    );
    expect(second!.predict(one)).toEqual(first!.predict(one));
  });

  it("refuses labels of other classes", () => {
    const other = y.map((label) => (label === "p" ? "z" : label));
    for (const estimator of [MLPClassifier, NeuralClassifier]) {
      const begun = new estimator({ maxIter: 1 }).fit(X, y);
      expect(() => new estimator({ maxIter: 2 }).fit(X, other, { resume: begun as never })).toThrow(
        'y must be labels of the classes of the model to resume, ["p", "q", "r"], got ["q", "r", "z"].',
      );
    }
  });
});

describe("invscaling", () => {
  const still = { hiddenLayerSizes: [4], solver: "sgd", momentum: 0, shuffle: false } as const;
  const falling = new MLPClassifier({ ...still, learningRate: "invscaling", learningRateInit: 0.1 });
  const after = (rows: number) =>
    new MLPClassifier({ ...still, learningRateInit: 0.1 * (1 / pow(rows + 1, 0.5)) });

  it("counts the rows that partialFit has seen", () => {
    const first = falling.partialFit(null, X.slice(0, 10), y.slice(0, 10), { classes: ["p", "q", "r"] });
    const second = falling.partialFit(first, X.slice(10, 50), y.slice(10, 50));
    expect(second.coefs).toEqual(after(10).partialFit(first, X.slice(10, 50), y.slice(10, 50)).coefs);
    const saved = loadModel(saveModel(second), MLPClassifier) as typeof second;
    const third = falling.partialFit(saved, X, y);
    expect(third.coefs).toEqual(after(50).partialFit(second, X, y).coefs);
    expect(third.training.samples).toBe(110);
  });

  it("takes epochs of this many rows for those of a state without a count", () => {
    const begun = falling.partialFit(falling.partialFit(null, X, y), X, y);
    const state = begun.toState();
    const { samples, ...training } = state.values["training"] as Record<string, Json>;
    expect(samples).toBe(120);
    const uncounted = MLPClassifier.restore({ ...state, values: { ...state.values, training: training! } });
    const next = falling.partialFit(uncounted as typeof begun, X, y);
    expect(saveModel(next)).toEqual(saveModel(falling.partialFit(begun, X, y)));
    expect(saveModel(loadModel(saveModel(uncounted)))).toEqual(saveModel(uncounted));
  });
});

describe("the objective of the report", () => {
  const params = { hiddenLayerSizes: [20], learningRateInit: 0.05, nIterNoChange: 4 };
  const bestEpoch = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));

  it("is the loss of the epoch whose weights early stopping keeps", () => {
    const { report, lossCurve, validationScores } = new MLPClassifier({
      ...params,
      earlyStopping: true,
    }).fit(X, y);
    const best = bestEpoch(validationScores);
    expect(best).toBeLessThan(lossCurve.length - 1);
    expect(report.objective).toBe(lossCurve[best]);
  });

  it("also where only the later epochs were watched", () => {
    const begun = new MLPClassifier({ ...params, maxIter: 3 }).fit(X, y);
    expect(begun.report.objective).toBe(begun.lossCurve.at(-1));
    const watching = new MLPClassifier({ ...params, earlyStopping: true });
    const { report, lossCurve, validationScores } = watching.fit(X, y, { resume: begun });
    expect(lossCurve.length).toBe(validationScores.length + 3);
    expect(report.objective).toBe(lossCurve[3 + bestEpoch(validationScores)]);
  });
});

describe("a step of fit", () => {
  it("gives its model until the next epoch begins, and no other one afterwards", () => {
    const steps: { model?: () => { report: { iterations: number } } }[] = [];
    const seen: number[] = [];
    const onProgress = (step: object) => {
      steps.push(step);
      seen.push((step as (typeof steps)[number]).model!().report.iterations);
    };
    new MLPClassifier({ maxIter: 3 }).fit(X, y, { onProgress });
    expect(seen).toEqual([1, 2, 3]);
    for (const { model } of steps) expect(model!).toThrow("called before the next epoch begins");
  });
});

describe("reports", () => {
  it("of partialFit advise nothing about maxIter", () => {
    const estimator = new MLPClassifier();
    const first = estimator.partialFit(null, X, y);
    expect(estimator.partialFit(first, X, y).report.warnings).toEqual([]);
  });

  it("of a diverged training hold no NaN", () => {
    const { report } = new NeuralClassifier({ optimizer: sgd({ learningRate: 1e20 }), maxIter: 5 }).fit(X, y);
    expect(report.warnings[0]).toContain("Diverged");
    expect(report.gradientNorm).toBe(Infinity);
  });

  it("early stopping of a regressor needs two held-out rows", () => {
    const numbers = X.map(([a]) => a!);
    expect(() => new MLPRegressor({ earlyStopping: true }).fit(X.slice(0, 10), numbers.slice(0, 10))).toThrow(
      "validationFraction must be a share that holds out at least 2 of 10 rows",
    );
  });
});

it("a saved variance below 0 is refused", () => {
  const model = new NeuralClassifier({ layers: [batchNorm(), dense(3)], maxIter: 1 }).fit(X, y);
  const state = model.toState();
  const variance = { ...state.tensors["buffers.0.variance"]!, data: Float32Array.of(1, -1, 1) };
  const tensors = { ...state.tensors, "buffers.0.variance": variance };
  const bytes = saveModel({ nFeatures: 3, toState: () => ({ ...state, tensors }) });
  expect(() => loadModel(bytes)).toThrow("0.variance must be at least 0");
});

it("a model of the same sizes but of another function is not resumed", () => {
  const model = new MLPClassifier({ maxIter: 2, hiddenLayerSizes: [4] }).fit(X, y);
  const other = new MLPClassifier({ maxIter: 4, hiddenLayerSizes: [4], activation: "tanh" });
  expect(() => other.fit(X, y, { resume: model })).toThrow("the model to resume must be of the same network");
});

describe("L-BFGS", () => {
  it("refuses options that it would ignore", () => {
    const fit = (params: object) => () => new NeuralClassifier({ optimizer: lbfgs(), ...params }).fit(X, y);
    expect(fit({ l1: 0.1 })).toThrow("l1 must be 0 with lbfgs, which minimises smooth functions, got 0.1.");
    expect(fit({ clipNorm: 1 })).toThrow("clipNorm must be null with lbfgs");
    expect(fit({ earlyStopping: true })).toThrow("earlyStopping must be false with lbfgs");
  });

  it("reports the objective of a model that it has not changed", () => {
    const estimator = new MLPClassifier({ solver: "lbfgs", maxIter: 500, hiddenLayerSizes: [4] });
    const model = estimator.fit(X, y);
    expect(() => estimator.fit(X, y, { resume: model })).toThrow("resume must be absent with lbfgs");
    const huge = X.map((row) => row.map((value) => value * 1e150));
    const { report } = estimator.fit(huge, y);
    expect(report.objective).toBeLessThan(Infinity);
    if (!report.converged && report.iterations < 500)
      expect(report.warnings[0]).toContain("no step lowers the loss");
  });
});

describe("a saved training", () => {
  const model = new NeuralClassifier({ layers: [dense(3)], maxIter: 2 }).fit(X, y);
  const edited = (edit: (values: Record<string, unknown>) => void) => {
    const state = model.toState();
    const values = structuredClone(state.values) as Record<string, unknown>;
    edit(values);
    return () => loadModel(saveModel({ ...model, toState: () => ({ ...state, values }) } as never));
  };

  it("is refused where its classes are not as many as the outputs", () => {
    expect(edited((values) => (values["classes"] = ["a", "b", "c", "d"]))).toThrow(
      "classes must be as many as the network has outputs, 3, got 4.",
    );
    expect(edited((values) => (values["classes"] = ["a", "b"]))).toThrow("classes must be as many");
  });

  it("names the layer that refuses what the file states", () => {
    const images = new NeuralClassifier({
      layers: [conv2d(1, 1), flatten(), dense(3)],
      inputShape: [3, 1, 1],
      maxIter: 1,
    });
    const state = images.fit(X, y).toState();
    const load = (changed: object) => () =>
      loadModel(saveModel({ toState: () => ({ ...state, ...changed }) } as never));
    const cause =
      "loadModel(NeuralClassifier), layer 0: the input must be images: height × width × channels, got 3.";
    expect(load({ values: { ...state.values, inputShape: [3] } })).toThrow(cause);
    expect(load({ values: { ...state.values, inputShape: [3] } })).toThrow(FormatError);

    const tokens = X.map((row) => row.map((value) => (value > 0 ? 1 : 2)));
    const small = { vocabularySize: 4, dimensions: 4, heads: 2, depth: 1, maxIter: 1 };
    const words = new TransformerClassifier(small).fit(tokens, y).toState();
    const edit = (params: object) => () =>
      loadModel(
        saveModel({ toState: () => ({ ...words, params: { ...words.params, ...params } }) } as never),
      );
    expect(edit({ padding: 5 })).toThrow(
      "loadModel(TransformerClassifier): padding must be a token of the vocabulary, from 0 to 3, got 5.",
    );
    expect(edit({ heads: 3 })).toThrow("heads must be a divisor of the 4 dimensions (1, 2, 4), got 3.");
  });

  it("is refused where it would climb", () => {
    const training = model.toState().values["training"] as object;
    expect(edited((values) => (values["training"] = { ...training, slowdown: -5 }))).toThrow(
      "training must be the state of a training",
    );
  });
});
