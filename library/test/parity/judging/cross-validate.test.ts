import { crossValidate, LinearDiscriminantAnalysis, type ScorerName } from "argmax";
import { describe, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf, dataOf } from "../fixtures.js";

type Scores = Readonly<Record<string, readonly number[]>>;

describe("several scores of a cross-validation are those of scikit-learn's cross_validate", () => {
  for (const fixture of casesOf<{ readonly test: Scores; readonly train: Scores }>("cross-validate"))
    it(fixture.name, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const scoring = fixture.params["scoring"] as ScorerName[];
      const { testScore, trainScore } = crossValidate(new LinearDiscriminantAnalysis(), X, y, {
        cv: 4,
        scoring,
        ...(fixture.name === "two classes" && { positiveLabel: "malignant" }),
        returnTrainScore: true,
      });
      for (const name of scoring) {
        // Two ways to factor a covariance matrix of thirty columns; labels and rankings are exact.
        expectClose(testScore[name], fixture.expected.test[name]!, 1e-9);
        expectClose(trainScore[name], fixture.expected.train[name]!, 1e-9);
      }
    });
});
