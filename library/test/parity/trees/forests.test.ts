import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  type Matrix,
  RandomForestClassifier,
  RandomForestRegressor,
} from "argmax";
import { describe, expect, it } from "vitest";
import { type Case, casesOf, dataOf } from "../fixtures.js";

/** Of forests on the odd rows, judged by the even ones: one number a seed. */
interface Expected {
  readonly scores: readonly number[];
  readonly oob?: readonly number[];
  /** Mean and deviation over the seeds, by column. */
  readonly importances: readonly number[];
  readonly deviations: readonly number[];
}

const forests = { RandomForestClassifier, ExtraTreesClassifier, RandomForestRegressor, ExtraTreesRegressor };
type Model = ReturnType<InstanceType<(typeof forests)[keyof typeof forests]>["fit"]>;
const SEEDS = 8;

const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
const variance = (list: readonly number[]) =>
  list.reduce((sum, v) => sum + (v - mean(list)) ** 2, 0) / (list.length - 1);

/** Two means of one thing: within four standard errors of their difference, which chance passes 6 times in 100,000. */
function expectSameMean(ours: readonly number[], theirs: readonly number[]): void {
  const error = Math.sqrt(variance(ours) / ours.length + variance(theirs) / theirs.length);
  expect(Math.abs(mean(ours) - mean(theirs))).toBeLessThan(4 * error);
}

const cases = casesOf<Expected>("forests");

/** Forests of our own on the same rows. */
async function grown(fixture: Case<Expected>) {
  const { X, y } = await dataOf<never>(fixture);
  const part = (odd: number) => {
    const rows = Int32Array.from(y.keys()).filter((i) => i % 2 === odd);
    return { X: (X as Matrix).selectRows(rows), y: Array.from(rows, (i) => y[i]!) };
  };
  const [test, train] = [part(0), part(1)];
  const Forest = forests[fixture.estimator as keyof typeof forests];
  const oobScore = fixture.expected.oob !== undefined;
  const models = Array.from({ length: SEEDS }, (_, randomState) => {
    const forest = new Forest({ ...fixture.params, randomState, oobScore });
    return (forest as RandomForestRegressor).fit(train.X, train.y as ArrayLike<number>) as Model;
  });
  return { models, test };
}

describe("forests are as good as scikit-learn's, and for the same reasons", () => {
  it.each(cases.map((fixture) => [fixture.name, fixture] as const))("%s", async (_, fixture) => {
    const { models, test } = await grown(fixture);
    const { scores, oob } = fixture.expected;
    const ours = models.map((model) => model.score(test.X, test.y));
    expectSameMean(ours, scores);
    const left = models.map((model) => model.oobScore);
    if (oob) expectSameMean(left as number[], oob);
    expectSameImportances(models, fixture.expected);
  });
});

/** Of full trees most splits are ties: a forest that preferred some columns among equals would show it here. */
function expectSameImportances(
  models: readonly { readonly featureImportances: Float64Array }[],
  { scores, importances, deviations }: Expected,
): void {
  for (const [j, theirs] of importances.entries()) {
    const ours = models.map((model) => model.featureImportances[j]!);
    const error = deviations[j]! * Math.sqrt(1 / scores.length + 1 / SEEDS);
    // Sixty columns at once, with deviations from ten seeds: six standard errors. Some columns are asked about once in a forest.
    expect(Math.abs(mean(ours) - theirs)).toBeLessThan(6 * error + 1e-4);
  }
}
