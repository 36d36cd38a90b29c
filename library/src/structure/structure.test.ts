import { describe, expect, it } from "vitest";
import { explain } from "../inspection/index.js";
import { LogisticRegression } from "../linear/index.js";
import { toOnnx } from "../onnx/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { SVC } from "../svm/index.js";
import { evaluate, linearScoresOf, type Structure, structure, structureOf } from "./index.js";

/** A linear model that no part of the library knows: price = 3 + 1.5 km + 0.25 minutes. */
class Tariff {
  readonly nFeatures = 2;
  readonly featureNamesIn = ["km", "minutes"];

  [structure](): Structure {
    const coef = { data: Float64Array.of(1.5, 0.25), rows: 1, cols: 2 };
    return {
      kind: "regressor",
      inputs: { count: 2, names: this.featureNamesIn },
      steps: [],
      targets: null,
      scores: { kind: "linear", coef, intercept: Float64Array.of(3) },
      link: "identity",
    };
  }

  toState() {
    return { kind: "Tariff", params: {}, values: {}, tensors: {} };
  }
}

describe("a model that describes itself", () => {
  it("is evaluated", () => {
    expect([...evaluate(structureOf(new Tariff()), [[10, 20]]).values!.data]).toEqual([23]);
  });

  it("is explained exactly", () => {
    const explanation = explain(new Tariff(), [[10, 20]], { background: [[2, 4]] });
    expect(explanation.method).toBe("linear");
    expect([...explanation.contributions(0, 0)]).toEqual([12, 4]);
  });

  it("is exported to ONNX", () => {
    expect(new TextDecoder("latin1").decode(toOnnx(new Tariff()))).toContain("minutes");
  });
});

describe("structures", () => {
  const X = [
    [1, 5],
    [2, 3],
    [3, 9],
    [4, 1],
    [5, 2],
    [7, 7],
  ];
  const y = ["a", "a", "b", "a", "b", "b"];

  it("of an object that describes nothing have a reason", () => {
    expect(structureOf({})).toEqual({ kind: "undescribed", reason: "its class does not describe itself" });
  });

  it("of a pipeline are the whole computation, from the columns of the first step", () => {
    const model = pipeline(new StandardScaler(), new LogisticRegression()).fit(X, y);
    const described = structureOf(model);
    expect(described).toMatchObject({
      kind: "classifier",
      inputs: { count: 2 },
      steps: [{ kind: "affine" }],
    });
    expect(evaluate(described, X).labels).toEqual(model.predict(X));
  });

  it("of a linear kernel are linear scores, far from the origin too", () => {
    const far = X.map(([a, b]) => [a! + 1e6, b! - 1e6]);
    const model = new SVC({ kernel: "linear" }).fit(far, y);
    const described = structureOf(model);
    if (described.kind !== "classifier") throw new Error("not a classifier");
    const { coef, intercept, origin } = linearScoresOf(described.scores)!;
    const scores = far.map((row) =>
      row.reduce((sum, value, j) => sum + coef.data[j]! * (value - origin![j]!), intercept[0]!),
    );
    // Differences of numbers near 1e6 keep ten digits.
    for (const [i, score] of model.decisionFunction(far).data.entries())
      expect(scores[i]).toBeCloseTo(score, 6);
  });

  it("are refused by the evaluator where they are not described, with the reason", () => {
    expect(() => evaluate({ kind: "undescribed", reason: "it draws" }, X)).toThrow(/none, since it draws/);
  });
});
