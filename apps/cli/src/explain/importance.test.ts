import { LogisticRegression, Table } from "argmax";
import { expect, test } from "vitest";
import { recorder } from "../../test/support/recorder.js";
import { measureImportance } from "./importance.js";

const X = Table.fromColumns({ used: [0, 1, 2, 3, 4, 5], constant: [1, 1, 1, 1, 1, 1] });
const y = ["low", "low", "low", "high", "high", "high"];
const model = new LogisticRegression().fit(X, y);
const { terminal, written: drawn } = recorder();
const settings = { names: X.columnNames, repeats: 3, seed: 0, top: 5, terminal };

test("a column that never changes has no importance, and the bar names the column", async () => {
  const { signal } = new AbortController();
  const found = await measureImportance(model as never, X, y, { ...settings, signal });
  expect(found.baseline).toBe(1);
  expect(found.mean[0]).toBeGreaterThan(0);
  expect(found.mean[1]).toBe(0);
  expect(found.repeats.cols).toBe(3);
  expect(drawn[0]).toContain("permutation importance · as it is");
});

test("Ctrl-C ends between two repeats and says how far it came", async () => {
  const signal = AbortSignal.abort();
  await expect(measureImportance(model as never, X, y, { ...settings, signal })).rejects.toThrow(
    "Stopped after 1 of 3 repeats; --repeats 1 computes as much.",
  );
});
