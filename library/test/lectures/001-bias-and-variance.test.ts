import { BaggingRegressor, DecisionTreeRegressor, HistGradientBoostingRegressor, Random } from "argmax";
import { describe, expect, it } from "vitest";

const truth = (x: number) => Math.sin(3 * x);
const grid = Array.from({ length: 40 }, (_, i) => [-1 + i / 20]);

interface Regressor {
  fit(x: number[][], y: number[]): { predict(x: number[][]): ArrayLike<number> };
}

/** Bias² and variance over many samples, averaged over the grid. */
function decompose(estimator: (sample: number) => Regressor, samples = 40) {
  const predictions = Array.from({ length: samples }, (_, sample) => {
    const random = new Random(100 + sample);
    const x = Array.from({ length: 60 }, () => [2 * random.uniform() - 1]);
    const y = x.map(([v]) => truth(v!) + 0.4 * random.normal());
    return Array.from(estimator(sample).fit(x, y).predict(grid));
  });
  let [bias, variance] = [0, 0];
  grid.forEach(([x], g) => {
    const mean = predictions.reduce((sum, p) => sum + p[g]!, 0) / samples;
    bias += (mean - truth(x!)) ** 2 / grid.length;
    variance += predictions.reduce((sum, p) => sum + (p[g]! - mean) ** 2, 0) / (samples - 1) / grid.length;
  });
  return { bias, variance };
}

describe("X19 bias and variance of ensembles, measured over resamples", () => {
  const tree = decompose(() => new DecisionTreeRegressor());

  it("bagging keeps the bias and lowers the variance", () => {
    const bag = decompose(
      (randomState) =>
        new BaggingRegressor({ estimator: new DecisionTreeRegressor(), nEstimators: 30, randomState }),
    );
    expect(bag.variance).toBeLessThan(0.7 * tree.variance);
    // Both are next to nothing beside the variance.
    expect(bag.bias).toBeLessThan(0.1 * tree.variance);
    expect(Math.abs(bag.bias - tree.bias)).toBeLessThan(0.1 * tree.variance);
  });

  it("boosting lowers the bias of stumps, and raises their variance", () => {
    const rounds = (maxIter: number) =>
      decompose(
        () =>
          new HistGradientBoostingRegressor({
            maxIter,
            maxLeafNodes: 2,
            minSamplesLeaf: 1,
            learningRate: 0.3,
          }),
      );
    const [few, many] = [rounds(1), rounds(100)];
    expect(many.bias).toBeLessThan(0.1 * few.bias);
    expect(many.variance).toBeGreaterThan(2 * few.variance);
  });

  it("members of correlation ρ leave ρ + (1 − ρ)/m of their variance in the mean of m", () => {
    // Many samples, m trees of bootstrap samples each: correlation of two members, and variance of the mean, at every point.
    const [m, samples] = [10, 60];
    const random = new Random(19);
    const members = Array.from({ length: samples }, () => {
      const x = Array.from({ length: 40 }, () => [2 * random.uniform() - 1]);
      const y = x.map(([v]) => truth(v!) + 0.4 * random.normal());
      return Array.from({ length: m }, () => {
        const rows = x.map(() => Math.floor(random.uniform() * x.length));
        const model = new DecisionTreeRegressor().fit(
          rows.map((i) => x[i]!),
          rows.map((i) => y[i]!),
        );
        return Array.from(model.predict(grid));
      });
    });
    let [variance, covariance, ofMean] = [0, 0, 0];
    grid.forEach((_, g) => {
      const values = members.map((sample) => sample.map((prediction) => prediction[g]!));
      const mean = values.flat().reduce((a, b) => a + b, 0) / (m * samples);
      for (const sample of values) {
        const off = sample.map((v) => v - mean);
        const sum = off.reduce((a, b) => a + b, 0);
        const squares = off.reduce((a, b) => a + b * b, 0);
        variance += squares / m;
        covariance += (sum * sum - squares) / (m * (m - 1));
        ofMean += (sum / m) ** 2;
      }
    });
    const rho = covariance / variance;
    expect(rho).toBeGreaterThan(0.2);
    expect(rho).toBeLessThan(0.9);
    // An identity of second moments: rounding is all that is between them.
    expect(ofMean / variance).toBeCloseTo(rho + (1 - rho) / m, 12);
    // So a hundred times as many members would not halve it.
    expect(rho).toBeGreaterThan(0.5 * (ofMean / variance));
  });
});
