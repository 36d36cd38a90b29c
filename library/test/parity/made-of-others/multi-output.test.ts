import { readFileSync } from "node:fs";
import {
  GaussianNB,
  KernelRidge,
  LinearRegression,
  MultiOutputClassifier,
  MultiOutputRegressor,
  RegressorChain,
  Ridge,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf } from "../fixtures.js";

interface Expected {
  readonly rows: readonly number[];
  readonly predict: readonly (readonly number[])[];
  readonly score: number;
}

const data: Readonly<Record<string, { readonly X: number[][]; readonly Y: number[][] }>> = JSON.parse(
  readFileSync(new URL("../fixtures/several-targets-data.json", import.meta.url), "utf8"),
);
const members = {
  LinearRegression: new LinearRegression(),
  Ridge: new Ridge({ alpha: 2 }),
  KernelRidge: new KernelRidge({ alpha: 0.5, kernel: "rbf", gamma: 0.01 }),
};
const estimators = { MultiOutputRegressor, RegressorChain };

describe("an estimator per target predicts what scikit-learn's does", () => {
  for (const fixture of casesOf<Expected>("multi-output")) {
    it(fixture.name, () => {
      const { X, Y } = data[fixture.data as string]!;
      const { member, ...params } = fixture.params as { member: keyof typeof members };
      const Estimator = estimators[fixture.estimator as keyof typeof estimators];
      const estimator = new Estimator({ estimator: members[member] as Ridge, ...params });
      const sampleWeight = fixture.weighted ? X.map((_, i) => (i % 3) + 1) : undefined;
      const model = estimator.fit(X, Y, { sampleWeight });
      const { rows, predict, score } = fixture.expected;
      const predicted = model.predict(rows.map((i) => X[i]!));
      // Closed forms.
      expectClose(predicted.data, predict.flat(), 1e-9);
      expect(model.score(X, Y)).toBeCloseTo(score, 9);
    });
  }
});

interface LabelCase extends Case<LabelExpected> {
  readonly inputs: { readonly labels: readonly (readonly string[])[] };
}

interface LabelExpected {
  readonly rows: readonly number[];
  readonly predict: readonly (readonly string[])[];
  readonly predictProba: readonly (readonly (readonly number[])[])[];
  readonly score: number;
}

describe("a classifier per output predicts what scikit-learn's does", () => {
  for (const fixture of casesOf<LabelExpected>("multi-output-labels") as unknown as readonly LabelCase[]) {
    it(fixture.name, () => {
      const { X } = data.iris!;
      const { labels } = fixture.inputs;
      const sampleWeight = fixture.weighted ? X.map((_, i) => (i % 3) + 1) : undefined;
      const model = new MultiOutputClassifier({ estimator: new GaussianNB() }).fit(X, labels, {
        sampleWeight,
      });
      const { rows, predict, predictProba, score } = fixture.expected;
      const asked = rows.map((i) => X[i]!);
      expect(model.predict(asked)).toEqual(predict);
      // Moments of the same numbers in another order.
      for (const [t, p] of model.predictProba(asked).entries())
        expectClose(p.data, predictProba[t]!.flat(), 1e-9);
      expect(model.score(X, labels)).toBeCloseTo(score, 12);
    });
  }
});
