import { describe, expect, it } from "vitest";
import { AdaBoostClassifier } from "../../../src/adaboost/index.js";
import {
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
} from "../../../src/boosting/index.js";
import { DataError, FormatError } from "../../../src/core/errors.js";
import { Random } from "../../../src/core/numbers/random.js";
import {
  ExtraTreesClassifier,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../../../src/forests/index.js";
import { DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor } from "../../../src/trees/index.js";

const random = new Random(5);
const X = Array.from({ length: 120 }, () => [
  random.normal(),
  random.normal(),
  Math.floor(4 * random.uniform()),
]);
const y = X.map(([a, b, c]) => (a! + 0.5 * random.normal() > (c === 1 ? 1 : 0) ? 1 : b! > 1 ? 2 : 0));
const weights = X.map(() => 0.25 + random.uniform());

const forest = { nEstimators: 5, minWeightFractionLeaf: 0.02 };
const estimators = {
  ...Object.fromEntries(
    (["gini", "entropy", "twoing", "nodeError"] as const).map((criterion) => [
      `DecisionTreeClassifier by ${criterion}`,
      new DecisionTreeClassifier({ criterion, categoricalFeatures: [2], minWeightFractionLeaf: 0.01 }),
    ]),
  ),
  ...Object.fromEntries(
    (["squaredError", "poisson", "absoluteError"] as const).map((criterion) => [
      `DecisionTreeRegressor by ${criterion}`,
      new DecisionTreeRegressor({ criterion, categoricalFeatures: [2], maxLeafNodes: 9 }),
    ]),
  ),
  RandomForestClassifier: new RandomForestClassifier(forest),
  RandomForestRegressor: new RandomForestRegressor(forest),
  ExtraTreesClassifier: new ExtraTreesClassifier(forest),
  DecisionStump: new DecisionStump(),
  AdaBoostClassifier: new AdaBoostClassifier({ nEstimators: 5 }),
  "AdaBoostClassifier of trees": new AdaBoostClassifier({
    nEstimators: 5,
    estimator: new DecisionTreeClassifier({ maxDepth: 2 }),
  }),
};

interface Model {
  predict(x: number[][]): ArrayLike<unknown>;
  toState(): { tensors: Readonly<Record<string, { data: ArrayLike<number> }>> };
}
interface AnyEstimator {
  fit(x: number[][], y: number[], options: { sampleWeight: number[] }): Model;
}

describe("weights of rows are relative", () => {
  it.each(Object.entries(estimators))(
    "times any power of two they give the same bits: %s",
    (_, estimator) => {
      const learned = (factor: number) => {
        const fit = { sampleWeight: weights.map((w) => w * factor) };
        const model = (estimator as unknown as AnyEstimator).fit(X, y, fit);
        // Sums of weights are told in their own size.
        const { weights: sums, ...rest } = model.toState().tensors;
        return {
          rest,
          sums: sums && Array.from(sums.data, (w) => w / factor),
          predictions: model.predict(X),
        };
      };
      const plain = learned(1);
      expect(new Set(Array.from(plain.predictions)).size).toBeGreaterThan(1);
      for (const power of [660, 40, 1, -40, -660]) expect(learned(2 ** power)).toEqual(plain);
    },
  );

  it("may be of any size in gradient boosting, where they change no leaf without a penalty", () => {
    for (const estimator of [new HistGradientBoostingClassifier(), new HistGradientBoostingRegressor()]) {
      const plain = Array.from(
        (estimator as unknown as AnyEstimator).fit(X, y, { sampleWeight: weights }).predict(X),
      );
      for (const factor of [1e-200, 1e-100, 1e100, 1e200]) {
        const fit = { sampleWeight: weights.map((w) => w * factor) };
        const predictions = Array.from((estimator as unknown as AnyEstimator).fit(X, y, fit).predict(X));
        for (const [i, p] of predictions.entries()) expect(p).toBeCloseTo(plain[i] as number, 6);
      }
    }
  });
});

describe("numbers that no memory could hold", () => {
  it("are refused as categories, and large ones cost nothing", () => {
    const own = { categoricalFeatures: [0] };
    const rows = [[0], [1e8], [2], [0], [1], [2]];
    const answers = [0, 1, 0, 1, 0, 1];
    expect(() => new DecisionTreeClassifier(own).fit(rows, answers)).toThrow(DataError);
    expect(() => new DecisionTreeClassifier(own).fit(rows, answers)).toThrow(
      /from 0 to 16777215.*got 100000000/,
    );
    const large = rows.map(([c]) => [c === 1e8 ? 16_777_215 : c!]);
    const model = new RandomForestClassifier({ ...own, nEstimators: 20 }).fit(large, answers);
    expect(model.predict(large)).toHaveLength(6);
  });

  it("are refused in saved trees, also nodes with two parents, through which there are too many ways", () => {
    const model = new DecisionTreeClassifier().fit(X, y);
    const state = model.toState();
    const forged = (name: string, data: Int32Array) => ({
      ...state,
      tensors: { ...state.tensors, [name]: { shape: [data.length], data } },
    });
    const { lefts, rights } = model.tree.grown;
    expect(() => DecisionTreeClassifier.restore(forged("lefts", rights))).toThrow(FormatError);
    expect(() => DecisionTreeClassifier.restore(forged("rights", lefts))).toThrow(FormatError);
  });
});
