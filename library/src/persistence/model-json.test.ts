import { expect, it } from "vitest";
import { KNeighborsRegressor } from "../neighbors/index.js";
import { Pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { modelToJson } from "./index.js";

it("writes tensors with their shapes, parts inside, and numbers that JSON lacks as text", () => {
  const X = [
    [1, 4],
    [3, 8],
  ];
  const pipeline = new Pipeline({
    steps: [new StandardScaler(), new KNeighborsRegressor({ nNeighbors: 1 })],
  });
  const { format, card, model } = JSON.parse(modelToJson(pipeline.fit(X, [1, 2])));
  expect([format, card, model.kind]).toEqual(["argmax", undefined, "Pipeline"]);
  expect(model.parts[0].tensors.mean).toEqual({ shape: [2], data: [2, 6] });
  const endless = {
    nFeatures: 1,
    toState: () => ({
      kind: "Endless",
      params: {},
      values: { of: "numbers" },
      tensors: { edge: { shape: [1, 2], data: Float64Array.of(-Infinity, 0.5) } },
    }),
  };
  expect(JSON.parse(modelToJson(endless)).model).toEqual({
    kind: "Endless",
    params: {},
    values: { of: "numbers" },
    tensors: { edge: { shape: [1, 2], data: ["-Infinity", 0.5] } },
  });
});
