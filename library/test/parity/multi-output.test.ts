import { readFileSync } from "node:fs";
import { KernelRidge, LinearRegression, MultiOutputRegressor, RegressorChain, Ridge } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "./claims.js";
import { casesOf } from "./fixtures.js";

interface Expected {
  readonly rows: readonly number[];
  readonly predict: readonly (readonly number[])[];
  readonly score: number;
}

const data: Readonly<Record<string, { readonly X: number[][]; readonly Y: number[][] }>> = JSON.parse(
  readFileSync(new URL("fixtures/several-targets-data.json", import.meta.url), "utf8"),
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
