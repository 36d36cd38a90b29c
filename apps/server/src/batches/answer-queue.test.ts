import {
  DecisionTreeClassifier,
  KNeighborsClassifier,
  LogisticRegression,
  MLPClassifier,
  saveModel,
} from "argmax";
import { describe, expect, test } from "vitest";
import { answer } from "../answers/answer.js";
import type { Call } from "../answers/call.js";
import { serveModel } from "../model/served-model.js";
import { AnswerQueue } from "./answer-queue.js";

const call: Call = {
  task: "predict",
  format: "json",
  accept: "json",
  probabilities: true,
  maxRows: 100,
  firstRow: 0,
};
const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
const labels = rows.map(([a, b]) => (a! > b! ? "u" : "v"));
const body = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const queue = new AnswerQueue(() => {});

describe("requests that are answered together", () => {
  const estimators = [
    new LogisticRegression(),
    new DecisionTreeClassifier(),
    new MLPClassifier({ maxIter: 20 }),
    new KNeighborsClassifier(),
  ];
  test.each(estimators.map((one) => [one.id, one] as const))(
    "have the same bits as alone: %s",
    async (_, estimator) => {
      const model = serveModel("m", "1", saveModel(estimator.fit(rows, labels)));
      const bodies = rows.map((row, i) =>
        body(i % 3 === 0 ? [row] : i % 3 === 1 ? { rows: [row, row] } : row),
      );
      const together = await Promise.all(bodies.map((one) => queue.answer(model, one, call)));
      expect(together).toEqual(bodies.map((one) => answer(model, one, call)));
    },
  );

  test("with wrong ones among them: each has its own answer", async () => {
    const model = serveModel("m", "1", saveModel(new LogisticRegression().fit(rows, labels)));
    const given = [
      [1, 2],
      "{",
      { rows: [[1]] },
      { rows: [[1, 2]], probabilities: false },
      [3, 4],
      { rows: [] },
    ];
    const together = await Promise.all(given.map((one) => queue.answer(model, body(one), call)));
    expect(together.map(({ status }) => status)).toEqual([200, 400, 422, 200, 200, 422]);
    expect(together).toEqual(given.map((one) => answer(model, body(one), call)));
  });

  test("of several models, tasks and settings", async () => {
    const models = ["a", "b"].map((name) =>
      serveModel(name, "1", saveModel(new LogisticRegression().fit(rows, labels))),
    );
    const tensor = { inputs: [{ name: "input", shape: [1, 2], datatype: "FP64", data: [1, 2] }] };
    const calls = Array.from({ length: 30 }, (_, i) => {
      const infer = i % 5 === 0;
      const own: Call = { ...call, task: infer ? "infer" : "predict", probabilities: i % 3 > 0 };
      return [models[i % 2]!, body(infer ? tensor : [i, 1]), own] as const;
    });
    const together = await Promise.all(calls.map((one) => queue.answer(...one)));
    expect(together).toEqual(calls.map((one) => answer(...one)));
  });
});
