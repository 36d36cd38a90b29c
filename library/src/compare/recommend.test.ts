import { describe, expect, test } from "vitest";
import { capabilitiesOf } from "../core/estimator.js";
import { Random } from "../core/numbers/random.js";
import {
  CalibratedClassifier,
  compareScores,
  DecisionTreeClassifier,
  GaussianNB,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  KNeighborsClassifier,
  LinearRegression,
  LogisticRegression,
  MLPClassifier,
  pipeline,
  Ridge,
  StandardScaler,
  SVC,
  SVR,
  TransformedTargetRegressor,
} from "../index.js";
import { estimatorClasses } from "../persistence/index.js";
import { defaultModels } from "./default-models.js";
import { modelLabel, modelSettings } from "./model-settings.js";
import { recommend } from "./recommend.js";
import { kindOf } from "./simplicity.js";

const model = (
  estimator: object & { readonly id?: string },
  scores: readonly number[],
  name = estimator.id!,
) => ({
  name,
  estimator,
  scores,
});
const boosting = new HistGradientBoostingClassifier();
const logistic = new LogisticRegression();
const bayes = new GaussianNB();

describe("recommend", () => {
  test("chooses the simplest of those within one standard error of the best, and says so", () => {
    const found = recommend([
      model(boosting, [0.95, 0.94, 0.96, 0.95, 0.95]),
      model(bayes, [0.94, 0.95, 0.95, 0.96, 0.95]),
      model(logistic, [0.95, 0.95, 0.94, 0.95, 0.95]),
      model(new SVC(), [0.5, 0.5, 0.5, 0.5, 0.5]),
    ]);
    expect(found.ranked.map(({ name, tied }) => [name, tied])).toEqual([
      ["GaussianNB", true],
      ["HistGradientBoostingClassifier", true],
      ["LogisticRegression", true],
      ["SVC", false],
    ]);
    expect(found.recommended?.name).toBe("LogisticRegression");
    expect(found.reason).toBe(
      "LogisticRegression is recommended: a linear model, the simplest of the 3 models that are tied with the best.",
    );
  });

  test("a model that is worse in every fold is not tied, however noisy its scores are", () => {
    const better = [0.992, 0.993, 0.991, 0.992, 0.992];
    const noisy = [0.98, 0.985, 0.95, 0.85, 0.945];
    // The corrected t-test alone would call them equal.
    expect(compareScores(better, noisy).pValue).toBeGreaterThan(0.05);
    const found = recommend([
      model(new HistGradientBoostingRegressor(), better),
      model(new LinearRegression(), noisy),
    ]);
    expect(found.recommended?.name).toBe("HistGradientBoostingRegressor");
    expect(found.ranked[1]!.tied).toBe(false);
    expect(found.reason).toContain("no other model is tied with it");
  });

  test("a model that is nowhere ahead is tied only if it differs in one fold", () => {
    const best = [0.9, 0.91, 0.92, 0.9, 0.89];
    const random = new Random(5);
    const tiedWith = (lost: readonly number[]) => {
      const scores = best.map((score, f) => score - (lost[f] ?? 0));
      return recommend([model(boosting, best), model(logistic, scores)]).ranked[1]!.tied;
    };
    for (let k = 0; k < 200; k++) {
      const lost = 0.3 * random.uniform();
      expect(tiedWith([0, lost])).toBe(true);
      expect(tiedWith([0, lost, 0, 1e-4 + 0.3 * random.uniform() ** 8])).toBe(false);
    }
  });

  test("a model that wins one fold is not tied if it is more than one standard error behind", () => {
    const found = recommend([
      model(new SVC(), [0.96, 0.95, 0.96, 0.95, 0.955]),
      model(new KNeighborsClassifier(), [0.86, 0.95, 0.9, 0.87, 0.88]),
    ]);
    expect(found.ranked[1]!.tied).toBe(false);
  });

  test("a difference of more than 5 % of the lead over a constant prediction is not a tie", () => {
    const models = [
      model(boosting, [0.9, 0.9, 0.9, 0.9, 0.9]),
      // One bad fold: within one standard error, since that fold makes the error large.
      model(logistic, [0.905, 0.905, 0.905, 0.905, 0.5]),
    ];
    expect(recommend(models).recommended?.name).toBe("LogisticRegression");
    expect(recommend(models, { baseline: 0.5 }).recommended?.name).toBe("HistGradientBoostingClassifier");
    expect(recommend(models, { baseline: -2 }).recommended?.name).toBe("LogisticRegression");
  });

  test("a difference of at most 1 % of that lead is a tie, in every fold too", () => {
    const scores = [0.9, 0.91, 0.92, 0.9, 0.89];
    const models = (loss: number) => [
      model(boosting, scores),
      model(
        logistic,
        scores.map((score) => score - loss),
      ),
    ];
    const chosen = (loss: number) => recommend(models(loss), { baseline: 0.504 }).recommended?.name;
    expect([chosen(0.0039), chosen(0.0041)]).toEqual([
      "LogisticRegression",
      "HistGradientBoostingClassifier",
    ]);
    // Without a baseline nothing says what is small.
    expect(recommend(models(0.0039)).recommended?.name).toBe("HistGradientBoostingClassifier");
  });

  test("is the same for every order of the models, and does not depend on times", () => {
    const scores = [0.9, 0.91, 0.92];
    const models = [
      model(boosting, scores),
      model(logistic, scores),
      model(logistic, scores, "another"),
      model(bayes, scores),
    ];
    const names = [models, models.toReversed()].map((list) => recommend(list).ranked.map(({ name }) => name));
    expect(names[0]).toEqual([
      "LogisticRegression",
      "another",
      "GaussianNB",
      "HistGradientBoostingClassifier",
    ]);
    expect(names[1]).toEqual(names[0]);
    const timed = models.map((one, k) => ({ ...one, fitTime: k === 0 ? 0 : 9 }));
    expect(recommend(timed).recommended?.name).toBe("LogisticRegression");
    expect(recommend(models).reason).toBe(
      "LogisticRegression is recommended: it is the best, and none of the 3 models that are tied with it is simpler.",
    );
  });

  test("of equally simple models the better one is chosen", () => {
    const found = recommend([
      model(boosting, [0.9, 0.92, 0.91]),
      model(logistic, [0.91, 0.9, 0.905]),
      model(new Ridge(), [0.9, 0.91, 0.915]),
    ]);
    expect(found.recommended?.name).toBe("Ridge");
    expect(found.reason).toContain("a linear model, the best of the 2 simplest of the 3 models");
  });

  test("an estimator of one's own counts as the most complex, and the reason says so", () => {
    const own = { fit: () => ({}) };
    const found = recommend([
      model(own, [0.9, 0.92, 0.91], "mine"),
      model(new MLPClassifier(), [0.91, 0.9, 0.9]),
    ]);
    expect(found.recommended?.name).toBe("MLPClassifier");
    expect(found.reason).toMatch(/mine counts as the most complex: it is not an estimator of the library\.$/);
  });

  test("scores that are not numbers come last and are never tied", () => {
    const found = recommend([
      model(logistic, [0.9, Number.NaN, 0.9]),
      model(bayes, [0.9, -Infinity, 0.9]),
      model(boosting, [0.8, 0.8, 0.8]),
    ]);
    expect(found.ranked.map(({ name, mean, tied }) => [name, mean, tied])).toEqual([
      ["HistGradientBoostingClassifier", expect.closeTo(0.8, 12), true],
      ["LogisticRegression", Number.NaN, false],
      ["GaussianNB", Number.NaN, false],
    ]);
    const none = recommend([model(logistic, [Number.NaN]), model(bayes, [])]);
    expect(none).toMatchObject({
      recommended: undefined,
      reason: expect.stringContaining("none has a finite"),
    });
    expect(recommend([]).ranked).toEqual([]);
  });

  test("one model, one fold, and folds of another number", () => {
    expect(recommend([model(logistic, [0.5, 0.6])]).reason).toBe(
      "LogisticRegression is recommended: it is the only model.",
    );
    const one = recommend([model(boosting, [0.9]), model(logistic, [0.9 - 1e-9])]);
    expect(one.recommended?.name).toBe("HistGradientBoostingClassifier");
    expect(one.reason).toContain("one fold does not tell");
    expect(one.ranked[0]!.margin).toBeNaN();
    const uneven = recommend([model(boosting, [0.9, 0.9, 0.9]), model(logistic, [0.9, 0.9])]);
    expect(uneven.ranked[1]!.tied).toBe(false);
  });

  test("says if the best is not better than a constant prediction", () => {
    const models = [model(boosting, [0.6, 0.61, 0.6]), model(logistic, [0.59, 0.6, 0.6])];
    expect(recommend(models, { baseline: 0.65 }).reason).toMatch(
      /It is not better than a constant prediction \(0\.6500\)\.$/,
    );
    const noisy = [model(boosting, [0.6, 0.9, 0.5])];
    expect(recommend(noisy, { baseline: 0.5 }).reason).toMatch(
      /Its lead over a constant prediction \(0\.5000\) could be chance\.$/,
    );
    expect(recommend(models, { baseline: 0.3 }).reason).not.toContain("constant");
  });

  test("rounding does not decide between equal scores", () => {
    const mean = (0.3 + 0.2 + 0.1) / 3;
    expect((0.1 + 0.2 + 0.3) / 3).toBeGreaterThan(mean);
    const models = [model(boosting, [0.1, 0.2, 0.3]), model(logistic, [0.3, 0.2, 0.1])];
    expect(recommend(models, { baseline: mean }).ranked.map(({ name, tied }) => [name, tied])).toEqual([
      ["LogisticRegression", true],
      ["HistGradientBoostingClassifier", true],
    ]);
    expect(recommend(models, { baseline: mean }).reason).toContain("It is not better than a constant");
  });
});

