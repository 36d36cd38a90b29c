import { AdaBoostClassifier, DecisionStump, makeMoons } from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

/** The lecture's algorithm, line by line. */
function lecture(
  X: readonly (readonly number[])[],
  t: readonly number[],
  T: number,
  form: "exp(−α t h)" | "exp(2α [h ≠ t])",
  normalise: boolean,
) {
  const N = t.length;
  let w = t.map(() => 1 / N);
  const rounds: { alpha: number; err: number; h: number[]; w: number[] }[] = [];
  for (let round = 0; round < T; round++) {
    const h = new DecisionStump({ criterion: "error" }).fit(X, t, { sampleWeight: w }).predict(X);
    const wrong = w.reduce((sum, wn, n) => sum + (h[n] === t[n] ? 0 : wn), 0);
    const err = wrong / w.reduce((sum, wn) => sum + wn, 0);
    const alpha = 0.5 * Math.log((1 - err) / err);
    rounds.push({ alpha, err, h, w });
    w = w.map((wn, n) =>
      form === "exp(−α t h)"
        ? wn * Math.exp(-alpha * t[n]! * h[n]!)
        : wn * Math.exp(2 * alpha * (h[n] === t[n] ? 0 : 1)),
    );
    const total = normalise ? w.reduce((sum, wn) => sum + wn, 0) : 1;
    w = w.map((wn) => wn / total);
  }
  return rounds;
}

describe("B15 AdaBoost of stumps", () => {
  const data = makeMoons({ nSamples: 150, noise: 0.25, randomState: 4 });
  const X = data.X.toArray();
  const t = data.y.map((k) => (k === 1 ? 1 : -1));
  const T = 15;
  const model = new AdaBoostClassifier({
    estimator: new DecisionStump({ criterion: "error" }),
    nEstimators: T,
  }).fit(X, t);
  const forms = (["exp(−α t h)", "exp(2α [h ≠ t])"] as const).flatMap((form) =>
    [true, false].map((normalise) => ({ form, normalise })),
  );

  it.each(forms)("is the lecture's with weights $form, normalised: $normalise", ({ form, normalise }) => {
    const rounds = lecture(X, t, T, form, normalise);
    const weights = [...model.stagedRowWeights(X, t)];
    for (const [m, { alpha, err, w }] of rounds.entries()) {
      expect(model.alphas[m]).toBeCloseTo(alpha, 9);
      expect(model.estimatorErrors[m]).toBeCloseTo(err, 10);
      const total = w.reduce((sum, wn) => sum + wn, 0);
      for (const [n, wn] of w.entries()) expect(weights[m]![n]).toBeCloseTo(wn / total, 10);
    }
    const H = X.map((_, n) => Math.sign(rounds.reduce((sum, { alpha, h }) => sum + alpha * h[n]!, 0)));
    expect(model.predict(X)).toEqual(H);
  });

  it("gives rows that a member got wrong half of all weight in the next round", () => {
    const weights = [...model.stagedRowWeights(X, t)];
    const h = model.members.map((member) => member.predict(X));
    for (let m = 0; m + 1 < T; m++) {
      const wrong = weights[m + 1]!.reduce((sum, w, n) => sum + (h[m]![n] === t[n] ? 0 : w), 0);
      expect(wrong).toBeCloseTo(0.5, 12);
    }
  });

  it("reduces bias: many stumps fit what one cannot", async () => {
    const { X: Z, y } = await loadDataset("breastCancer");
    const [first, ...rest] = [...new AdaBoostClassifier({ nEstimators: 60 }).fit(Z, y).stagedScore(Z, y)];
    expect(first).toBeLessThan(0.93);
    expect(rest.at(-1)).toBeGreaterThan(0.99);
  });
});
