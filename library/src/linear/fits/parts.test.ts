import { describe, expect, it } from "vitest";
import { estimatorFromJson } from "../../persistence/index.js";
import { LinearClassifier } from "../linear-classifier.js";

type Loose = ConstructorParameters<typeof LinearClassifier>[0];
const make = (params: unknown) => new LinearClassifier(params as Loose);

describe("parts in JSON", () => {
  it("refuse keys they do not have, and name those they have", () => {
    expect(() => make({ penalty: { name: "l2", alhpa: 5 } })).toThrow(
      'penalty, l2: every key must be "alpha", got "alhpa"',
    );
    expect(() => make({ solver: { name: "newton", memory: 5 } })).toThrow("newton has no parameters");
  });

  it("name the parameter whose description is wrong", () => {
    expect(() => make({ penalty: { name: "l2", alpha: -1 } })).toThrow(/^penalty, l2: alpha must be/);
  });

  it("say so when no solver minimises a loss with a penalty", () => {
    expect(() => make({ loss: "hinge", penalty: { name: "l1Ball", radius: 1 }, solver: "sgd" })).toThrow(
      "none can with l1Ball",
    );
  });

  it("come back from their own description", () => {
    for (const params of [
      {
        loss: "hinge",
        penalty: { name: "elasticNet", alpha: 1, l1Ratio: 0.5 },
        solver: { name: "sgd", eta0: 0.1 },
      },
      {
        loss: "logistic",
        penalty: { name: "gaussianPrior", sigma: 2 },
        solver: { name: "lbfgs", memory: 5 },
      },
      { loss: "logistic", penalty: { name: "l2Ball", radius: 2 }, solver: "proximal" },
      { loss: "logistic", penalty: { name: "l2" }, solver: { name: "gradientDescent", learningRate: 0.1 } },
    ]) {
      const json = JSON.parse(JSON.stringify(make(params)));
      expect(JSON.parse(JSON.stringify(estimatorFromJson(json)))).toEqual(json);
    }
  });
});
