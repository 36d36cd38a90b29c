import { AdaBoostClassifier } from "argmax/adaboost";
import { preparedFor } from "argmax/compare";
import type { FittedClassifier } from "argmax/core";
import { loadModel } from "argmax/persistence";
import { expect, test, vi } from "vitest";
import { heldTables } from "../../../test/worker-context.js";
import type { Kept, Roles, TrainNews } from "../protocol.js";
import { train, trainingRows } from "./train.js";

const held = await heldTables("penguins");
const roles: Roles = {
  table: "penguins",
  features: ["island", "billLength", "bodyMass", "sex"],
  target: "species",
  group: null,
  task: "classification",
};
const split = { kind: "folds", folds: 2, seed: 0 } as const;

/** What is kept during a fit, with a clock that goes on by 10 ms whenever it is looked at. */
async function keptOf(estimator: string, params: object): Promise<{ kept: Kept[]; file: Uint8Array }> {
  const kept: Kept[] = [];
  const news = (one: TrainNews) => {
    if (one.kept !== undefined) kept.push(one.kept);
  };
  const context = { held, news, isStopped: () => false, breathe: async () => {} };
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 10;
    return now;
  });
  const ask = { roles, model: { estimator, params: { ...params } }, split, preview: null };
  const { file } = await train(ask, context);
  clock.mockRestore();
  return { kept, file };
}

test("a model that is stopped is that of its last step, behind the steps that the table needs", async () => {
  const { kept, file } = await keptOf("AdaBoostClassifier", {
    nEstimators: 200,
    learningRate: 0.1,
    randomState: 0,
  });
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.at(-1)).toMatchObject({ step: null, trained: { scores: [], held: null } });
  expect(kept.at(-1)!.trained.file).toEqual(file);
  const { x, y } = trainingRows(held.table("penguins"), roles);
  for (const { step, trained } of kept.slice(0, -1)) {
    expect(step!.total).toBe(200);
    const params = { nEstimators: step!.at, learningRate: 0.1, randomState: 0 };
    const short = preparedFor(new AdaBoostClassifier(params), x).fit(x as never, y as never);
    const predicted = (model: object) => (model as FittedClassifier<string>).predict(x);
    expect(predicted(loadModel(trained.file))).toEqual(predicted(short));
  }
});

test("members of a model are not taken for the model", async () => {
  const { kept } = await keptOf("BaggingClassifier", { nEstimators: 100, randomState: 0 });
  for (const { trained } of kept) {
    const { parts } = loadModel(trained.file).toState();
    expect(parts?.at(-1)?.kind).toBe("BaggingClassifier");
  }
});
