import { type Matrix, MLPClassifier, MLPRegressor } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected extends Pick<Answers, "rows">, Partial<Pick<Answers, "predictProba" | "score">> {
  readonly loss: number;
  readonly iterations: number;
  readonly lossCurve?: readonly number[];
  readonly coefs: readonly (readonly (readonly number[])[])[];
  readonly intercept: readonly number[];
  readonly predict?: readonly number[];
}

/** The numbers of `start` in tools/parity/neural/neural.py. */
function startOf(sizes: readonly number[]) {
  const layers = sizes.slice(1).map((m, layer) => {
    const d = sizes[layer]!;
    const bound = Math.sqrt(6 / (d + m));
    const draw = (count: number, shift: number) =>
      Array.from({ length: count }, (_, e) => ((((e + 1) * 7919 + shift) % 2000) / 1000 - 1) * bound);
    const flat = draw(d * m, 104729 * layer);
    const coefs = Array.from({ length: d }, (_, i) => flat.slice(i * m, (i + 1) * m));
    return { coefs, intercepts: draw(m, 104729 * layer + 13) };
  });
  return { coefs: layers.map(({ coefs }) => coefs), intercepts: layers.map(({ intercepts }) => intercepts) };
}

/** The numbers of `drawn_start` in tools/parity/neural/neural.py [Park & Miller 1988]. */
function drawnStart(sizes: readonly number[], seed: number) {
  let state = 1000 + seed;
  const draw = (count: number, bound: number) =>
    Array.from({ length: count }, () => {
      state = (state * 16807) % 2147483647;
      return ((state / 2147483647) * 2 - 1) * bound;
    });
  const coefs: number[][][] = [];
  const intercepts: number[][] = [];
  for (const [layer, m] of sizes.slice(1).entries()) {
    const d = sizes[layer]!;
    const bound = Math.sqrt(6 / (d + m));
    coefs.push(Array.from({ length: d }, () => draw(m, bound)));
    intercepts.push(draw(m, bound));
  }
  return { coefs, intercepts };
}

const all = casesOf<Expected>("neural");
const of = (estimator: string) =>
  all.filter((fixture) => fixture.estimator === estimator).map((fixture) => [fixture.name, fixture] as const);

async function fitted(fixture: Case<Expected>, dtype: "float32" | "float64") {
  const { X, y } = (await dataOf<Target>(fixture)) as { X: Matrix; y: readonly Target[] };
  const hidden = fixture.params["hiddenLayerSizes"] as number[];
  const classes = new Set(y).size;
  if (fixture.estimator === "MLPRegressor") {
    const start = startOf([X.cols, ...hidden, 1]);
    const model = new MLPRegressor({ ...fixture.params, dtype }).fit(X, y as number[], { start });
    return { X, y, model, answers: Array.from(model.predict(X.selectRows(fixture.expected.rows))) };
  }
  const start = startOf([X.cols, ...hidden, classes === 2 ? 1 : classes]);
  const model = new MLPClassifier({ ...fixture.params, dtype }).fit(X, y, { start });
  const answers = Array.from(model.predictProba(X.selectRows(fixture.expected.rows)).data);
  return { X, y, model, answers };
}

const stochastic = [...of("MLPClassifier"), ...of("MLPRegressor")].filter(
  ([, { params }]) => params["solver"] !== "lbfgs",
);
const batch = [...of("MLPClassifier"), ...of("MLPRegressor")].filter(
  ([, { params }]) => params["solver"] === "lbfgs",
);

/** Losses of regressions are in the thousands: a difference relative to the largest. */
const scaleOf = (values: readonly number[]) => Math.max(1, ...values.map(Math.abs));

describe("training from the same weights, with the rows in the same order", () => {
  it.each(stochastic)("%s: the loss of every epoch in 64 bits", async (_, fixture) => {
    const { model, answers } = await fitted(fixture, "float64");
    const { expected } = fixture;
    expect(model.lossCurve).toHaveLength(expected.lossCurve!.length);
    // Sums of other lengths round differently, and a rectifier near 0 doubles what is lost; far below 1e-6.
    const scale = scaleOf(expected.lossCurve!);
    expectClose(model.lossCurve, expected.lossCurve!, 1e-6 * scale);
    expect(model.report.iterations).toBe(expected.iterations);
    const wanted = expected.predictProba?.flat() ?? expected.predict!;
    expectClose(answers, wanted, 1e-6 * scaleOf(wanted));
    const corner = (
      coefs: { data: ArrayLike<number>; shape: readonly number[] },
      rows: number,
      cols: number,
    ) =>
      Array.from(
        { length: rows * cols },
        (__, e) => coefs.data[Math.floor(e / cols) * coefs.shape[1]! + (e % cols)]!,
      );
    for (const [k, coefs] of [model.coefs[0]!, model.coefs.at(-1)!].entries()) {
      const part = expected.coefs[k]!;
      expectClose(corner(coefs, part.length, part[0]!.length), part.flat(), 1e-6);
    }
    expectClose(model.intercepts.at(-1)!, expected.intercept, 1e-6);
  });

  it.each(stochastic)("%s: the loss of every epoch in 32 bits, to their rounding", async (_, fixture) => {
    const { model } = await fitted(fixture, "float32");
    const { expected } = fixture;
    // 24 bits are 6e-8; every step adds its own, and there are some hundred steps.
    const scale = scaleOf(expected.lossCurve!);
    const shared = Math.min(model.lossCurve.length, expected.lossCurve!.length);
    expectClose(model.lossCurve.slice(0, shared), expected.lossCurve!.slice(0, shared), 2e-4 * scale);
    expect(Math.abs(model.lossCurve.length - expected.lossCurve!.length)).toBeLessThanOrEqual(2);
  });
});

describe("L-BFGS", () => {
  it.each(batch)("%s: no worse a minimum than scikit-learn's from the same weights", async (_, fixture) => {
    const { model } = await fitted(fixture, "float64");
    // A network has many minima: from one start both find the same one, unless a step of the line search crosses a ridge.
    expect(model.report.objective).toBeLessThan(fixture.expected.loss * (1 + 1e-4));
  });
});

interface StartsExpected {
  readonly losses: readonly number[];
  readonly iterations: readonly number[];
}
const starts = casesOf<StartsExpected>("neural-starts").map((fixture) => [fixture.name, fixture] as const);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

describe("L-BFGS with rectifiers, which from one start ends in a better or worse minimum by chance", () => {
  it.each(starts)("%s: the median loss is no worse than scikit-learn's", async (_, fixture) => {
    const { X, y } = (await dataOf<Target>(fixture)) as { X: Matrix; y: readonly Target[] };
    const classes = new Set(y).size;
    const sizes = [X.cols, 10, classes === 2 ? 1 : classes];
    const { losses } = fixture.expected;
    const ours = losses.map((__, seed) => {
      const model = new MLPClassifier(fixture.params).fit(X, y, { start: drawnStart(sizes, seed) });
      return model.report.objective!;
    });
    // Rounding moves this median by less than 1e-4 of itself; see tools/parity/neural/neural.py.
    expect(median(ours)).toBeLessThan(median(losses) * (1 + 1e-3));
  });
});
