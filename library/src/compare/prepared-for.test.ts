import { describe, expect, test } from "vitest";
import { AdaBoostRegressor } from "../adaboost/index.js";
import { BaggingClassifier } from "../bagging/index.js";
import { GaussianNB } from "../bayes/index.js";
import { Cascade } from "../cascade/index.js";
import { AgglomerativeClustering, DBSCAN, KMeans, MiniBatchKMeans } from "../clustering/index.js";
import { CategoricalColumn, NumericColumn, Table } from "../data/index.js";
import { Nystroem } from "../kernel-methods/index.js";
import { LogisticRegression } from "../linear/index.js";
import {
  CalibratedClassifier,
  StackingClassifier,
  StackingRegressor,
  TransformedTargetRegressor,
  VotingClassifier,
  VotingRegressor,
} from "../meta/index.js";
import { KNeighborsClassifier, KNeighborsRegressor } from "../neighbors/index.js";
import { dense, NeuralRegressor } from "../neural/index.js";
import { SVC, SVR } from "../svm/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { preparedFor } from "./index.js";

const numbers = [
  [1, 2000],
  [2, 1000],
];
const forNumbers = (estimator: object) => String(preparedFor(estimator as never, numbers));

describe("preparedFor", () => {
  test("scales the members of an estimator that need it, inside it, and leaves trees as they are", () => {
    const voting = new VotingClassifier({
      estimators: { svm: new SVC({ C: 2 }), tree: new DecisionTreeClassifier() },
    });
    expect(forNumbers(voting)).toBe(
      "VotingClassifier({ estimators: { svm: pipeline(StandardScaler(), SVC({ C: 2 })), tree: DecisionTreeClassifier() } })",
    );
    expect(forNumbers(new BaggingClassifier({ estimator: new KNeighborsClassifier() }))).toBe(
      "BaggingClassifier({ estimator: pipeline(StandardScaler(), KNeighborsClassifier()) })",
    );
    expect(forNumbers(new CalibratedClassifier())).toBe(
      "CalibratedClassifier({ estimator: pipeline(StandardScaler(), LinearSVC()) })",
    );
    const trees = new BaggingClassifier();
    expect(preparedFor(trees as never, numbers)).toBe(trees);
  });

  test("scales X for every estimator of distances", () => {
    for (const estimator of [
      new KMeans(),
      new MiniBatchKMeans(),
      new DBSCAN(),
      new AgglomerativeClustering(),
      new Nystroem(),
    ])
      expect(forNumbers(estimator)).toBe(`pipeline(StandardScaler(), ${estimator})`);
  });

  test("scales the targets of networks of given layers too", () => {
    const network = new NeuralRegressor({ layers: [dense(4)] });
    expect(forNumbers(network)).toMatch(
      /^pipeline\(StandardScaler\(\), TransformedTargetRegressor\({ regressor: Neural/,
    );
  });

  test("looks into members of members and into the stages of a cascade", () => {
    const bagging = new BaggingClassifier({ estimator: new SVC() });
    expect(forNumbers(new VotingClassifier({ estimators: { bagging } }))).toBe(
      "VotingClassifier({ estimators: { bagging: BaggingClassifier({ estimator: pipeline(StandardScaler(), SVC()) }) } })",
    );
    const stages = [
      { features: [0], cost: 1, estimator: new LogisticRegression() },
      { features: [1], cost: 2, estimator: new DecisionTreeClassifier() },
    ];
    const { params } = preparedFor(new Cascade({ stages }) as never, numbers) as unknown as Cascade;
    expect(params.stages.map(({ estimator }) => String(estimator))).toEqual([
      "pipeline(StandardScaler(), LogisticRegression())",
      "DecisionTreeClassifier()",
    ]);
  });

  test("scales targets where a member needs it, but not where the caller transforms them", () => {
    const scaled = "TransformedTargetRegressor({ regressor: SVR(), transformer: StandardScaler() })";
    expect(forNumbers(new VotingRegressor({ estimators: { svm: new SVR() } }))).toBe(
      `VotingRegressor({ estimators: { svm: pipeline(StandardScaler(), ${scaled}) } })`,
    );
    expect(forNumbers(new AdaBoostRegressor({ estimator: new DecisionTreeRegressor() }))).toBe(
      "AdaBoostRegressor({ estimator: DecisionTreeRegressor() })",
    );
    expect(forNumbers(new TransformedTargetRegressor({ regressor: new SVR(), func: "log" }))).toBe(
      'TransformedTargetRegressor({ regressor: pipeline(StandardScaler(), SVR()), func: "log" })',
    );
  });

  test("the final estimator of a stack is scaled if it sees X, or if its defaults are for unit variance", () => {
    const estimators = { tree: new DecisionTreeClassifier() };
    const final = (estimator: object) =>
      String(
        (preparedFor(estimator as never, numbers) as unknown as StackingClassifier).params.finalEstimator,
      );
    expect(final(new StackingClassifier({ estimators }))).toBe("LogisticRegression()");
    expect(final(new StackingClassifier({ estimators, passthrough: true }))).toBe(
      "pipeline(StandardScaler(), LogisticRegression())",
    );
    const regressors = { tree: new DecisionTreeRegressor() };
    expect(final(new StackingRegressor({ estimators: regressors, finalEstimator: new SVR() }))).toMatch(
      /^pipeline\(StandardScaler\(\), TransformedTargetRegressor/,
    );
    expect(
      final(new StackingRegressor({ estimators: regressors, finalEstimator: new KNeighborsRegressor() })),
    ).toBe("KNeighborsRegressor()");
  });

  test("behind a vectorizer, which scales, members are not scaled again", () => {
    const table = Table.fromColumns({
      size: new NumericColumn(Float64Array.of(1, 2, 3)),
      kind: new CategoricalColumn(Int32Array.of(0, 1, 0), ["a", "b"]),
    });
    const voting = new VotingClassifier({ estimators: { svm: new SVC() } });
    expect(String(preparedFor(voting as never, table))).toMatch(
      /^pipeline\(TableVectorizer\(.*\), VotingClassifier\({ estimators: { svm: SVC\(\) } }\)\)$/,
    );
  });
});

describe("documents", () => {
  const documents = Array.from(
    { length: 30 },
    (_, i) => `${i % 2 === 0 ? "warm" : "cold"} day${i % 5} of week${i % 3}`,
  );
  const y = documents.map((text) => text.slice(0, 4));
  for (const estimator of [new LogisticRegression(), new GaussianNB()])
    test(`go through a vectorizer: ${estimator.id}`, () => {
      const model = preparedFor(estimator, documents).fit(documents as never, y as never) as never as {
        readonly names: readonly string[];
        predict(x: readonly string[]): string[];
      };
      expect(model.names[0]).toBe("tfidfvectorizer");
      expect(model.predict(documents)).toEqual(y);
    });
});
