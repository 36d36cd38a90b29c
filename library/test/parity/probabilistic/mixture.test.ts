import { GaussianMixture, type Matrix } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected extends Pick<Answers, "rows" | "predictProba" | "score"> {
  readonly lowerBounds: readonly number[];
  readonly converged: boolean;
  readonly weights: readonly number[];
  readonly means: readonly (readonly number[])[];
  readonly covariances: unknown;
  readonly predict: readonly number[];
  readonly scoreSamples: readonly number[];
  readonly aic: number;
  readonly bic: number;
  readonly nParameters: number;
  readonly logLikelihood: number;
}

const all = casesOf<Expected>("mixture");
const of = (estimator: string) =>
  all.filter((fixture) => fixture.estimator === estimator).map((fixture) => [fixture.name, fixture] as const);

describe("EM from the same start", () => {
  it.each(of("GaussianMixture"))("%s: the same log-likelihood in every iteration", async (_, fixture) => {
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
    const { expected } = fixture;
    const model = new GaussianMixture(fixture.params).fit(X);
    expect(model.lowerBounds.length).toBe(expected.lowerBounds.length);
    expectClose(model.lowerBounds, expected.lowerBounds, 1e-9);
    expect(model.converged).toBe(expected.converged);
    // Rounding grows by the conditioning of a covariance in every iteration: after forty, six digits of a parameter are left at least.
    expectClose(model.weights, expected.weights, 1e-6);
    expectClose(model.means.data, expected.means.flat(), 1e-6);
    expectClose(flatCovariances(model), [expected.covariances].flat(4) as number[], 1e-6);
    const rows = X.selectRows(expected.rows);
    expect(Array.from(model.predict(rows))).toEqual(expected.predict);
    expectClose(model.predictProba(rows).data, expected.predictProba.flat(), 1e-6);
    expectClose(model.scoreSamples(rows), expected.scoreSamples, 1e-6);
    expectClose(
      [model.score(X), model.aic(X), model.bic(X)],
      [expected.score, expected.aic, expected.bic],
      1e-8,
    );
    expect(model.nParameters).toBe(expected.nParameters);
  });
});

/** In scikit-learn's shapes. */
function flatCovariances(model: ReturnType<GaussianMixture["fit"]>): number[] {
  const all = Array.from({ length: model.nComponents }, (_, k) => model.covariance(k));
  const type = model.params.covarianceType;
  if (type === "full") return all.flatMap(({ data }) => Array.from(data));
  if (type === "tied") return Array.from(all[0]!.data);
  const diagonal = (matrix: Matrix) => Array.from({ length: matrix.rows }, (_, j) => matrix.at(j, j));
  return all.flatMap((matrix) => (type === "diag" ? diagonal(matrix) : diagonal(matrix).slice(0, 1)));
}

describe("the maximum", () => {
  it.each(of("mclust"))("%s: the log-likelihood that R's mclust finds", async (_, fixture) => {
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
    const mixture = new GaussianMixture({ nComponents: 3, regCovar: 0, tol: 1e-12, maxIter: 1000 });
    const model = mixture.fit(X);
    expect(model.score(X) * X.rows).toBeCloseTo(fixture.expected.logLikelihood, 6);
    expect(fixture.expected.logLikelihood).toBeCloseTo(-180.1858, 3);
  });
});
