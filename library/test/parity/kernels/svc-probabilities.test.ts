import { accuracyScore, logLoss, type Matrix, SVC } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "../fixtures.js";

interface Spread {
  readonly mean: number;
  readonly deviation: number;
}
interface Expected {
  readonly logLoss: Spread;
  readonly accuracy: Spread;
}

/** Ours are fewer than scikit-learn's twenty: each is a fit of 6 machines a pair. */
const seeds = [0, 1, 2, 3];

/**
 * Means over seeds are compared in deviations of single seeds. LIBSVM's folds are drawn without regard to the classes and ours
 * have their proportion of each, a difference of kind that is smaller than what another seed makes of either: two deviations, and
 * for sets whose deviation is tiny 2 % of the loss or one row of the hundred.
 */
const within = ({ mean, deviation }: Spread, least: number) => Math.max(2 * deviation, least * mean);

describe("SVC's probabilities are as good as scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("svc-probabilities")) {
    it(fixture.name, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const rows = (odd: number) => Array.from(y.keys()).filter((i) => i % 2 === odd);
      const labels = (odd: number) => rows(odd).map((i) => y[i]!);
      const [train, test] = [0, 1].map((odd) => (X as Matrix).selectRows(rows(odd))) as [Matrix, Matrix];
      const results = seeds.map((randomState) => {
        const model = new SVC({ ...fixture.params, probability: true, randomState }).fit(train, labels(0));
        const p = model.predictProba(test);
        const likeliest = rows(1).map((_, i) => {
          const row = p.row(i);
          return model.classes[row.indexOf(Math.max(...row))]!;
        });
        return {
          loss: logLoss(labels(1), p, { labels: model.classes }),
          accuracy: accuracyScore(labels(1), likeliest),
        };
      });
      const mean = (of: (result: (typeof results)[number]) => number) =>
        results.reduce((sum, result) => sum + of(result) / seeds.length, 0);
      const { logLoss: loss, accuracy } = fixture.expected;
      expect(Math.abs(mean((r) => r.loss) - loss.mean)).toBeLessThanOrEqual(within(loss, 0.02));
      expect(Math.abs(mean((r) => r.accuracy) - accuracy.mean)).toBeLessThanOrEqual(within(accuracy, 0.01));
    });
  }
});
