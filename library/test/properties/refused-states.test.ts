import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FormatError } from "../../src/core/errors.js";
import type { ModelState } from "../../src/core/state/state.js";
import { loadModel, saveModel } from "../../src/persistence/index.js";
import { readModelFile } from "../../src/persistence/model-file.js";

/** The state in a committed file with a change, as a file with a right checksum. */
function forged(file: string, change: (state: ModelState) => void): Uint8Array {
  const bytes = readFileSync(new URL(`../model-files/fixtures/v1/${file}.safetensors`, import.meta.url));
  const state = structuredClone(readModelFile("test", bytes));
  change(state);
  return saveModel({ toState: () => state, nFeatures: 0 });
}

const filled = (name: string, value: number) => (state: ModelState) => {
  state.tensors[name]!.data.fill(value);
};

test.each([
  ["adaboostclassifier", "estimatorWeights", 0, "numbers ≥ 0, not all 0, got [0, 0, 0]"],
  ["adaboostclassifier", "estimatorWeights", Infinity, "finite numbers, got Infinity"],
  ["votingclassifier", "weights", -1, "numbers ≥ 0, not all 0, got [-1, -1]"],
  ["votingregressor", "weights", 0, "numbers ≥ 0, not all 0, got [0, 0]"],
  ["standardscaler", "mean", Infinity, "finite numbers, got Infinity"],
  ["robustscaler", "center", -Infinity, "finite numbers, got -Infinity"],
  ["quantiletransformer", "quantiles", -Infinity, "finite numbers, got -Infinity"],
  ["targetencoder", "means", Infinity, "finite numbers, got Infinity"],
  ["targetencoder", "encodings", Infinity, "finite numbers, got Infinity"],
  ["decisionstump", "leaves", Infinity, "class proportions, got [Infinity, Infinity, Infinity, Infinity]"],
  ["cascade", "costs", Infinity, "finite numbers, got Infinity"],
])("a file of %s whose %s are %d is refused with the reason", (file, name, value, reason) => {
  const bytes = forged(file, filled(name, value));
  expect(() => loadModel(bytes)).toThrow(FormatError);
  expect(() => loadModel(bytes)).toThrow(`${name} must be ${reason}.`);
});

test("a dummy that predicts an infinite number is refused", () => {
  const bytes = forged("dummyregressor", ({ values }) => {
    (values as Record<string, number>).prediction = Infinity;
  });
  expect(() => loadModel(bytes)).toThrow("prediction must be a finite number, got Infinity.");
});

test.each(["votingregressor", "stackingregressor", "baggingregressor", "adaboostregressor"])(
  "a member of several targets is refused by %s",
  (file) => {
    const donor = readFileSync(
      new URL("../model-files/fixtures/v1/decisiontreeregressor-of-two-targets.safetensors", import.meta.url),
    );
    const bytes = forged(file, (state) => {
      (state.parts as ModelState[])[0] = readModelFile("test", donor);
    });
    expect(() => loadModel(bytes)).toThrow(FormatError);
  },
);
