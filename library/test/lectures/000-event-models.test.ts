import { LogisticRegression, makeCircles } from "argmax";
import { describe, expect, it } from "vitest";

describe("A5 logistic regression with polynomial terms", () => {
  const { X, y } = makeCircles({ nSamples: 200, noise: 0.05, factor: 0.5, randomState: 3 });
  const rows = X.toArray();

  it("a line cannot separate a circle from the ring around it", () => {
    expect(new LogisticRegression().fit(rows, y).score(rows, y)).toBeLessThan(0.7);
  });

  it("the hypothesis σ(w·(v₁, v₂, v₁², v₁v₂, v₂²) + b) separates them", () => {
    const mapped = rows.map(([a, b]) => [a!, b!, a! * a!, a! * b!, b! * b!]);
    const model = new LogisticRegression({ C: 100 }).fit(mapped, y);
    expect(model.score(mapped, y)).toBe(1);
    // The boundary is a circle: equal weight on both squares, next to none on the product.
    const [, , aa, ab, bb] = model.coef.row(0);
    expect(Math.abs(aa! - bb!) / Math.abs(aa!)).toBeLessThan(0.2);
    expect(Math.abs(ab! / aa!)).toBeLessThan(0.2);
  });
});
