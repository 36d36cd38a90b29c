import type { FittedNaiveBayes } from "argmax";
import { BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, Matrix, MixedNB, MultinomialNB } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, type Case, casesOf, type Data, dataOf, pick, type Target } from "../fixtures.js";

interface Expected extends Pick<Answers, "classes" | "rows" | "predict" | "predictProba"> {
  /** The columns whose parameters are stored. */
  readonly columns?: readonly number[];
  readonly featureLogProb?: readonly (readonly number[])[];
  readonly theta?: readonly (readonly number[])[];
  readonly var?: readonly (readonly number[])[];
  readonly categories?: readonly (readonly (readonly number[])[])[];
  readonly joint: readonly (readonly number[])[];
}

interface Prepare {
  readonly bins?: number;
  readonly columns?: readonly number[];
  readonly cyclic?: number;
  readonly alone?: number;
  readonly batches?: readonly number[];
}

type Fixture = Case<Expected> & { readonly prepare?: Prepare };

interface AnyNaiveBayes {
  fit(x: Data<Target>["X"], y: readonly Target[], options: object): FittedNaiveBayes<Target>;
  partialFit(
    model: FittedNaiveBayes<Target> | null,
    x: Data<Target>["X"],
    y: readonly Target[],
    options: object,
  ): FittedNaiveBayes<Target>;
}

const estimators = { BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MixedNB, MultinomialNB };

/** As tools/parity/probabilistic/bayes.py prepares them: not the code under test. */
function prepared(X: Data<Target>["X"], y: readonly Target[], prepare: Prepare) {
  const labels = y.map((label, i): Target => {
    if (prepare.alone === i) return "alone";
    if (prepare.cyclic !== undefined) return `c${String(i % prepare.cyclic).padStart(2, "0")}`;
    return prepare.alone === undefined ? label : String(label);
  });
  return {
    X: prepare.bins === undefined ? X : binned(X as Matrix, prepare.bins, prepare.columns),
    y: labels,
  };
}

function binned(X: Matrix, bins: number, columns?: readonly number[]): Matrix {
  const out = Matrix.fromRows(X.toArray());
  for (const j of columns ?? Array.from({ length: X.cols }, (_, j) => j)) {
    const column = X.column(j);
    const [low, high] = [Math.min(...column), Math.max(...column)];
    column.forEach((v, i) => {
      out.data[i * X.cols + j] = Math.min(bins - 1, Math.floor(((v - low) / (high - low)) * bins));
    });
  }
  return out;
}

async function fitted(fixture: Fixture) {
  const data = await dataOf<Target>(fixture);
  const { X, y } = prepared(data.X, data.y, fixture.prepare ?? {});
  const Class = estimators[fixture.estimator as keyof typeof estimators] as unknown as new (
    params: object,
  ) => AnyNaiveBayes;
  const estimator = new Class(fixture.params);
  const batches = fixture.prepare?.batches;
  if (batches === undefined) return { model: estimator.fit(X, y, data.fitOptions), X };
  let model: FittedNaiveBayes<Target> | null = null;
  const ends = [...batches, y.length];
  for (const [b, end] of ends.entries()) {
    const rows = Array.from({ length: end - (ends[b - 1] ?? 0) }, (_, i) => i + (ends[b - 1] ?? 0));
    const classes = fixture.expected.classes;
    model = estimator.partialFit(
      model,
      X.selectRows(rows),
      rows.map((i) => y[i]!),
      { classes },
    );
  }
  return { model: model!, X };
}

/** Closed forms: only the order of sums of a few thousand terms differs. The promise is 1e-8. */
const rounding = 1e-11;

describe("naive Bayes is scikit-learn's and e1071's", () => {
  for (const fixture of casesOf<Expected>("bayes") as readonly Fixture[]) {
    const { name, expected, oracle } = fixture;
    it(`has the same joint log-likelihoods, posteriors and parameters: ${name} (${oracle})`, async () => {
      const { model, X } = await fitted(fixture);
      expect(model.classes).toEqual(expected.classes);
      const Z = pick(X, expected.rows);
      expectClose(model.predictJointLogProba(Z).data, expected.joint.flat(), rounding);
      // A joint of −1000 with eleven digits fixes its exponential to eight: the absolute error is what is amplified.
      const size = Math.max(...expected.joint.flat().map(Math.abs), 1);
      const proba = model.predictProba(Z).data;
      expected.predictProba.flat().forEach((p, e) => {
        expect(Math.abs(proba[e]! - p)).toBeLessThanOrEqual(1e-12 * size);
      });
      expect(model.predict(Z)).toEqual(expected.predict);
      const { columns = [] } = expected;
      const parts = model as unknown as Record<"featureLogProb" | "theta" | "var", Matrix>;
      for (const key of ["featureLogProb", "theta", "var"] as const) {
        if (expected[key] === undefined) continue;
        expectClose(parts[key].selectColumns(columns).data, expected[key].flat(), rounding);
      }
      expected.categories?.forEach((table, c) => {
        const all = (model as unknown as { featureLogProb: readonly Matrix[] }).featureLogProb;
        expectClose(all[columns[c]!]!.data, table.flat(), rounding);
      });
    });
  }
});
