import {
  CalibratedClassifier,
  type Classifier,
  GaussianNB,
  LinearDiscriminantAnalysis,
  LinearRegression,
  LogisticRegression,
  MinMaxScaler,
  PowerTransformer,
  QuantileTransformer,
  Ridge,
  StackingClassifier,
  StackingRegressor,
  StandardScaler,
  TransformedTargetRegressor,
  type Transformer,
  VotingClassifier,
  VotingRegressor,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, pick } from "../fixtures.js";

type Expected = Pick<Answers, "rows" | "predict"> & Partial<Pick<Answers, "predictProba">>;

type MetaCase = Case<Expected> & { readonly weight?: readonly number[] };

const cases = casesOf<Expected>("meta") as readonly MetaCase[];
const classifiers = { bayes: new GaussianNB(), lda: new LinearDiscriminantAnalysis() };
const regressors = { plain: new LinearRegression(), ridge: new Ridge({ alpha: 500 }) };

function classifierOf({ estimator, params: { C = 1, ...params } }: MetaCase): Classifier | undefined {
  const finalEstimator = new LogisticRegression({ C: C as number, tol: 1e-10, maxIter: 100_000 });
  if (estimator === "VotingClassifier") return new VotingClassifier({ estimators: classifiers, ...params });
  if (estimator === "StackingClassifier")
    return new StackingClassifier({ estimators: classifiers, finalEstimator, ...params });
  if (estimator === "CalibratedClassifierCV")
    return new CalibratedClassifier({ estimator: new GaussianNB(), ...params });
  return undefined;
}

describe("estimators made of others are scikit-learn's", () => {
  for (const fixture of cases) {
    const classifier = classifierOf(fixture);
    if (classifier === undefined) continue;
    it(`${fixture.estimator}: ${fixture.name}`, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const options = fixture.weighted ? { sampleWeight: fixture.weight! } : {};
      const model = classifier.fit(X, y, options) as ReturnType<GaussianNB["fit"]>;
      const { rows, predict, predictProba } = fixture.expected;
      expect(model.predict(pick(X, rows))).toEqual(predict);
      // Solvers of the final estimators stop at gradients of about 1e-10; exact members round. scikit-learn's sigmoids stop at 1e-5.
      // Between isotonic knots 4e-12 apart, the last digit of a score near 1 is worth 4e-5.
      const within = fixture.params["method"] === undefined ? 1e-6 : 1e-4;
      if (predictProba) expectClose(model.predictProba(pick(X, rows)).data, predictProba.flat(), within);
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "prefit"))
    it(`CalibratedClassifier: ${fixture.name}`, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const half = (first: number) => [...y.keys()].filter((i) => i % 2 === first);
      const of = <T>(list: readonly T[], rows: readonly number[]) => rows.map((i) => list[i]!);
      const { method, model } = fixture.params as { method: "sigmoid" | "isotonic"; model: string };
      const inner = model === "GaussianNB" ? new GaussianNB() : new LinearDiscriminantAnalysis();
      const prefit = inner.fit(pick(X, half(0)), of(y, half(0)));
      const sampleWeight = fixture.weighted ? of(fixture.weight!, half(1)) : undefined;
      const calibrated = new CalibratedClassifier({ method }).fit(pick(X, half(1)), of(y, half(1)), {
        prefit,
        sampleWeight,
      });
      const { rows, predict, predictProba } = fixture.expected;
      expect(calibrated.predict(pick(X, rows))).toEqual(predict);
      // As above.
      expectClose(calibrated.predictProba(pick(X, rows)).data, predictProba!.flat(), 1e-4);
    });

  for (const fixture of cases.filter(({ estimator }) => /Regressor$/.test(estimator)))
    it(`${fixture.estimator}: ${fixture.name}`, async () => {
      const { X, y } = await dataOf<number>(fixture);
      const { params, expected } = fixture;
      const estimator =
        fixture.estimator === "VotingRegressor"
          ? new VotingRegressor({ estimators: regressors, ...params })
          : new StackingRegressor({ estimators: regressors, finalEstimator: new Ridge(), ...params });
      const model = estimator.fit(X, y);
      // Direct solvers: rounding, multiplied by the condition of nearly equal columns.
      expectClose(model.predict(pick(X, expected.rows)), expected.predict as number[], 1e-8);
    });

  for (const fixture of cases.filter(({ estimator }) => estimator === "TransformedTarget"))
    it(`TransformedTargetRegressor: ${fixture.name}`, async () => {
      const { X, y } = await dataOf<number>(fixture);
      const { way, func } = fixture.params as { way: string; func?: "log" };
      const transformers: Readonly<Record<string, Transformer>> = {
        StandardScaler: new StandardScaler(),
        MinMaxScaler: new MinMaxScaler(),
        PowerTransformer: new PowerTransformer(),
        QuantileTransformer: new QuantileTransformer({ nQuantiles: 50, outputDistribution: "normal" }),
      };
      const regressor = new Ridge({ alpha: 10 });
      const estimator = new TransformedTargetRegressor({ regressor, func, transformer: transformers[way] });
      const model = estimator.fit(X, y, fixture.weighted ? { sampleWeight: fixture.weight! } : {});
      const { rows, predict } = fixture.expected;
      // Direct solvers round; the exponents of power transforms are searched to about 1e-8 by both.
      expectClose(
        model.predict(pick(X, rows)),
        predict as number[],
        way === "PowerTransformer" ? 1e-6 : 1e-9,
      );
    });
});