describe("the kinds of models", () => {
  test("every classifier and regressor of the library is declared, or is a wrapper of one", () => {
    const undeclaredIds = estimatorClasses
      .filter(({ capabilities: { task } }) => task === "classification" || task === "regression")
      .filter(({ capabilities: { form } }) => form === undefined)
      .map(({ id }) => id);
    expect(undeclaredIds.sort()).toEqual([
      "CalibratedClassifier",
      "GridSearch",
      "HalvingSearch",
      "MultiOutputClassifier",
      "MultiOutputRegressor",
      "OneVsOneClassifier",
      "OneVsRestClassifier",
      "OutputCodeClassifier",
      "RandomSearch",
      "RegressorChain",
      "ThresholdClassifier",
      "TransformedTargetRegressor",
    ]);
  });

  test("a pipeline and a wrapper are as simple as the model inside", () => {
    expect(kindOf(pipeline(new StandardScaler(), new SVC()))).toBe(kindOf(new SVC()));
    const scaled = new TransformedTargetRegressor({
      regressor: new SVR(),
      transformer: new StandardScaler(),
    });
    expect(kindOf(pipeline(new StandardScaler(), scaled))).toBe(kindOf(new SVR()));
    expect(kindOf(new CalibratedClassifier({ estimator: logistic }))).toBe(kindOf(logistic));
    const order = [logistic, bayes, new DecisionTreeClassifier(), new SVC(), boosting, {}];
    expect(order.map((one) => kindOf(one).complexity)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("what is shown is what was fitted", () => {
  test("every default candidate has its default parameters", () => {
    const needs = { rows: 100, mixed: false, missing: true };
    for (const task of ["classification", "regression"] as const)
      for (const { name, estimator } of defaultModels(task, needs, 3).entrants) {
        expect([name, modelSettings(estimator)]).toEqual([name, ""]);
        expect(capabilitiesOf(estimator)?.task).toBe(task);
      }
  });

  test("parameters that differ from their defaults are in the label", () => {
    const tree = new DecisionTreeClassifier({ maxDepth: 6, criterion: "entropy", randomState: 4 });
    expect(modelLabel("tree", pipeline(new StandardScaler(), tree))).toBe(
      "tree (criterion entropy, maxDepth 6)",
    );
    const calibrated = new CalibratedClassifier({ estimator: new SVC({ C: 2 }), method: "isotonic" });
    expect(modelSettings(calibrated)).toBe("estimator SVC({ C: 2 }), method isotonic");
    expect(modelLabel("mine", { fit: () => 0 })).toBe("mine");
    expect(modelSettings(new SVC({ C: 271.81270403502384 }))).toBe("C 271.81");
    expect(modelSettings(new MLPClassifier({ hiddenLayerSizes: [8, 4] }))).toBe("hiddenLayerSizes [8, 4]");
  });
});
