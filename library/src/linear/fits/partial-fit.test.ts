import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { type FittedSGDClassifier, SGDClassifier } from "../sgd-classifier.js";
import { type FittedSGDRegressor, SGDRegressor } from "../sgd-regressor.js";

const random = new Random(3);
const x = Matrix.zeros(60, 4);
for (let e = 0; e < x.data.length; e++) x.data[e] = random.normal();
const target = Float64Array.from({ length: 60 }, (_, i) => x.at(i, 0) - x.at(i, 1) + 0.3 * random.normal());
const labels = Array.from(target, (v) => (v < -0.5 ? "low" : v < 0.5 ? "mid" : "high"));
const base = { shuffle: false, maxIter: 2, alpha: 0.01 } as const;

describe.each([
  ["plain", {}],
  ["averaged", { average: true }],
  ["averaged from the second epoch on", { average: 80 }],
  ["l1", { penalty: "l1" }],
  ["elastic net, averaged", { penalty: "elasticnet", average: 10 }],
] as const)("two epochs of partialFit are a fit of two epochs: %s", (_, options) => {
  it("SGDClassifier, also through a file", () => {
    const learner = new SGDClassifier({ ...base, ...options });
    const whole = learner.fit(x, labels);
    const first = learner.partialFit(null, x, labels);
    const loaded = loadModel(saveModel(first)) as FittedSGDClassifier<string>;
    for (const start of [first, loaded]) {
      const second = learner.partialFit(start, x, labels);
      expect(second.coef.data).toEqual(whole.coef.data);
      expect(second.intercept).toEqual(whole.intercept);
      expect(second.stepCount).toBe(121);
    }
  });

  it("SGDRegressor, also through a file", () => {
    const learner = new SGDRegressor({ ...base, ...options });
    const whole = learner.fit(x, target);
    const first = learner.partialFit(null, x, target);
    const loaded = loadModel(saveModel(first)) as FittedSGDRegressor;
    for (const start of [first, loaded]) {
      const second = learner.partialFit(start, x, target);
      expect(second.coef).toEqual(whole.coef);
      expect(second.intercept).toBe(whole.intercept);
    }
  });
});

it("a row of weight 0 is gone, and no step is taken for it", () => {
  const learner = new SGDClassifier(base);
  const first = learner.partialFit(null, x, labels);
  const rows = Int32Array.from({ length: 30 }, (_, i) => 2 * i);
  const sampleWeight = Float64Array.from(labels, (_, i) => (i % 2 === 0 ? 1 : 0));
  const without = learner.partialFit(
    first,
    x.selectRows(rows),
    Array.from(rows, (i) => labels[i]!),
  );
  const weighed = learner.partialFit(first, x, labels, { sampleWeight });
  expect(weighed.coef).toEqual(without.coef);
  expect(weighed.stepCount).toBe(first.stepCount + 30);
});

it("a file whose step number is not one is refused", () => {
  const model = new SGDRegressor(base).fit(x, target);
  const state = model.toState();
  const broken = (t: number) => ({
    ...state,
    tensors: { ...state.tensors, runs: { shape: [1, 3], data: Float64Array.of(t, 0, 0) } },
  });
  for (const t of [0, -1, 1.5]) expect(() => SGDRegressor.restore(broken(t))).toThrow("step numbers ≥ 1");
});
