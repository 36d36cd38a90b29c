import { type CsrMatrix, KernelPCA, type Matrix, PCA, TruncatedSVD } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf, dataOf, type Target } from "../fixtures.js";

interface Expected {
  readonly mean: readonly number[];
  readonly components: readonly (readonly number[])[];
  readonly explainedVariance: readonly number[];
  readonly explainedVarianceRatio: readonly number[];
  readonly singularValues: readonly number[];
  readonly noiseVariance: number;
  readonly eigenvalues: readonly number[];
  readonly rows: readonly number[];
  readonly transform: readonly (readonly number[])[];
  readonly inverseTransform: readonly (readonly number[])[];
  readonly sdev: readonly number[];
  readonly sizes: readonly (readonly number[])[];
}

const all = casesOf<Expected>("decomposition");
const of = (estimator: string) =>
  all.filter((fixture) => fixture.estimator === estimator).map((fixture) => [fixture.name, fixture] as const);

/** Squares of X lose half of the digits of what is small beside the largest; vectors turn by rounding over the gap between values. */
const tolerance = 1e-7;

/** Signs of rows that make them those of the expected ones. */
const signsOf = (ours: Matrix, expected: Expected["components"]): number[] =>
  expected.map((row, k) => Math.sign(row.reduce((sum, value, j) => sum + value * ours.at(k, j), 0)));

const signed = (columns: Matrix, signs: readonly number[]): Float64Array =>
  columns.data.map((value, e) => value * signs[e % columns.cols]!);

describe("PCA", () => {
  const solvers = ["covariance", "gram"] as const;
  it.each(of("PCA").flatMap(([name, fixture]) => solvers.map((solver) => [name, solver, fixture] as const)))(
    "%s, by %s",
    async (_, svdSolver, fixture) => {
      const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
      const { expected } = fixture;
      const model = new PCA({ ...fixture.params, svdSolver }).fit(X);
      expect(model.nComponents).toBe(expected.components.length);
      expectClose(model.mean, expected.mean, 1e-12);
      expectClose(model.explainedVariance, expected.explainedVariance, 1e-12);
      expectClose(model.explainedVarianceRatio, expected.explainedVarianceRatio, 1e-12);
      expectClose(model.singularValues, expected.singularValues, 1e-8);
      // Beside the largest variance: what is left of a set of full rank may be 0 up to rounding.
      const largest = expected.explainedVariance[0]!;
      expectClose([model.noiseVariance, largest], [expected.noiseVariance, largest], 1e-12);
      const signs = signsOf(model.components, expected.components);
      const turned = model.components.data.map((v, e) => v * signs[Math.floor(e / model.nFeatures)]!);
      expectClose(turned, expected.components.flat(), tolerance);
      const scores = model.transform(X.selectRows(expected.rows));
      expectClose(signed(scores, signs), expected.transform.flat(), tolerance);
      expectClose(model.inverseTransform(scores).data, expected.inverseTransform.flat(), tolerance);
    },
  );

  it("randomised: the leading components of digits", async () => {
    const [, fixture] = of("PCA").find(([name]) => name === "digits, ten")!;
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
    const model = new PCA({ nComponents: 10, svdSolver: "randomized" }).fit(X);
    // Power iterations come near: the variances as their squared error does.
    expectClose(model.explainedVariance, fixture.expected.explainedVariance, 1e-4);
  });

  it.each(of("prcomp"))("%s: R's prcomp", async (_, fixture) => {
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
    const model = new PCA().fit(X);
    expectClose(model.explainedVariance.map(Math.sqrt), fixture.expected.sdev, 1e-12);
    // R writes the matrix column by column: one row here is one component.
    expectClose(model.components.data.map(Math.abs), fixture.expected.sizes.flat(), 1e-10);
  });
});

describe("TruncatedSVD", () => {
  const algorithms = ["exact", "randomized"] as const;
  it.each(
    of("TruncatedSVD").flatMap(([name, fixture]) => algorithms.map((a) => [name, a, fixture] as const)),
  )("%s, %s", async (_, algorithm, fixture) => {
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix | CsrMatrix };
    const { expected } = fixture;
    // Enough power iterations that the random start is forgotten.
    const model = new TruncatedSVD({ ...fixture.params, algorithm, nIter: 60 }).fit(X);
    expectClose(model.singularValues, expected.singularValues, 1e-10);
    expectClose(model.explainedVariance, expected.explainedVariance, tolerance);
    expectClose(model.explainedVarianceRatio, expected.explainedVarianceRatio, tolerance);
    const signs = signsOf(model.components, expected.components);
    const turned = model.components.data.map((v, e) => v * signs[Math.floor(e / model.nFeatures)]!);
    expectClose(turned, expected.components.flat(), tolerance);
    expectClose(
      signed(model.transform(X.selectRows(expected.rows)), signs),
      expected.transform.flat(),
      tolerance,
    );
  });
});

describe("KernelPCA", () => {
  it.each(of("KernelPCA"))("%s", async (_, fixture) => {
    const { X } = (await dataOf<Target>(fixture)) as { X: Matrix };
    const { expected, params } = fixture;
    const model = new KernelPCA(params).fit(X);
    expectClose(model.eigenvalues, expected.eigenvalues, 1e-10);
    const scores = model.transform(X.selectRows(expected.rows));
    const columns = expected.transform[0]!.map((_, k) => expected.transform.map((row) => row[k]!));
    const signs = signsOf(scores.transpose(), columns);
    expectClose(signed(scores, signs), expected.transform.flat(), tolerance);
  });
});
