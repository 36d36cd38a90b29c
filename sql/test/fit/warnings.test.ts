import { LogisticRegression, pipeline, SimpleImputer, tableVectorizer } from "argmax";
import { describe, expect, it } from "vitest";
import { compareInDatabase, crossValidateInDatabase, fitInDatabase } from "../../src/index.js";
import type { Cell } from "../tables.js";
import { openLocal, tableOf } from "./databases.js";

const of = (make: (i: number) => Cell) => Array.from({ length: 60 }, (_, i) => make(i));
const columns = {
  size: of((i) => Math.sin(i)),
  empty: of(() => null),
  name: of((i) => `row ${i}`),
  large: of((i) => Math.sin(i) + 0.3 * Math.cos(7 * i) > 0),
};
const rows = await openLocal().rows({ ...columns, empty: of(() => Number.NaN) });
const unfinished = () => new LogisticRegression({ maxIter: 1, penalty: "l1" });

const collected = () => {
  const found: string[] = [];
  return { found, onWarning: (warning: string) => found.push(warning) };
};

describe("warnings of fits in a database", () => {
  const cases = {
    "of a solver that stopped early": { make: unfinished, features: ["size"] },
    "of columns without values, and of the solver after them": {
      make: () => pipeline(new SimpleImputer(), unfinished()),
      features: ["size", "empty"],
    },
    "of columns that name rows": { make: () => tableVectorizer(), features: ["size", "name"] },
  };
  for (const [name, { make, features }] of Object.entries(cases))
    it(`are those of fits in memory: ${name}`, async () => {
      const [there, here] = [collected(), collected()];
      const given = { features, target: "large" };
      await fitInDatabase(make() as LogisticRegression, rows, { ...given, onWarning: there.onWarning });
      const X = tableOf({ ...columns, empty: of(() => Number.NaN) }).select(features);
      (make() as LogisticRegression).fit(X, columns.large as boolean[], { onWarning: here.onWarning });
      expect(here.found.length).toBeGreaterThan(0);
      expect(there.found).toEqual(here.found);
    });

  it("come once from the folds of a cross-validation", async () => {
    const { found, onWarning } = collected();
    await crossValidateInDatabase(unfinished(), rows, {
      features: ["size"],
      target: "large",
      cv: 3,
      onWarning,
    });
    expect(found).toHaveLength(1);
  });

  it("come once from models side by side", async () => {
    const { found, onWarning } = collected();
    const models = { one: unfinished(), other: unfinished() };
    const given = { features: ["size"], target: "large", cv: 2, models, onWarning };
    await compareInDatabase(rows, given);
    expect(found).toHaveLength(1);
  });
});
