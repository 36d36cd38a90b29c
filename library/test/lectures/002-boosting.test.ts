import { AdaBoostClassifier, DecisionStump, makeMoons } from "argmax";
import { describe, expect, it } from "vitest";

describe("C13 AdaBoost as minimisation of the exponential error", () => {
  const { X, y } = makeMoons({ nSamples: 200, noise: 0.25, randomState: 2 });
  const c = y.map((k) => (k === 1 ? 1 : -1));
  const estimator = new DecisionStump({ criterion: "error" });
  const model = new AdaBoostClassifier({ estimator, nEstimators: 25 }).fit(X, c);
  const k = model.members.map((member) => member.predict(X));
  /** C_m(v) of every row. */
  const sums = (m: number) =>
    c.map((_, i) => k.slice(0, m).reduce((sum, own, j) => sum + model.alphas[j]! * own[i]!, 0));
  const total = (C: readonly number[]) => C.reduce((sum, value, i) => sum + Math.exp(-c[i]! * value), 0);

  it("has α₁ = ½ ln(N_C / (N − N_C))", () => {
    const right = k[0]!.filter((label, i) => label === c[i]).length;
    expect(model.alphas[0]).toBeCloseTo(0.5 * Math.log(right / (c.length - right)), 12);
  });

  it("starts with the weak classifier that is wrong about the fewest samples", () => {
    let fewest = Infinity;
    for (let j = 0; j < 2; j++) {
      for (const t of X.column(j)) {
        for (const sign of [1, -1]) {
          const wrong = c.filter((ci, i) => (X.at(i, j) <= t ? -sign : sign) !== ci).length;
          fewest = Math.min(fewest, wrong);
        }
      }
    }
    expect(k[0]!.filter((label, i) => label !== c[i])).toHaveLength(fewest);
  });

  it("weighs samples by exp(−c C(v)) of the sum before, up to a factor", () => {
    for (const [m, weights] of [...model.stagedRowWeights(X, c)].entries()) {
      const C = sums(m);
      const E = total(C);
      for (const [i, w] of weights.entries()) expect(w).toBeCloseTo(Math.exp(-c[i]! * C[i]!) / E, 11);
    }
  });

  it("reports the total error, which falls each round, and no other α makes it smaller", () => {
    const N = c.length;
    for (let m = 1; m <= model.members.length; m++) {
      const E = total(sums(m));
      expect(N * model.exponentialErrors[m - 1]!).toBeCloseTo(E, 8);
      expect(E).toBeLessThan(total(sums(m - 1)));
      for (const step of [-0.01, 0.01]) {
        const moved = sums(m).map((value, i) => value + step * k[m - 1]![i]!);
        expect(total(moved)).toBeGreaterThan(E);
      }
    }
  });

  it("has α = 0 for a classifier that is right about half of the samples: it refuses to start with one", () => {
    expect(() => new AdaBoostClassifier({ estimator }).fit([[1], [1], [1], [1]], [1, 1, -1, -1])).toThrow(
      /guessing, 0.5/,
    );
  });

  it("predicts by the sign of C, with confidence |C(v)|, which is lower where it errs", () => {
    const C = sums(model.members.length);
    expect(model.predict(X)).toEqual(C.map(Math.sign));
    const confidence = model.confidence(X);
    for (const [i, value] of C.entries()) expect(confidence[i]).toBeCloseTo(Math.abs(value), 10);
    const mean = (rows: number[]) => rows.reduce((sum, i) => sum + confidence[i]!, 0) / rows.length;
    const all = C.map((_, i) => i);
    const wrong = all.filter((i) => C[i]! * c[i]! <= 0);
    expect(wrong.length).toBeGreaterThan(0);
    expect(mean(wrong)).toBeLessThan(mean(all.filter((i) => !wrong.includes(i))));
  });
});
