import {
  type CsrMatrix,
  FittedKNeighborsClassifier,
  KNeighborsClassifier,
  KNeighborsRegressor,
  type Matrix,
  NearestCentroid,
  NearestNeighbors,
  RadiusNeighborsClassifier,
  RadiusNeighborsRegressor,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected extends Partial<Pick<Answers, "rows" | "classes" | "predict" | "predictProba" | "score">> {
  readonly distances?: readonly (readonly number[])[];
  readonly indices?: readonly (readonly number[])[];
  readonly centroids?: readonly (readonly number[])[];
}

// scikit-learn's brute force takes roots of ‖x‖² + ‖y‖² − 2x·y, which loses half of the digits of small distances.
const digits = 1e-7;

const all = casesOf<Expected>("neighbors");
const of = (...estimators: string[]) =>
  all
    .filter(({ estimator }) => estimators.includes(estimator))
    .map((fixture) => [fixture.name, fixture] as const);

async function rowsOf(fixture: Case<Expected>) {
  const { X, y } = await dataOf<Target>(fixture);
  const at = (first: number) =>
    Int32Array.from({ length: Math.ceil((X.rows - first) / 2) }, (_, i) => 2 * i + first);
  const part = (first: number) => ({
    X: X.selectRows(at(first)),
    y: Array.from(at(first), (i) => y[i]!),
  });
  return { X, train: part(0), test: part(1) };
}

describe("nearest rows", () => {
  it.each(of("NearestNeighbors"))(
    "%s: distances, and indices where they are not tied",
    async (_, fixture) => {
      const { X } = await dataOf<Target>(fixture);
      const { rows, distances, indices } = fixture.expected;
      const k = distances![0]!.length;
      const found = new NearestNeighbors(fixture.params).fit(X).kneighbors(null, { nNeighbors: k - 1 });
      const largest = Math.max(...distances!.flat());
      rows!.forEach((row, r) => {
        for (let e = 0; e < k - 1; e++) {
          const own = found.distances.at(row, e);
          const theirs = distances![r]!;
          expect(Math.abs(own - theirs[e]!)).toBeLessThanOrEqual(digits * largest);
          const gap = Math.min(theirs[e]! - (theirs[e - 1] ?? -Infinity), theirs[e + 1]! - theirs[e]!);
          if (gap > 2 * digits * largest) expect(found.indices[row * (k - 1) + e]).toBe(indices![r]![e]);
        }
      });
    },
  );

  it.each(of("radius"))("%s: all within the radius", async (_, fixture) => {
    const { X } = await dataOf<Target>(fixture);
    const { rows, distances, indices } = fixture.expected;
    const found = new NearestNeighbors(fixture.params).fit(X).radiusNeighbors(X.selectRows(rows!));
    rows!.forEach((_, r) => {
      const [from, to] = [found.starts[r]!, found.starts[r + 1]!];
      expect(Array.from(found.indices.subarray(from, to))).toEqual(indices![r]);
      expectClose(found.distances.subarray(from, to), distances![r]!, digits);
    });
  });
});

interface Probabilistic {
  predictProba(x: Matrix | CsrMatrix): Matrix;
}

function tiedRows(model: FittedKNeighborsClassifier<string>, X: Matrix | CsrMatrix): boolean[] {
  const k = model.params.nNeighbors;
  const { distances } = model.kneighbors(X, { nNeighbors: k + 1 });
  return Array.from({ length: X.rows }, (_, r) => distances.at(r, k) - distances.at(r, k - 1) < 1e-9);
}

const classifiers = { KNeighborsClassifier, RadiusNeighborsClassifier, NearestCentroid };
const regressors = { KNeighborsRegressor, RadiusNeighborsRegressor };

describe("predictions", () => {
  it.each(of(...Object.keys(classifiers)))("%s: labels and probabilities", async (_, fixture) => {
    const { train, test } = await rowsOf(fixture);
    const Type = classifiers[fixture.estimator as keyof typeof classifiers];
    const model = new Type(fixture.params as never).fit(train.X, train.y as string[]);
    const { predict, predictProba, centroids, classes, score } = fixture.expected;
    expect(model.classes).toEqual(classes);
    if (centroids)
      expectClose((model as unknown as { centroids: Matrix }).centroids.data, centroids.flat(), 1e-12);
    // A row whose k-th and next neighbour are equally far has other neighbours there, where ties are broken by chance.
    const tied =
      model instanceof FittedKNeighborsClassifier ? tiedRows(model, test.X) : test.y.map(() => false);
    expect(tied.filter((t) => !t).length).toBeGreaterThan(8);
    const predicted = model.predict(test.X);
    const p = predictProba && (model as unknown as Probabilistic).predictProba(test.X);
    tied.forEach((isTied, r) => {
      if (isTied) return;
      expect(predicted[r]).toBe(predict![r]);
      if (p) expectClose(p.row(r), predictProba[r]!, 1e-6);
    });
    if (!tied.includes(true)) expect(model.score(test.X, test.y as string[])).toBeCloseTo(score!, 12);
  });

  it.each(of(...Object.keys(regressors)))("%s: means", async (_, fixture) => {
    const { train, test } = await rowsOf(fixture);
    const Type = regressors[fixture.estimator as keyof typeof regressors];
    const model = new Type(fixture.params as never).fit(train.X, train.y as number[]);
    expectClose(model.predict(test.X), fixture.expected.predict as number[], 1e-9);
    expect(model.score(test.X, test.y as number[])).toBeCloseTo(fixture.expected.score!, 9);
  });
});
