import {
  type Classifier,
  CsrMatrix,
  DecisionTreeClassifier,
  GaussianNB,
  LinearDiscriminantAnalysis,
  LinearSVC,
  LogisticRegression,
  type Matrix,
  OneVsOneClassifier,
  OneVsRestClassifier,
  OutputCodeClassifier,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, pick } from "../fixtures.js";

interface Expected extends Pick<Answers, "rows" | "predict">, Partial<Pick<Answers, "predictProba">> {
  /** One number per row for two classes. */
  readonly decisionFunction?: readonly (number | readonly number[])[];
  readonly codeBook?: readonly (readonly number[])[];
}

const tight = { tol: 1e-11, maxIter: 100_000 };
const members: Readonly<Record<string, Classifier>> = {
  LogisticRegression: new LogisticRegression(tight),
  "LogisticRegression, balanced": new LogisticRegression({ ...tight, classWeight: "balanced" }),
  LinearSVC: new LinearSVC({ ...tight, fitIntercept: false }),
  LinearDiscriminantAnalysis: new LinearDiscriminantAnalysis(),
  GaussianNB: new GaussianNB(),
  DecisionTreeClassifier: new DecisionTreeClassifier({ maxDepth: 1 }),
};

function estimatorOf({ estimator: kind, params, expected }: Case<Expected>): Classifier {
  const estimator = members[params["member"] as string]!;
  if (kind === "OneVsRestClassifier") return new OneVsRestClassifier({ estimator });
  if (kind === "OneVsOneClassifier") return new OneVsOneClassifier({ estimator });
  return new OutputCodeClassifier({ estimator, codeBook: expected.codeBook as (0 | 1)[][] });
}

describe("many classes made of two are scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("multiclass"))
    it(fixture.name, async () => {
      const { X, y } = await dataOf<string | number>(fixture);
      const { rows, predict, predictProba, decisionFunction } = fixture.expected;
      const sparse = fixture.params["member"] === "LogisticRegression";
      for (const form of sparse ? [X, CsrMatrix.fromDense(X as Matrix)] : [X]) {
        const model = estimatorOf(fixture).fit(form, y) as ReturnType<OneVsRestClassifier["fit"]>;
        const z = pick(X, rows);
        expect(model.predict(z)).toEqual(predict);
        // Solvers stop at gradients of 1e-11 and 1e-12; exact members round.
        if (predictProba) expectClose(model.predictProba(z).data, predictProba.flat(), 1e-6);
        // Pairs of classes that several columns separate have several best stumps, with other probabilities for third classes.
        if (!decisionFunction || fixture.params["member"] === "DecisionTreeClassifier") continue;
        // Of two classes by probabilities, the decision is less ½ here, so that its sign is the prediction.
        const byProbability = model.classes.length === 2 && fixture.params["member"] === "GaussianNB";
        const values = model.decisionFunction(z).data.map((value) => value + (byProbability ? 0.5 : 0));
        expectClose(values, decisionFunction.flat(), 1e-6);
      }
    });
});
