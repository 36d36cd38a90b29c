import { describe, expect, it } from "vitest";
import type { FittedModel } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { posteriors } from "../core/numbers/scores.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { classificationScorers, regressionScorers, scorers } from "../metrics/scorers.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { trainTestSplit } from "../selection/train-test-split.js";
import { HistGradientBoostingClassifier } from "./hist-gradient-boosting-classifier.js";
import { HistGradientBoostingRegressor } from "./hist-gradient-boosting-regressor.js";

/** Noisy targets of a number and a text, both with gaps. */
function mixed(n: number, seed = 0) {
  const random = new Random(seed);
  const size: (number | null)[] = [];
  const shop: (string | null)[] = [];
  const y: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < n; i++) {
    const s = random.below(5);
    const a = random.normal();
    size.push(random.uniform() < 0.15 ? null : a);
    shop.push(random.uniform() < 0.15 ? null : "abcde"[s]!);
    y.push(Math.sin(2 * a) + [0.8, -1, 0.3, 1.2, -0.4][s]! + 0.5 * random.normal());
    weights.push(0.5 + random.uniform());
  }
  const table = Table.fromColumns({ size, shop });
  return { table, y, weights };
}

/** The rows that a fit of seed 7 learns from, and those that it holds out. */
function rowsOf(y: readonly number[], stratify: boolean, testSize: number | null) {
  const all = Int32Array.from(y.keys());
  if (testSize === null) return { train: all, test: null };
  const randomState = new Random(7).uint32();
  const { train, test } = trainTestSplit(all, Float64Array.from(y), { testSize, stratify, randomState });
  return { train: train.indices.sort(), test: test.indices.sort() };
}

/** The first round at which none of the last `patience` scores exceeds the one before them by tol. */
function stopRound(scores: readonly number[], patience: number, tol: number): number {
  for (let t = patience; t < scores.length; t++) {
    const best = Math.max(...scores.slice(t - patience + 1, t + 1));
    if (!(best > scores[t - patience]! + tol)) return t;
  }
  return scores.length - 1;
}

const [patience, tol] = [3, 0.01];
const params = { earlyStopping: true, nIterNoChange: patience, tol, randomState: 7, minSamplesLeaf: 5 };
/** The same rows held out, and not stopped early. */
const ROUNDS = 60;
const long = { ...params, maxIter: ROUNDS, nIterNoChange: ROUNDS };
const select = <T>(list: readonly T[], rows: Int32Array) => Array.from(rows, (i) => list[i]!);
// Losses of the fit are sums in another order.
const DIGITS = 10;

interface Scored {
  readonly trainScore: Float64Array;
  readonly validationScore: Float64Array;
  readonly nIter: number;
}

/** `train` and `test` are scores by hand, before the first round and after each. */
function expectSame(model: Scored, train: readonly number[], test: readonly number[] | null): void {
  expect(model.nIter).toBe(stopRound(test ?? train, patience, tol));
  expect(model.nIter).toBeLessThan(ROUNDS);
  expect(model.trainScore.length).toBe(model.nIter + 1);
  expect(model.validationScore.length).toBe(test ? model.nIter + 1 : 0);
  for (let t = 0; t <= model.nIter; t++) {
    expect(model.trainScore[t]).toBeCloseTo(train[t]!, DIGITS);
    if (test) expect(model.validationScore[t]).toBeCloseTo(test[t]!, DIGITS);
  }
}

const held = [0.25, null] as const;
const weighting = [false, true] as const;

/** Scorers of positive numbers. */
const ofPositives: readonly string[] = ["negMeanAbsolutePercentageError", "negMeanPoissonDeviance"];

describe("scoring of HistGradientBoostingRegressor", () => {
  const { table, y: z, weights } = mixed(400);
  for (const scoring of regressionScorers) {
    const y = ofPositives.includes(scoring) ? z.map((v) => v + 10) : z;
    for (const validationFraction of held)
      for (const weighted of weighting)
        it(`${scoring}, ${validationFraction ? "held out" : "training rows"}${weighted ? ", weights" : ""}`, () => {
          const fit = (own: object) =>
            new HistGradientBoostingRegressor({ ...own, scoring, validationFraction }).fit(
              table,
              y,
              weighted ? { sampleWeight: weights } : {},
            );
          const reference = fit(long);
          const scoresOf = (rows: Int32Array) => {
            const x = table.selectRows(rows);
            const options = weighted ? { sampleWeight: select(weights, rows) } : {};
            const start = new Float64Array(rows.length).fill(reference.baseline[0]!);
            return [start, ...reference.stagedPredict(x)].map((z) =>
              scorers[scoring]({ predict: () => z } as unknown as FittedModel, x, select(y, rows), options),
            );
          };
          const { train, test } = rowsOf(y, false, validationFraction);
          expectSame(fit(params), scoresOf(train), test && scoresOf(test));
        });
  }
});

