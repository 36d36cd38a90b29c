import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { ModelEntry } from "../../state/document.js";
import type { Held, Trained } from "../../work/protocol.js";
import { cardText } from "./card-text.js";
import { httpCommands } from "./http-commands.js";

test("a shell passes the row of the request on as it is", () => {
  const row = JSON.stringify(
    Object.fromEntries([
      ["__proto__", 1],
      ['it\'s `$(touch x)` \\ "q"\n$HOME', "a'b"],
    ]),
  );
  const { request } = httpCommands("my-model", row);
  // curl is replaced by a function that prints its last argument.
  const printed = execFileSync(
    "sh",
    ["-c", `curl() { for last; do :; done; printf '%s' "$last"; }\n${request}`],
    {
      encoding: "utf8",
    },
  );
  expect(printed).toBe(row);
  expect(request).toContain("/v1/models/my-model/predict");
});

const held: Held = {
  rows: Int32Array.of(0, 1, 2, 3),
  truth: Float64Array.of(0, 0, 1, 1),
  predicted: Float64Array.of(0, 1, 1, 1),
  scores: Float64Array.of(0.9, 0.1, 0.4, 0.6, 0.2, 0.8, 0.3, 0.7),
  scale: "probability",
};

const trained = {
  task: "classification",
  classes: ["no", "yes | <b>"],
  metric: "accuracy",
  scores: [0.5, 1],
  held,
  warnings: ["did not *converge*"],
} as unknown as Trained;

const parts = {
  tableName: "# odd\nname",
  model: { id: "m1", estimator: "SVC", params: { C: 2 } } satisfies ModelEntry,
  roles: { table: "t", features: ["a|b"], target: "y`", group: null, task: "classification" },
  split: { kind: "folds", folds: 2, seed: 7 },
  trained,
  card: {
    target: "y`",
    task: "classification",
    rows: 4,
    inputs: [{ name: "a|b", kind: "numeric", missing: true, min: 1, max: 2.5, example: 1 }],
  },
} as const;

test("the card has the inputs, the held-out figures and the warnings, and names mark nothing up", () => {
  const text = cardText(parts);
  expect(text.split("\n")[0]).toBe("# SVM, Gaussian kernel of \\# odd name");
  expect(text).toContain("Predicts **y\\`** (classification) from 1 column of 4 rows.");
  expect(text).toContain("Classes: no, yes \\| \\<b\\>.");
  expect(text).toContain("| a\\|b | numeric | 1 to 2.5 | yes |");
  expect(text).toContain("- C: 2");
  expect(text).toMatch(/\| Accuracy \| 0\.750 \| 0\.301 – 0\.954 \|/);
  expect(text).toContain("2 shuffled folds, seed 7");
  expect(text).toContain("Mean accuracy of the folds: 0.750 (0.500, 1.000).");
  expect(text).toContain("- did not \\*converge\\*");
  expect(text).toContain("Fewer than 20 rows: no, yes \\| \\<b\\>");
});

test("clusters have no quality, values have their own", () => {
  const roles = { ...parts.roles, target: null, task: "clustering" } as const;
  const clusters = { ...trained, task: "clustering", classes: [], held: null } as unknown as Trained;
  expect(cardText({ ...parts, roles, trained: clusters })).toContain("Groups rows from 1 column");
  const values = {
    ...trained,
    task: "regression",
    classes: [],
    metric: "R²",
    held: {
      ...held,
      scores: null,
      truth: Float64Array.of(1, 2, 3, 4),
      predicted: Float64Array.of(1, 2, 3, 5),
    },
  } as unknown as Trained;
  expect(cardText({ ...parts, trained: values })).toContain("| RMSE | 0.500 |");
});
