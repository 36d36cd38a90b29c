import { describe, expect, it } from "vitest";
import type { FitOptions, MatrixLike } from "../../src/core/contract.js";
import { Matrix } from "../../src/data/matrix.js";
import { FittedNearestMean, NearestMean } from "../support/nearest-mean.js";
import { fittingChecks } from "./checks/fitting.js";
import { inputChecks } from "./checks/input.js";
import { targetChecks } from "./checks/targets.js";
import { weightChecks } from "./checks/weights.js";
import type { AnyEstimator, Check, Subject } from "./subject.js";

/** Each case breaks a sound estimator in one way; the suite must notice, and must let the sound one pass. */
type Fit = (honest: NearestMean, x: MatrixLike, y: never[], options?: FitOptions) => unknown;
const fitted = (means: Matrix, classes: readonly string[]) =>
  new FittedNearestMean({ shrink: 0 }, classes, means);

const sabotage: Record<string, Fit> = {
  "leaves X, y and weights as they are": (honest, x, y, options) => {
    if (x instanceof Matrix) x.data[0] = 7;
    return honest.fit(x, y, options);
  },
  "keeps what it learned when X changes afterwards, and does not hand out X or itself": (
    honest,
    x,
    y,
    options,
  ) => {
    const model = honest.fit(x, y, options);
    return x instanceof Matrix ? fitted(new Matrix(x.data.subarray(0, 12), 3, 4), model.classes) : model;
  },
  "learns the same bits from the same input": (honest, x, y, options) => {
    const { means, classes } = honest.fit(x, y, options);
    return fitted(
      new Matrix(
        means.data.map((value) => value + Math.random()),
        means.rows,
        means.cols,
      ),
      classes,
    );
  },
  "counts a row of weight 2 like the row twice": (honest, x, y) => honest.fit(x, y),
  "does not see rows of weight 0": (honest, x, y) => honest.fit(x, y),
  "does not depend on the order of the rows": (honest, x, y) =>
    honest.fit((x as number[][]).slice(0, 20), y.slice(0, 20)),
  "stays finite with a constant column, a column of zeros and a column twice": (honest, x, y) => {
    const { means, classes } = honest.fit(x, y);
    const broken = means.cols === 2 ? means.data.map((value) => value / 0) : means.data;
    return fitted(new Matrix(broken, means.rows, means.cols), classes);
  },
  "keeps the type and identity of labels, and sorts its classes": (honest, x, y) => {
    const { means, classes } = honest.fit(x, y);
    return fitted(means, classes.map(String));
  },
  "refuses one class, mixed labels and things that are not labels": (honest, x, y) => honest.fit(x, y),
  "refuses ragged rows": (honest, x, y) =>
    honest.fit(
      (x as number[][]).map((row) => [row[0]!, 1, 2, 3]),
      y,
    ),
  "does not start when its signal has already fired, and keeps the reason": (honest, x, y) =>
    honest.fit(x, y),
  "takes weights as any list of numbers, of any size": (honest, x, y, options) =>
    honest.fit(x, y, options?.sampleWeight instanceof Float64Array ? {} : options),
};

const checks = new Map(
  [...inputChecks, ...targetChecks, ...weightChecks, ...fittingChecks].map((check) => [check.claim, check]),
);

function subjectWith(fit: Fit): Subject {
  const make = () => {
    const honest = new NearestMean();
    return Object.create(honest, {
      fit: { value: (x: MatrixLike, y: never[], options?: FitOptions) => fit(honest, x, y, options) },
    }) as AnyEstimator;
  };
  return {
    name: "sabotage",
    type: NearestMean,
    make,
    build: make,
    iterative: false,
    agreement: { within: 1e-12, because: "sums in another order round differently" },
  };
}

describe("the conformance suite", () => {
  const passing = [
    "leaves X, y and weights as they are",
    "counts a row of weight 2 like the row twice",
    "refuses ragged rows",
  ];

  it.each(passing)("lets a sound estimator pass: %s", (claim) => {
    checks.get(claim)!.run(subjectWith((honest, x, y, options) => honest.fit(x, y, options)));
  });

  it.each(Object.entries(sabotage))("notices who does not keep the promise: %s", (claim, fit) => {
    const check = checks.get(claim) as Check;
    expect(check).toBeDefined();
    expect(() => check.run(subjectWith(fit))).toThrow();
  });
});