/** Scorers with one positive class. */
const ofTwoClasses: readonly string[] = ["precision", "recall", "f1", "jaccard", "rocAuc", "negBrierScore"];

describe("scoring of HistGradientBoostingClassifier", () => {
  const { table, y: z, weights } = mixed(400);
  for (const names of [
    ["no", "yes"],
    ["high", "low", "mid"],
  ])
    for (const scoring of classificationScorers) {
      if (names.length === 3 && ofTwoClasses.includes(scoring)) continue;
      for (const validationFraction of held)
        for (const weighted of weighting)
          it(`${scoring}, ${names.length} classes, ${validationFraction ? "held out" : "training rows"}${weighted ? ", weights" : ""}`, () => {
            const codes = z.map((v) => (names.length === 2 ? Number(v > 0) : v > 0.7 ? 0 : v < -0.4 ? 1 : 2));
            const y = codes.map((k) => names[k]!);
            const fit = (own: object) =>
              new HistGradientBoostingClassifier({ ...own, scoring, validationFraction }).fit(
                table,
                y,
                weighted ? { sampleWeight: weights } : {},
              );
            const reference = fit(long);
            const scoresOf = (rows: Int32Array) => {
              const x = table.selectRows(rows);
              const options = weighted ? { sampleWeight: select(weights, rows) } : {};
              const start = Array.from(rows, () => [...reference.baseline]);
              const stages = [...reference.stagedDecisionFunction(x)].map((raw) => raw.toArray());
              return [start, ...stages].map((raw) =>
                scorers[scoring](classifierOf(names, raw), x, select(y, rows), options),
              );
            };
            const { train, test } = rowsOf(codes, true, validationFraction);
            expectSame(fit(params), scoresOf(train), test && scoresOf(test));
          });
    }

  it("one positive class among three is an error that names the fit", () => {
    const y = z.map((v) => (v > 0.7 ? "a" : v < -0.4 ? "b" : "c"));
    expect(() => new HistGradientBoostingClassifier({ scoring: "f1" }).fit(table, y)).toThrow(
      /^HistGradientBoostingClassifier\.fit/,
    );
  });
});

/** A model that predicts by these raw scores. */
function classifierOf(classes: readonly string[], raw: readonly (readonly number[])[]): FittedModel {
  const full = raw.map((row) => (row.length === 1 ? [0, row[0]!] : row));
  const cols = raw[0]!.length;
  const p = Matrix.fromRows(raw.map((row) => posteriors(Float64Array.from(row), cols)));
  const model = {
    classes,
    decisionFunction: () => raw,
    predict: () => full.map((row) => classes[row.indexOf(Math.max(...row))]!),
    // By the library's softmax: rows with equal scores are ties in both.
    predictProba: () => p,
  };
  return model as unknown as FittedModel;
}

describe("scoring", () => {
  const { table, y } = mixed(300, 1);

  it("changes neither trees nor objective of a fit without early stopping, only its scores", () => {
    const fit = (scoring: "loss" | "r2") =>
      new HistGradientBoostingRegressor({ scoring, maxIter: 10 }).fit(table, y);
    const [loss, r2] = [fit("loss"), fit("r2")];
    expect(r2.predict(table)).toEqual(loss.predict(table));
    expect(r2.report.objective).toBe(loss.report.objective);
    expect(r2.trainScore[10]).toBeCloseTo(r2.score(table, y), DIGITS);
  });

  it("is kept in a saved model", () => {
    const model = new HistGradientBoostingRegressor({ ...params, scoring: "r2" }).fit(table, y);
    const loaded = loadModel(saveModel(model)) as typeof model;
    expect(loaded.trainScore).toEqual(model.trainScore);
    expect(loaded.validationScore).toEqual(model.validationScore);
    expect(loaded.toState().params["scoring"]).toBe("r2");
  });

  it("is named in the warning of a fit that was still improving", () => {
    const { report } = new HistGradientBoostingRegressor({ ...params, scoring: "r2", maxIter: 2 }).fit(
      table,
      y,
    );
    expect(report.warnings).toEqual(["r2 was still rising after maxIter rounds."]);
  });

  it("of the other task, or a function, is refused", () => {
    // @ts-expect-error: the compiler refuses it too
    expect(() => new HistGradientBoostingRegressor({ scoring: "accuracy" })).toThrow(ParameterError);
    // @ts-expect-error: the compiler refuses it too
    expect(() => new HistGradientBoostingClassifier({ scoring: () => 0 })).toThrow(ParameterError);
  });

  it("knows every scorer by its task", () => {
    expect([...classificationScorers, ...regressionScorers].sort()).toEqual(Object.keys(scorers).sort());
  });
});
