import { type LoadedModel, type Structure, structure } from "argmax";
import { expect, test } from "vitest";
import { knowledge } from "./knowledge.js";

test("a linear model that the command line does not know has its coefficients", () => {
  const tariff = {
    nFeatures: 2,
    featureNamesIn: ["km", "minutes"],
    [structure]: (): Structure => ({
      kind: "regressor",
      inputs: { count: 2, names: ["km", "minutes"] },
      steps: [],
      targets: null,
      scores: {
        kind: "linear",
        coef: { data: Float64Array.of(1.5, 0.25), rows: 1, cols: 2 },
        intercept: Float64Array.of(3),
      },
      link: "identity",
    }),
    toState: () => ({ kind: "Tariff", params: {}, values: {}, tensors: {} }),
  };
  const opened = { name: "tariff", model: tariff as LoadedModel, card: undefined };
  const { objects } = knowledge(opened, { top: 10, chosen: undefined });
  expect(objects.slice(1)).toEqual([
    { type: "coefficient", feature: "km", value: 1.5 },
    { type: "coefficient", feature: "minutes", value: 0.25 },
    { type: "intercept", value: 3 },
  ]);
});
