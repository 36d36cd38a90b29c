import {
  BaggingRegressor,
  DecisionTreeRegressor,
  HistGradientBoostingRegressor,
  Random,
  RandomForestRegressor,
} from "argmax";
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
    // ρ and the variance of one member, measured on bags of four, predict the variance of bags of thirty.
    const bags = (nEstimators: number, from: number) =>
      moments((sample, x, y) => {
        const estimator = new DecisionTreeRegressor();
        const bag = new BaggingRegressor({ estimator, nEstimators, randomState: from + sample }).fit(x, y);
        return {
          members: bag.members.map(({ model }) => Array.from(model.predict(grid))),
          mean: Array.from(bag.predict(grid)),
        };
      });
    const four = bags(4, 0);
    const rho = four.covariance / four.variance;
    expect(rho).toBeGreaterThan(0.2);
    expect(rho).toBeLessThan(0.9);
    // On the same bags it is an identity of second moments, if what the bag predicts is the mean of its members.
    expect(four.ofMean / four.variance).toBeCloseTo(rho + (1 - rho) / 4, 10);
    const thirty = bags(30, 1000);
    const predicted = four.variance * (rho + (1 - rho) / 30);
    // Other draws of the members, on the same sixty samples: 10 % is three standard errors of their ratio.
    expect(Math.abs(thirty.ofMean / predicted - 1)).toBeLessThan(0.1);
    // So a hundred times as many members would not halve it.
    expect(rho * four.variance).toBeGreaterThan(0.5 * thirty.ofMean);
  });
});

/** Predictions on the grid of an ensemble's members, and of the ensemble. */
interface Predictions {
  readonly members: readonly (readonly number[])[];
  readonly mean: readonly number[];
}

/** Variance of a member, covariance of two, and variance of the ensemble over samples of rows, summed over the grid. */
function moments(
  learn: (sample: number, x: number[][], y: number[]) => Predictions,
  draw = (random: Random) => {
    const x = Array.from({ length: 40 }, () => [2 * random.uniform() - 1]);
    return { x, y: x.map(([v]) => truth(v!) + 0.4 * random.normal()) };
  },
  samples = 60,
) {
  const random = new Random(19);
  const all = Array.from({ length: samples }, (_, sample) => {
    const { x, y } = draw(random);
    return learn(sample, x, y);
  });
  const m = all[0]!.members.length;
  const points = all[0]!.mean.length;
  let [variance, covariance, ofMean] = [0, 0, 0];
  for (let g = 0; g < points; g++) {
    const values = all.map(({ members }) => members.map((member) => member[g]!));
    const centre = values.flat().reduce((a, b) => a + b, 0) / (m * samples);
    for (const [s, sample] of values.entries()) {
      const off = sample.map((v) => v - centre);
      const total = off.reduce((a, b) => a + b, 0);
      const squares = off.reduce((a, b) => a + b * b, 0);
      variance += squares / m;
      covariance += (total * total - squares) / (m * (m - 1));
      ofMean += (all[s]!.mean[g]! - centre) ** 2;
    }
  }
  return { variance, covariance, ofMean };
}

describe("Y10 random columns make the members of a forest less correlated", () => {
  // Five columns that matter alike, and noise: where all are looked at, trees begin with the same ones.
  const d = 5;
  const f = (x: readonly number[]) => x.reduce((sum, v) => sum + Math.sin(2 * v), 0);
  const rowOf = (random: Random) => Array.from({ length: d }, () => 2 * random.uniform() - 1);
  const asked = Array.from({ length: 40 }, (_, i) => rowOf(new Random(500 + i)));
  const draw = (random: Random) => {
    const x = Array.from({ length: 80 }, () => rowOf(random));
    return { x, y: x.map((row) => f(row) + 0.5 * random.normal()) };
  };
  const nEstimators = 12;
  const bag = moments((randomState, x, y) => {
    const model = new BaggingRegressor({
      estimator: new DecisionTreeRegressor(),
      nEstimators,
      randomState,
    }).fit(x, y);
    return {
      members: model.members.map((member) => Array.from(member.model.predict(asked))),
      mean: Array.from(model.predict(asked)),
    };
  }, draw);
  const forest = moments((randomState, x, y) => {
    const model = new RandomForestRegressor({ nEstimators, maxFeatures: 1, randomState }).fit(x, y);
    const leaves = model.apply(asked);
    return {
      members: model.trees.map((tree, k) => asked.map((_, i) => tree.node(leaves.at(i, k)).value[0]!)),
      mean: Array.from(model.predict(asked)),
    };
  }, draw);
  const correlation = (of: typeof bag) => of.covariance / of.variance;

  it("their mean correlation is below that of a bag's members", () => {
    expect(correlation(forest)).toBeLessThan(0.8 * correlation(bag));
    expect(correlation(forest)).toBeGreaterThan(0);
  });

  it("and so is the variance of their mean, ρ + (1 − ρ)/m of a member's", () => {
    for (const of of [bag, forest]) {
      const rho = correlation(of);
      expect(of.ofMean / of.variance).toBeCloseTo(rho + (1 - rho) / nEstimators, 10);
    }
    expect(forest.ofMean).toBeLessThan(bag.ofMean);
    expect(forest.ofMean / forest.variance).toBeLessThan(bag.ofMean / bag.variance);
  });
});
