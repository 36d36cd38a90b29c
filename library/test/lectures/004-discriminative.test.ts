import {
  BernoulliNB,
  betaPrior,
  CategoricalNB,
  dirichletPrior,
  gaussianPrior,
  LinearClassifier,
  LinearSVC,
  LogisticRegression,
  l2,
  laplacePrior,
  logistic,
  MultinomialNB,
  none,
  PolynomialFeatures,
  Random,
  SGDClassifier,
  SoftmaxRegression,
  StandardScaler,
  sgd,
  softmax,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const iris = await loadDataset("iris");
const two = Array.from({ length: 100 }, (_, i) => i);
const X2 = iris.X.selectRows(two);
const y2 = two.map((i) => iris.y[i]!);
const sigmoid = (h: number) => 1 / (1 + Math.exp(-h));

describe("E2 dot products, projections, hyperplanes", () => {
  it("the decision value over ‖w‖ is the signed distance from the plane", () => {
    const model = new LogisticRegression().fit(X2, y2);
    const w = model.coef.row(0);
    const size = Math.sqrt(w.reduce((sum, v) => sum + v * v, 0));
    const x = X2.row(7);
    const z = model.decisionFunction([x]).data[0]!;
    // Walking −z/‖w‖ along the unit normal ends on the plane.
    const foot = x.map((v, j) => v - (z / size) * (w[j]! / size));
    expect(model.decisionFunction([foot]).data[0]!).toBeCloseTo(0, 12);
  });
});

describe("E3 logistic regression by per-example ascent", () => {
  const X = [
    [0.5, -1],
    [2, 0.3],
    [-1, 1.5],
    [0.1, 0.2],
  ];
  const y = [1, 0, 1, 0];
  const N = X.length;

  it("w ← w + ε[x(y − g) − w/(λN)] is the sgd solver with a constant rate and a Gaussian prior", () => {
    const eps = 0.3;
    const lambda = 2;
    const w = [0, 0];
    let b = 0;
    for (let pass = 0; pass < 3; pass++) {
      for (let i = 0; i < N; i++) {
        const g = sigmoid(w[0]! * X[i]![0]! + w[1]! * X[i]![1]! + b);
        for (const j of [0, 1]) w[j]! += eps * (X[i]![j]! * (y[i]! - g) - w[j]! / (lambda * N));
        b += eps * (y[i]! - g);
      }
    }
    const model = new LinearClassifier({
      loss: logistic(),
      // e^(−w²/2λ): a Gaussian prior of variance λ.
      penalty: gaussianPrior(Math.sqrt(lambda)),
      solver: sgd({ learningRate: "constant", eta0: eps, shuffle: false }),
      maxIter: 3,
    }).fit(X, y);
    expect(model.coef.at(0, 0)).toBeCloseTo(w[0]!, 12);
    expect(model.coef.at(0, 1)).toBeCloseTo(w[1]!, 12);
    expect(model.intercept[0]).toBeCloseTo(b, 12);
  });

  it("strength 1/λ: the L2 MAP fit is LogisticRegression with C = λ", () => {
    const lambda = 0.5;
    const map = new LinearClassifier({ loss: logistic(), penalty: l2(1 / (lambda * 100)), tol: 1e-8 }).fit(
      X2,
      y2,
    );
    const named = new LogisticRegression({ C: lambda, tol: 1e-8 }).fit(X2, y2);
    for (let j = 0; j < 4; j++) expect(map.coef.at(0, j)).toBeCloseTo(named.coef.at(0, j), 8);
  });

  it("strength 1/λ: the L1 MAP fit is LogisticRegression with C = λ, where Σ x(y − g) = sign(w)/λ or w is 0", () => {
    const lambda = 0.1;
    const prior = { loss: logistic(), penalty: laplacePrior(lambda), tol: 1e-8 } as const;
    const map = new LinearClassifier(prior).fit(X2, y2);
    const named = new LogisticRegression({ C: lambda, penalty: "l1", tol: 1e-8 }).fit(X2, y2);
    const g = map.predictProba(X2);
    const zeros = Array.from(map.coef.data, (w, j) => {
      expect(w).toBeCloseTo(named.coef.at(0, j), 6);
      const slope = two.reduce(
        (sum, i) => sum + X2.at(i, j) * ((y2[i] === map.classes[1] ? 1 : 0) - g.at(i, 1)),
        0,
      );
      if (w === 0) expect(Math.abs(slope)).toBeLessThan(1 / lambda);
      else expect(slope).toBeCloseTo(Math.sign(w) / lambda, 5);
      return w === 0;
    });
    expect(zeros).toContain(true);
    expect(zeros).toContain(false);
  });
});

describe("X2 the per-example L1 step with sign(w)/λ", () => {
  const X = [
    [0.5, -1, 0.02],
    [2, 0.3, 0],
    [-1, 1.5, -0.01],
    [0.1, 0.2, 0.03],
  ];
  const y = [1, 0, 1, 0];
  const N = X.length;
  const eps = 0.3;
  const lambda = 2;
  const passes = 3;
  const parts = { loss: logistic(), penalty: laplacePrior(lambda), maxIter: passes } as const;
  const rate = { learningRate: "constant", eta0: eps, shuffle: false } as const;

  /** w ← w + ε[x(y − g) − sign(w)/(λN)], and every w on the way. */
  function byHand(): { path: number[][]; b: number } {
    let w = [0, 0, 0];
    let b = 0;
    const path: number[][] = [];
    for (let pass = 0; pass < passes; pass++) {
      for (const [i, x] of X.entries()) {
        const g = sigmoid(x.reduce((sum, v, j) => sum + w[j]! * v, b));
        w = w.map((wj, j) => wj + eps * (x[j]! * (y[i]! - g) - Math.sign(wj) / (lambda * N)));
        b += eps * (y[i]! - g);
        path.push(w);
      }
    }
    return { path, b };
  }

  it("is the sgd solver with l1Update: subgradient and a Laplace prior, step by step", () => {
    const { path, b } = byHand();
    const model = new LinearClassifier({ ...parts, solver: sgd({ ...rate, l1Update: "subgradient" }) }).fit(
      X,
      y,
    );
    for (const j of [0, 1, 2]) expect(model.coef.at(0, j)).toBeCloseTo(path.at(-1)![j]!, 12);
    expect(model.intercept[0]).toBeCloseTo(b, 12);
    // The same after one row, two rows, three rows.
    for (const rows of [1, 2, 3]) {
      const steps = new SGDClassifier({
        loss: "logLoss",
        penalty: "l1",
        alpha: 1 / (lambda * N),
        l1Update: "subgradient",
        ...rate,
        maxIter: 1,
      });
      const few = steps.partialFit(null, X.slice(0, rows), y.slice(0, rows), { classes: [0, 1] });
      for (const j of [0, 1, 2]) expect(few.coef.at(0, j)).toBeCloseTo(path[rows - 1]![j]!, 12);
    }
  });

  it("crosses 0 again and again where the penalty outweighs a column; truncation, the default, stays at 0", () => {
    const { path } = byHand();
    const signs = path.map((w) => Math.sign(w[2]!));
    expect(signs).toContain(1);
    expect(signs).toContain(-1);
    const plain = new LinearClassifier({ ...parts, solver: sgd({ ...rate, l1Update: "subgradient" }) });
    const truncated = new LinearClassifier({ ...parts, solver: sgd(rate) });
    expect(plain.fit(X, y).coef.at(0, 2)).not.toBe(0);
    expect(truncated.fit(X, y).coef.at(0, 2)).toBe(0);
  });
});

describe("X1 the per-example rule of several classes", () => {
  const X = [
    [0.5, -1],
    [2, 0.3],
    [-1, 1.5],
    [0.1, 0.2],
    [1, 1],
  ];
  const y = ["a", "b", "c", "a", "b"];
  const classes = ["a", "b", "c"];

  it("one epoch of the sgd solver with softmax is w_jk ← w_jk + ε x_j (δ(y = k) − p_k), row by row", () => {
    const eps = 0.3;
    const w = classes.map(() => [0, 0]);
    const b = [0, 0, 0];
    for (const [i, x] of X.entries()) {
      const e = w.map((wk, k) => Math.exp(wk[0]! * x[0]! + wk[1]! * x[1]! + b[k]!));
      const sum = e.reduce((all, v) => all + v, 0);
      for (const [k, name] of classes.entries()) {
        const step = eps * ((y[i] === name ? 1 : 0) - e[k]! / sum);
        for (const j of [0, 1]) w[k]![j]! += x[j]! * step;
        b[k]! += step;
      }
    }
    const model = new LinearClassifier({
      loss: softmax(),
      penalty: none(),
      solver: sgd({ learningRate: "constant", eta0: eps, shuffle: false }),
      maxIter: 1,
    }).fit(X, y);
    for (const k of classes.keys()) {
      for (const j of [0, 1]) expect(model.coef.at(k, j)).toBeCloseTo(w[k]![j]!, 12);
      expect(model.intercept[k]).toBeCloseTo(b[k]!, 12);
    }
  });

  it("many epochs come to the minimum of softmax regression", () => {
    const X = new StandardScaler().fit(iris.X).transform(iris.X);
    const map = { loss: softmax(), penalty: l2(0.02) } as const;
    const exact = new LinearClassifier({ ...map, tol: 1e-8 }).fit(X, iris.y);
    const solver = sgd({ learningRate: "optimal", nIterNoChange: 200 });
    const model = new LinearClassifier({ ...map, solver, tol: 1e-6, maxIter: 5000 }).fit(X, iris.y);
    expect(model.report.converged).toBe(true);
    // The rate is 1/(α(t₀ + t)): after 200 epochs or more it is below 1/(0.02 · 30,000) = 0.0017, and J within about its square over the curvature.
    expect(model.report.objective / exact.report.objective).toBeLessThan(1 + 1e-4);
    expect(model.score(X, iris.y)).toBeGreaterThanOrEqual(0.96);
  });
});

describe("E4 multiclass logistic with a reference class", () => {
  const symmetric = new SoftmaxRegression({ penalty: "none", tol: 1e-6, maxIter: 500 }).fit(iris.X, iris.y);
  const reference = new SoftmaxRegression({
    penalty: "none",
    form: "reference",
    tol: 1e-6,
    maxIter: 500,
  }).fit(iris.X, iris.y);

  it("has (N + 1)(M − 1) parameters, and the last class scores 0", () => {
    expect(reference.nParameters).toBe(5 * 2);
    expect(symmetric.nParameters).toBe(5 * 3);
    expect(reference.coef.row(2).every((w) => w === 0)).toBe(true);
    expect(reference.intercept[2]).toBe(0);
  });

  it("gives the same probabilities as the symmetric form", () => {
    const p = symmetric.predictProba(iris.X);
    const q = reference.predictProba(iris.X);
    // Unpenalised irises are nearly separable: the optimum is flat, so probabilities agree to the digits it fixes.
    for (let e = 0; e < p.data.length; e++) expect(q.data[e]).toBeCloseTo(p.data[e]!, 3);
    expect(reference.report.objective).toBeCloseTo(symmetric.report.objective, 5);
  });
});

describe("E5 maximum margin", () => {
  // Closest points of the classes: (1, 0) and (3, 0). The widest street is 2 wide, its middle x = 2.
  const X = [
    [0, 1],
    [1, 0],
    [0, -1],
    [3, 0],
    [4, 1],
    [4, -1],
  ];
  const y = ["left", "left", "left", "right", "right", "right"];
  const model = new LinearSVC({ loss: "hinge", C: 1e4, tol: 1e-7 }).fit(X, y);

  it("M = 2/√(w·w) is the width of the street", () => {
    expect(model.marginWidths[0]).toBeCloseTo(2, 6);
    expect(model.coef.at(0, 0)).toBeCloseTo(1, 6);
    expect(model.coef.at(0, 1)).toBeCloseTo(0, 6);
    expect(model.intercept[0]).toBeCloseTo(-2, 6);
  });

  it("the support vectors are the rows with functional margin 1", () => {
    const { functional, minFunctional, minGeometric } = model.margins(X, y);
    const support = [...functional.keys()].filter((i) => functional[i]! < 1 + 1e-5);
    expect(support).toEqual([1, 3]);
    expect(minFunctional).toBeCloseTo(1, 6);
    expect(minGeometric).toBeCloseTo(1, 6);
  });
});

describe("E6 soft margin with slack", () => {
  const X = [[0], [1], [2], [3], [1.8]];
  const y = [-1, -1, 1, 1, -1];

  it("slacks are max(0, 1 − margin) and enter the objective ½‖w‖² + C Σ ξ", () => {
    const model = new LinearSVC({ loss: "hinge", C: 0.7, tol: 1e-7 }).fit(X, y);
    const slack = model.slacks(X, y);
    const { functional } = model.margins(X, y);
    slack.forEach((s, i) => {
      expect(s).toBeCloseTo(Math.max(0, 1 - functional[i]!), 12);
    });
    const objective = 0.5 * model.coef.data[0]! ** 2 + 0.7 * slack.reduce((a, b) => a + b, 0);
    expect(model.report.objective).toBeCloseTo(objective, 8);
  });

  it("C → ∞ tends to the hard margin", () => {
    const hard = 2 / (2 - 1.8);
    const widths = [1, 100, 1e4].map(
      (C) => 2 / new LinearSVC({ loss: "hinge", C, tol: 1e-7 }).fit(X, y).marginWidths[0]!,
    );
    expect(widths[2]).toBeCloseTo(hard, 4);
    expect(Math.abs(widths[2]! - hard)).toBeLessThanOrEqual(Math.abs(widths[0]! - hard));
  });
});

describe("E8 the quadratic map and the kernel that computes it", () => {
  const random = new Random(8);
  const vector = (N: number) => Array.from({ length: N }, () => random.normal());

  it.each([1, 2, 5, 30])("of N = %i features has N + N + N(N − 1)/2, and the constant", (N) => {
    const map = new PolynomialFeatures({ degree: 2 }).fit([vector(N)]);
    expect(map.nOutputs).toBe(1 + N + N + (N * (N - 1)) / 2);
  });

  it("has the dot product (1 + x·z)² when each term is scaled by the root of its multiplicity", () => {
    const map = new PolynomialFeatures({ degree: 2 }).fit([vector(6)]);
    // (1 + x·z)² has every square once, every linear term and every product twice.
    const scale = map.powers.toArray().map((powers) => {
      const degree = powers.reduce((sum, p) => sum + p, 0);
      return degree === 0 || powers.includes(2) ? 1 : Math.SQRT2;
    });
    for (let trial = 0; trial < 50; trial++) {
      const [x, z] = [vector(6), vector(6)];
      const [u, v] = map.transform([x, z]).toArray() as [number[], number[]];
      const mapped = u.reduce((sum, ui, o) => sum + scale[o]! * ui * scale[o]! * v[o]!, 0);
      const dot = x.reduce((sum, xi, j) => sum + xi * z[j]!, 0);
      expect(mapped).toBeCloseTo((1 + dot) * (1 + dot), 10);
    }
  });
});

describe("E1 MAP estimates of a Bernoulli and of naive Bayes", () => {
  const heads = 7;
  const tails = 3;
  const throws = [...Array(heads).fill(1), ...Array(tails).fill(0)] as number[];
  const X = [...throws, 1, 0].map((v) => [v]);
  const labels = X.map((_, i) => (i < throws.length ? "coin" : "other"));

  it.each([
    [1, 1],
    [2, 2],
    [5, 3],
    [1.5, 9],
  ])("a Beta(%d, %d) prior: p = (H + α − 1) / (H + T + α + β − 2)", (a, b) => {
    const model = new BernoulliNB({ alpha: betaPrior(a, b) }).fit(X, labels);
    const p = (heads + a - 1) / (heads + tails + a + b - 2);
    // Beta(1, 1) is maximum likelihood: pseudo-counts of 0, which count as 1e-10.
    expect(Math.exp(model.featureLogProb.at(0, 0))).toBeCloseTo(p, a === 1 ? 9 : 14);
  });

  it("p is the mode of the posterior: no other p has more prior × likelihood", () => {
    const [a, b] = [5, 3];
    const posterior = (p: number) => (heads + a - 1) * Math.log(p) + (tails + b - 1) * Math.log(1 - p);
    const model = new BernoulliNB({ alpha: betaPrior(a, b) }).fit(X, labels);
    const p = Math.exp(model.featureLogProb.at(0, 0));
    for (const other of [p - 0.01, p + 0.01, 0.5, 0.9]) expect(posterior(other)).toBeLessThan(posterior(p));
  });

  it("Dirichlet priors of a categorical column: (count + β − 1) / Σ (count + β − 1)", () => {
    const values = [[0], [0], [1], [2], [2], [2]];
    const y = [0, 0, 0, 1, 1, 1];
    const beta = [[2, 3, 1.5]];
    const [table] = new CategoricalNB({ alpha: dirichletPrior(beta) }).fit(values, y).featureLogProb;
    const expected = [3 / 6.5, 3 / 6.5, 0.5 / 6.5, 1 / 6.5, 2 / 6.5, 3.5 / 6.5];
    expected.forEach((p, e) => {
      expect(Math.exp(table!.data[e]!)).toBeCloseTo(p, 14);
    });
  });

  it("of words, one β each, and of the classes", () => {
    const model = new MultinomialNB({
      alpha: dirichletPrior([2, 4]),
      priorAlpha: dirichletPrior([3, 1]),
    }).fit(
      [
        [3, 1],
        [0, 2],
        [1, 1],
      ],
      ["a", "b", "b"],
    );
    const words = [4 / 8, 4 / 8, 2 / 8, 6 / 8];
    words.forEach((p, e) => {
      expect(Math.exp(model.featureLogProb.data[e]!)).toBeCloseTo(p, 14);
    });
    // (1 + 2) and (2 + 0) of five.
    expect(Array.from(model.classLogPrior, Math.exp)).toEqual([
      expect.closeTo(0.6, 14),
      expect.closeTo(0.4, 14),
    ]);
  });
});
