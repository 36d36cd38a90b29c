import { describe, expect, it } from "vitest";
import { DataError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import {
  BernoulliNB,
  betaPrior,
  CategoricalNB,
  ComplementNB,
  dirichletPrior,
  GaussianNB,
  MixedNB,
  MultinomialNB,
} from "./index.js";

const exp = (v: Float64Array) => Array.from(v, Math.exp);

describe("class priors", () => {
  const X = [[1], [2], [3], [4]];
  const y = ["a", "b", "b", "b"];

  it("are shares of the rows, uniform, given, or smoothed by pseudo-counts", () => {
    expect(exp(new MultinomialNB().fit(X, y).classLogPrior)[0]).toBeCloseTo(0.25, 14);
    expect(exp(new MultinomialNB({ fitPrior: false }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.5, 14);
    expect(exp(new MultinomialNB({ classPrior: [0.9, 0.1] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(
      0.9,
      14,
    );
    expect(exp(new GaussianNB({ priors: [0.9, 0.1] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.9, 14);
    expect(exp(new GaussianNB({ priorAlpha: [2, 0] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.5, 14);
    expect(exp(new BernoulliNB({ priorAlpha: 1 }).fit(X, y).classLogPrior)[0]).toBeCloseTo(2 / 6, 14);
  });

  it("that do not fit are refused by name", () => {
    expect(() => new MultinomialNB({ classPrior: [0.5, 0.4] }).fit(X, y)).toThrow(
      "MultinomialNB.fit: classPrior must be one probability for each of the 2 classes, of sum 1, got 2 of sum 0.9.",
    );
    expect(() => new GaussianNB({ priors: [1] }).fit(X, y)).toThrow(
      /priors must be one probability for each/,
    );
    expect(() => new BernoulliNB({ priorAlpha: [1, 2, 3] }).fit(X, y)).toThrow(ParameterError);
  });

  it("class weights change them", () => {
    const balanced = new MultinomialNB({ classWeight: "balanced" }).fit(X, y);
    expect(exp(balanced.classLogPrior)).toEqual([expect.closeTo(0.5, 14), expect.closeTo(0.5, 14)]);
    expect(() => new MultinomialNB({ classWeight: "balanced" }).partialFit(null, X, y)).toThrow(
      ParameterError,
    );
  });
});

describe("priors on parameters", () => {
  it("are pseudo-counts: Dirichlet(2) is Laplace's", () => {
    expect(dirichletPrior(2)).toBe(1);
    expect(dirichletPrior([1, 3])).toEqual([0, 2]);
    expect(dirichletPrior([[1], [2, 4]])).toEqual([[0], [1, 3]]);
    expect(betaPrior(3, 1.5)).toEqual({ ones: 2, zeros: 0.5 });
    expect(() => dirichletPrior(0.5)).toThrow(/beta must be a number ≥ 1/);
    expect(() => betaPrior(2, Number.NaN)).toThrow(ParameterError);
  });

  it("of the wrong length are refused", () => {
    const [X, y] = [
      [
        [1, 0],
        [0, 1],
      ],
      [0, 1],
    ];
    expect(() => new MultinomialNB({ alpha: [1] }).fit(X!, y as number[])).toThrow(
      "MultinomialNB.fit: alpha must be one number, or one for each of the 2 columns, got 1 numbers.",
    );
    expect(() => new CategoricalNB({ alpha: [[1, 1]] }).fit(X!, y as number[])).toThrow(
      /one list for each of the 2/,
    );
    expect(() => new CategoricalNB({ alpha: [[1], [1, 1]] }).fit(X!, y as number[])).toThrow(
      /column 0 of X must be below 1/,
    );
  });

  it("of 0 count as 1e-10: an unseen word does not veto a class, and nothing is NaN", () => {
    const model = new MultinomialNB({ alpha: 0 }).fit(
      [
        [1, 0],
        [0, 1],
      ],
      [0, 1],
    );
    expect(model.predictProba([[1, 1]]).data).toEqual(Float64Array.of(0.5, 0.5));
    expect(model.featureLogProb.at(0, 1)).toBeCloseTo(Math.log(1e-10), 9);
  });
});

describe("partial fits", () => {
  const X = [
    [1, 5],
    [2, 6],
    [8, 0],
    [9, 1],
  ];

  it("need all classes at the first call", () => {
    expect(() => new GaussianNB().partialFit(null, X.slice(0, 2), ["a", "a"])).toThrow(
      'GaussianNB.partialFit: the first y must be labels of at least two classes, got only "a". Pass { classes } with all of them.',
    );
    const model = new GaussianNB().partialFit(null, X.slice(0, 2), ["a", "a"], { classes: ["a", "b"] });
    expect(model.predict(X)).toEqual(["a", "a", "a", "a"]);
    expect(model.predictProba(X).data.every(Number.isFinite)).toBe(true);
    expect(() => new GaussianNB().partialFit(model, X, ["a", "b", "c", "a"])).toThrow(/one of the classes/);
    expect(() => new GaussianNB().partialFit(model, [[1]], ["a"])).toThrow(ShapeError);
    expect(() => new GaussianNB().partialFit(model, [], [])).toThrow(/at least one row/);
  });

  it("a class without rows has probability 0, and a pseudo-count of classes gives it one", () => {
    const classes = ["a", "b", "c"];
    const y = ["a", "a", "b", "b"];
    for (const estimator of [new MultinomialNB(), new CategoricalNB(), new GaussianNB(), new BernoulliNB()]) {
      expect(estimator.partialFit(null, X, y, { classes }).predictProba(X).column(2)).toEqual(
        new Float64Array(4),
      );
    }
    const smoothed = new MultinomialNB({ priorAlpha: 1 }).partialFit(null, X, y, { classes });
    expect(
      smoothed
        .predictProba(X)
        .column(2)
        .every((p) => p > 0),
    ).toBe(true);
  });

  it("new values of a column get their place", () => {
    const estimator = new CategoricalNB();
    const first = estimator.partialFit(null, [[0], [1]], [0, 1]);
    const both = estimator.partialFit(first, [[4]], [1]);
    expect(Array.from(both.nCategories)).toEqual([5]);
    expect(both.featureLogProb).toEqual(estimator.fit([[0], [1], [4]], [0, 1, 1]).featureLogProb);
  });
});

describe("MultinomialNB and ComplementNB", () => {
  it("refuse negative counts in fit and predict, and say where", () => {
    for (const estimator of [new MultinomialNB(), new ComplementNB()]) {
      expect(() =>
        estimator.fit(
          [
            [1, 0],
            [2, -1],
          ],
          [0, 1],
        ),
      ).toThrow(/fit: X\[1\]\[1\] must be a count ≥ 0, got -1/);
      const sparse = CsrMatrix.fromRows([[[0, 1]], [[3, -2]]], 4);
      expect(() => estimator.fit(sparse, [0, 1])).toThrow(/X\[1\]\[3\] must be a count ≥ 0, got -2/);
      const model = estimator.fit(
        [
          [1, 0],
          [0, 1],
        ],
        [0, 1],
      );
      expect(() => model.predict([[0, -3]])).toThrow(/predict: X\[0\]\[1\] must be a count ≥ 0/);
    }
  });

  it("refuse sums beyond a double, and answer for rows whose score is beyond one", () => {
    const large = [
      [1e308, 0],
      [1e308, 1e308],
      [0, 1],
    ];
    expect(() => new MultinomialNB().fit(large, [0, 0, 1])).toThrow(/of a sum that fits a double/);
    const model = new MultinomialNB().fit(
      [
        [3, 1],
        [1, 3],
      ],
      ["a", "b"],
    );
    expect(
      model.predict([
        [1.7e308, 1.6e308],
        [1.6e308, 1.7e308],
      ]),
    ).toEqual(["a", "b"]);
    expect(model.predictProba(CsrMatrix.fromDense(Matrix.fromRows([[1.7e308, 1e308]]))).data).toEqual(
      Float64Array.of(1, 0),
    );
  });

  it("an empty document has the posterior of the prior", () => {
    const model = new MultinomialNB().fit(
      [
        [1, 0],
        [0, 1],
        [0, 2],
      ],
      ["a", "b", "b"],
    );
    expect(model.predictProba([[0, 0]]).data[0]).toBeCloseTo(1 / 3, 14);
  });

  it("a single word tells nothing in ComplementNB, with norm too", () => {
    for (const norm of [false, true]) {
      const model = new ComplementNB({ norm }).fit([[1], [5]], ["a", "b"]);
      expect(model.predictProba([[3]]).data).toEqual(Float64Array.of(0.5, 0.5));
    }
  });

  it("mostTelling finds the words that speak for a class", () => {
    const X = [
      [5, 1, 0, 2],
      [4, 0, 1, 2],
      [0, 6, 1, 2],
      [1, 5, 0, 2],
    ];
    const y = ["spam", "spam", "ham", "ham"];
    const featureNames = ["buy", "lunch", "rare", "the"];
    for (const estimator of [new MultinomialNB(), new ComplementNB()]) {
      const [ham, spam] = estimator.fit(X, y).mostTelling(2, { featureNames });
      expect(ham!.label).toBe("ham");
      expect(ham!.features[0]).toMatchObject({ feature: 1, name: "lunch" });
      expect(spam!.features[0]!.name).toBe("buy");
      // (9 + 1) of 19 against (1 + 1) of 21.
      expect(spam!.features[0]!.logRatio).toBeCloseTo(Math.log(10 / 19 / (2 / 21)), 12);
    }
    const model = new MultinomialNB().fit(X, y);
    expect(model.mostTelling(1)[0]!.features[0]!.name).toBe("x1");
    expect(model.mostTelling(200)[0]!.features).toHaveLength(4);
    expect(() => model.mostTelling(0)).toThrow(/k must be an integer ≥ 1/);
    expect(() => model.mostTelling(1, { featureNames: ["a"] })).toThrow(/one name for each of the 4 columns/);
  });
});

describe("BernoulliNB", () => {
  it("counts the zeros of sparse rows as ones when the threshold is below 0", () => {
    const X = [
      [0, -3, 1],
      [2, 0, 0],
      [-5, 0, 4],
      [0, -1, -2],
    ];
    const y = ["a", "a", "b", "b"];
    const estimator = new BernoulliNB({ binarize: -0.5 });
    const [dense, sparse] = [estimator.fit(X, y), estimator.fit(CsrMatrix.fromDense(Matrix.fromRows(X)), y)];
    expect(dense.featureCount.toArray()).toEqual([
      [2, 1, 2],
      [1, 1, 1],
    ]);
    expect(sparse.featureCount).toEqual(dense.featureCount);
  });

  it("takes 0 and 1 only when it is not told to binarize", () => {
    const estimator = new BernoulliNB({ binarize: null });
    expect(() => estimator.fit([[0], [0.5]], [0, 1])).toThrow(
      "BernoulliNB.fit: X[1][0] must be 0 or 1 when binarize is null, got 0.5. binarize: 0 makes it so.",
    );
    expect(() => estimator.fit([[0], [1]], [0, 1]).predict([[2]])).toThrow(DataError);
  });

  it("P(0) does not vanish where P(1) rounds to 1", () => {
    const X = Array.from({ length: 1_000_000 }, () => Float64Array.of(1));
    const y = Int32Array.from(X, (_, i) => i % 2);
    const model = new BernoulliNB({ alpha: 0 }).fit(X, y);
    expect(model.logLikelihood([[0]]).data[0]).toBeCloseTo(Math.log(1e-10 / 500_000), 6);
  });

  it("mostTelling compares shares of rows", () => {
    const model = new BernoulliNB().fit(
      [
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      ["a", "a", "b"],
    );
    const [a] = model.mostTelling(1);
    expect(a!.features[0]!.logRatio).toBeCloseTo(Math.log(3 / 4 / (1 / 3)), 12);
  });
});

describe("CategoricalNB", () => {
  const X = [
    [0, 2],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const y = ["a", "a", "b", "b"];

  it("gives a value that fit has not seen the probability of one counted 0 times", () => {
    const model = new CategoricalNB().fit(X, y);
    const unseen = Math.log(1 / 4) + Math.log(1 / 5);
    for (const value of [2, 7, 1e9, -1])
      for (const other of [3, 1e300, -4])
        for (const l of model.logLikelihood([[value, other]]).data) expect(l).toBeCloseTo(unseen, 12);
  });

  it("refuses what is no category", () => {
    expect(() => new CategoricalNB().fit([[0.5], [1]], [0, 1])).toThrow(/X\[0\]\[0\] must be a category/);
    expect(() => new CategoricalNB().fit([[-1], [1]], [0, 1])).toThrow(/got -1\. KBinsDiscretizer makes/);
    expect(() => new CategoricalNB().fit([[1e9], [1]], [0, 1])).toThrow(/a whole number from 0 to 16777215/);
    expect(() => new CategoricalNB().fit(X, y).predict([[0, 0.5]])).toThrow(
      /X\[0\]\[1\] must be a whole number/,
    );
    expect(() => new CategoricalNB({ minCategories: [2.5, 3] })).toThrow(
      /minCategories must be of whole numbers/,
    );
  });

  it("has one table a column, and as many parameters as they need", () => {
    const model = new CategoricalNB({ minCategories: [4, 1] }).fit(X, y);
    expect(Array.from(model.nCategories)).toEqual([4, 3]);
    expect(model.featureLogProb.map(({ rows, cols }) => [rows, cols])).toEqual([
      [2, 4],
      [2, 3],
    ]);
    expect(model.categoryCount[1]!.toArray()).toEqual([
      [1, 0, 1],
      [0, 2, 0],
    ]);
    expect(model.nParameters).toBe(2 * (3 + 2) + 1);
    expect(model.mostTelling(1)[1]!.features[0]).toMatchObject({ feature: 1, name: "x1=1" });
  });
});

describe("GaussianNB", () => {
  it("does not care where the origin is: offsets of 1e8 cost no digits", () => {
    const X = [
      [1, 2],
      [2, 1],
      [1.5, 1.25],
      [5, 6],
      [6, 5],
      [5.5, 5.75],
    ];
    const y = [0, 0, 0, 1, 1, 1];
    const far = X.map((row) => row.map((v) => v + 2 ** 27));
    const [near, moved] = [new GaussianNB().fit(X, y), new GaussianNB().fit(far, y)];
    near.var.data.forEach((v, e) => {
      expect(Math.abs(moved.var.data[e]! / v - 1)).toBeLessThan(1e-12);
    });
  });

  it("looks twice when the first row of a class is far from the others", () => {
    const X = [[1e6], ...Array.from({ length: 5000 }, (_, i) => [i % 2]), [7], [8]];
    const y = X.map((_, i) => (i < 5001 ? "a" : "b"));
    const { theta, moments } = new GaussianNB().fit(X, y);
    const mean = (1e6 + 2500) / 5001;
    expect(theta.at(0, 0)).toBeCloseTo(mean, 9);
    const squares = X.slice(0, 5001).reduce((sum, [v]) => sum + (v! - mean) ** 2, 0);
    expect(Math.abs(moments.squares[0]! / squares - 1)).toBeLessThan(1e-13);
  });

  it("a column that is constant in a class has exactly the variance ε", () => {
    const X = [
      [0.1, 3],
      [0.1, 4],
      [0.1, 5],
      [0.7, 3],
      [0.7, 9],
    ];
    const model = new GaussianNB().fit(X, [0, 0, 0, 1, 1]);
    expect(model.var.at(0, 0)).toBe(model.epsilon);
    expect(
      model.predict([
        [0.1, 9],
        [0.7, 4],
      ]),
    ).toEqual([0, 1]);
  });

  it("constant columns everywhere, and a class of one row, have posteriors", () => {
    expect(
      new GaussianNB()
        .fit(
          [
            [2, 2],
            [2, 2],
            [2, 2],
          ],
          [0, 1, 1],
        )
        .predictProba([[2, 2]]).data[0],
    ).toBeCloseTo(1 / 3, 12);
    const one = new GaussianNB().fit([[0], [1], [2], [9]], ["a", "a", "a", "b"]);
    expect(one.predict([[9], [1.5]])).toEqual(["b", "a"]);
    const spike = new GaussianNB({ varSmoothing: 0 }).fit([[0], [1], [2], [9]], ["a", "a", "a", "b"]);
    expect(spike.predict([[9], [8.999]])).toEqual(["b", "a"]);
  });

  it("densities that underflow, and overflow, leave exact posteriors", () => {
    const model = new GaussianNB().fit([[0], [1], [10], [11]], ["a", "a", "b", "b"]);
    expect(model.predictProba([[1e5]]).data).toEqual(Float64Array.of(0, 1));
    expect(model.predict([[-1e200], [1e200], [-Number.MAX_VALUE], [Number.MAX_VALUE]])).toHaveLength(4);
    expect(model.predictProba([[Number.MAX_VALUE]]).data.every(Number.isFinite)).toBe(true);
    // Both are infinitely far; the class with the wider density is nearer.
    const wider = new GaussianNB().fit([[0], [1], [10], [30]], ["a", "a", "b", "b"]);
    expect(wider.predict([[-1e300], [1e300]])).toEqual(["b", "b"]);
  });

  it("says so when variances leave the range of doubles", () => {
    const scaled = (factor: number) => [[1], [2], [3], [5]].map(([v]) => [v! * factor]);
    expect(() => new GaussianNB().fit(scaled(1e200), [0, 0, 1, 1])).toThrow(/variance that fits a double/);
    expect(() => new GaussianNB().fit(scaled(1e-200), [0, 0, 1, 1])).toThrow(/underflows/);
    expect(() => new GaussianNB().fit([[1e-200], [2e-200]], [0, 1])).toThrow(/underflows/);
    expect(() => new GaussianNB().fit(scaled(1e-147), [0, 0, 1, 1])).toThrow(/of a variance in \[1e-290/);
  });
});

describe("MixedNB", () => {
  const X = [
    [0, 1.5, 3, 0],
    [1, 2.5, 0, 2],
    [2, 0.5, 1, 1],
    [0, 9.5, 2, 5],
    [1, 8, 0, 4],
  ];
  const y = ["a", "a", "a", "b", "b"];
  const blocks = [
    { model: "categorical", columns: [0], alpha: 0.5 },
    { model: "multinomial", columns: [2, 3] },
  ] as const;

  it("is the product of its blocks' densities", () => {
    const model = new MixedNB({ blocks }).fit(X, y);
    const parts = [
      new CategoricalNB({ alpha: 0.5 }).fit(
        X.map((row) => [row[0]!]),
        y,
      ),
      new MultinomialNB().fit(
        X.map((row) => [row[2]!, row[3]!]),
        y,
      ),
      new GaussianNB().fit(
        X.map((row) => [row[1]!]),
        y,
      ),
    ] as const;
    const likelihood = model.logLikelihood(X).data;
    const sums = [
      parts[0].logLikelihood(X.map((row) => [row[0]!])).data,
      parts[1].logLikelihood(X.map((row) => [row[2]!, row[3]!])).data,
      parts[2].logLikelihood(X.map((row) => [row[1]!])).data,
    ];
    likelihood.forEach((v, e) => {
      expect(v).toBeCloseTo(sums[0]![e]! + sums[1]![e]! + sums[2]![e]!, 12);
    });
    expect(model.nParameters).toBe(parts[0].nParameters + parts[1].nParameters + parts[2].nParameters - 2);
  });

  it("names the caller's column when an entry does not fit its block", () => {
    const wrong = X.map((row, i) => (i === 3 ? [row[0]!, row[1]!, row[2]!, -1] : row));
    expect(() => new MixedNB({ blocks }).fit(wrong, y)).toThrow(
      /MixedNB.fit: X\[3\]\[3\] must be a count ≥ 0/,
    );
    expect(() => new MixedNB({ blocks }).fit(X, y).predict([[0.5, 1, 0, 0]])).toThrow(
      /MixedNB.predict: X\[0\]\[0\] must be a whole number/,
    );
  });

  it("refuses blocks that contradict each other or the data", () => {
    const build = (list: unknown) => () => new MixedNB({ blocks: list as never });
    expect(build([{ model: "poisson", columns: [0] }])).toThrow(
      'MixedNB, blocks[0]: model must be one of gaussian, bernoulli, categorical, multinomial, got "poisson".',
    );
    expect(
      build([
        { model: "gaussian", columns: [0] },
        { model: "bernoulli", columns: [1, 0] },
      ]),
    ).toThrow(/blocks\[1\]: columns must be whole numbers ≥ 0, each in one block and once, got 0/);
    expect(build([{ model: "gaussian", columns: [0], alpha: 1 }])).toThrow(
      /must be one of varSmoothing, got "alpha"/,
    );
    expect(build([{ model: "gaussian", columns: [] }])).toThrow(ParameterError);
    expect(build([{ model: "multinomial", columns: [1], alpha: -1 }])).toThrow(/alpha must be/);
    expect(() => new MixedNB({ blocks: [{ model: "gaussian", columns: [9] }] }).fit(X, y)).toThrow(
      /X must be 10 columns wide or more, as blocks say, got 4 columns/,
    );
  });
});
