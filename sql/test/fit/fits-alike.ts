import { afterAll, describe, it } from "vitest";
import { fitInDatabase } from "../../src/index.js";
import type { FitCase, Sample } from "./cases.js";
import { type FitDatabase, tableOf } from "./databases.js";
import { expectSameState } from "./states.js";

/** The model of a fit in memory: what the database has to come to. */
export function fittedInMemory({ make }: FitCase, { columns, features, target, sampleWeight }: Sample) {
  const table = tableOf(columns);
  const X = tableOf(Object.fromEntries(features.map((name) => [name, columns[name]!])));
  const options = sampleWeight ? { sampleWeight: columns[sampleWeight] as number[] } : {};
  return target === undefined ? make().fit(X, options) : make().fit(X, table.column(target), options);
}

export interface FitsAlikeOptions {
  /**
   * Each case with one of its samples, the next case with its next one: for databases that differ from another in their dialect only, in
   * which weights, labels and offsets are what they are for all estimators. The deep tests take all samples.
   */
  readonly inTurn?: boolean;
}

/** Every case, fitted in the database and in memory: the same class with the same numbers. */
export function fitsAlike(
  database: FitDatabase,
  families: Readonly<Record<string, readonly FitCase[]>>,
  { inTurn = false }: FitsAlikeOptions = {},
): void {
  describe(database.name, () => {
    afterAll(() => database.close());
    for (const [family, cases] of Object.entries(families))
      describe(family, () => {
        for (const [c, one] of cases.entries())
          for (const sample of inTurn ? [one.samples[c % one.samples.length]!] : one.samples)
            it(`${one.name}: ${sample.name}`, async () => {
              const columns = database.seen?.(sample.columns) ?? sample.columns;
              const { features, target, sampleWeight } = sample;
              const rows = await database.rows(columns);
              const model = await fitInDatabase(one.make(), rows, {
                features,
                target,
                sampleWeight,
                ...one.options,
              });
              const expected = fittedInMemory(one, { ...sample, columns });
              expectSameState((model as never as typeof expected).toState(), expected.toState(), one);
            });
      });
  });
}
