import { inspect } from "node:util";
import {
  BaggingClassifier,
  CsrMatrix,
  confusionMatrix,
  DecisionTreeClassifier,
  LogisticRegression,
  Matrix,
  pipeline,
  StandardScaler,
  SVC,
  Table,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const lines = (value: object): string[] => {
  expect(inspect(value)).toBe(String(value));
  return String(value).split("\n");
};

describe("what console.log shows", () => {
  it("of a matrix: its size, the first and the last rows, the numbers of a column to the same place", async () => {
    const { X } = await loadDataset("iris");
    const shown = lines(X);
    expect(shown[0]).toBe("Matrix 150 × 4");
    expect(shown[1]).toBe("  5.1  3.5  1.4  0.2");
    expect(shown[2]).toBe("  4.9  3.0  1.4  0.2");
    expect(shown[7]).toBe("    …    …    …    …");
    expect(shown.at(-1)).toBe("  5.9  3.0  5.1  1.8");
    expect(lines(Matrix.zeros(2, 40))[1]).toBe("  0  0  0  0  0  0  …  0  0  0  0");
    expect(
      lines(
        Matrix.fromRows([
          [1e-9, Number.NaN],
          [1e12, -0.5],
        ]),
      ),
    ).toEqual(["Matrix 2 × 2", "           1e-9   NaN", "  1000000000000  -0.5"]);
    // Four places would make nothing of small numbers.
    expect(lines(Matrix.fromRows([[0.00003], [1]])).slice(1)).toEqual(["  0.00003", "        1"]);
    expect(lines(Matrix.zeros(0, 3))).toEqual(["Matrix 0 × 3"]);
  });

  it("of a sparse matrix: the fraction of stored entries, and rows", () => {
    const sparse = CsrMatrix.fromDense(
      Matrix.fromRows([
        [0, 2, 0.5],
        [0, 0, 0],
      ]),
    );
    expect(lines(sparse)).toEqual([
      "CsrMatrix 2 × 3, 2 entries stored (33.333 %)",
      "  row 0  1: 2, 2: 0.5",
      "  row 1  empty",
    ]);
  });

  it("of a table: names, kinds, rows, and what is missing", () => {
    const table = Table.fromColumns({
      age: [31, 45.5, null],
      city: ["Oslo", null, "Rome"],
      member: [true, null, false],
    });
    expect(lines(table)).toEqual([
      "       age         city   member",
      "   numeric  categorical  boolean",
      "0     31.0         Oslo     true",
      "1     45.5            –        –",
      "2        –         Rome    false",
      "3 rows × 3 columns",
    ]);
  });

  it("of a confusion matrix: the classes beside and above the counts", () => {
    expect(lines(confusionMatrix(["a", "b", "b"], ["a", "a", "b"]))).toEqual([
      "truth \\ predicted  a  b",
      "a                  1  0",
      "b                  1  1",
    ]);
    const turned = confusionMatrix(["a", "b"], ["a", "a"], { layout: "rows-are-predictions" });
    expect(lines(turned)[0]).toMatch(/^predicted \\ truth/);
  });

  it("of an estimator: the call that makes it, without defaults", () => {
    expect(String(new LogisticRegression())).toBe("LogisticRegression()");
    expect(String(new SVC({ C: 3, kernel: "rbf", gamma: 0.5 }))).toBe("SVC({ C: 3, gamma: 0.5 })");
    expect(String(new BaggingClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 2 }) }))).toBe(
      "BaggingClassifier({ estimator: DecisionTreeClassifier({ maxDepth: 2 }) })",
    );
    expect(String(pipeline(new StandardScaler(), new LogisticRegression({ C: 2 })))).toBe(
      "pipeline(StandardScaler(), LogisticRegression({ C: 2 }))",
    );
  });

  it("of a model that did not converge: that it did not, and what to do", async () => {
    const { X, y } = await loadDataset("iris");
    const heard: string[] = [];
    const model = pipeline(new StandardScaler(), new LogisticRegression({ maxIter: 2 })).fit(X, y, {
      onWarning: (warning) => heard.push(warning),
    });
    expect(heard).toEqual([expect.stringContaining("raise maxIter")]);
    const shown = String(model);
    expect(shown).toContain("NOT CONVERGED after 2 iterations");
    expect(shown).toContain(heard[0]!);
    expect(lines(new LogisticRegression().fit(X, y)).slice(0, 4)).toEqual([
      "FittedLogisticRegression",
      '  classes    "setosa", "versicolor", "virginica"',
      "  features   4",
      expect.stringMatching(/^ {2}training {3}newton: converged after \d+ iterations, objective 28\.886$/),
    ]);
  });
});
