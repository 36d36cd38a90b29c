import {
  BernoulliNB,
  type Boundary,
  GaussianNB,
  isLinearlySeparable,
  LinearDiscriminantAnalysis,
  LogisticRegression,
  Matrix,
  PolynomialFeatures,
  pipeline,
  QuadraticDiscriminantAnalysis,
  Random,
} from "argmax";
import { describe, expect, it } from "vitest";

/** Rows of a plane whose mean and covariance (divisor n − 1) are exactly these: four points and their mirror images. */
function exactly(mean: readonly [number, number], covariance: readonly [number, number, number]): number[][] {
  const [a, b, c] = covariance;
  // Cholesky: [[l, 0], [m, n]]; eight unit points have a sum of squares of 4 along each axis.
  const l = Math.sqrt(a);
  const m = b / l;
  const n = Math.sqrt(c - m * m);
  const scale = Math.sqrt(7 / 4);
  return Array.from({ length: 8 }, (_, k) => {
    const [u, v] = [Math.cos((k * Math.PI) / 4) * scale, Math.sin((k * Math.PI) / 4) * scale];
    return [mean[0] + l * u, mean[1] + m * u + n * v];
  });
}

type Plane = {
  readonly mean: readonly [number, number];
  readonly covariance: readonly [number, number, number];
};

/** Two classes of the plane with equal priors, and their QDA. */
function two(zero: Plane, one: Plane) {
  const X = [...exactly(zero.mean, zero.covariance), ...exactly(one.mean, one.covariance)];
  const y = X.map((_, i) => (i < 8 ? 0 : 1));
  return { X, y, model: new QuadraticDiscriminantAnalysis().fit(X, y) };
}

const inverse = ([a, b, c]: Plane["covariance"]) => {
  const det = a * c - b * b;
  return { p: [c / det, -b / det, a / det] as const, det };
};

const valueAt = ({ A, b, c }: Boundary, v: readonly number[]) =>
  v.reduce((sum, vi, i) => sum + vi * b[i]! + v.reduce((inner, vj, j) => inner + vi * A.at(i, j) * vj, 0), c);

const random = new Random(4);
const points = Array.from({ length: 500 }, () => [6 * random.normal(), 6 * random.normal()]);

describe("C1 quadratic discriminant analysis", () => {
  const zero: Plane = { mean: [1, 2], covariance: [2, 0.5, 1] };
  const one: Plane = { mean: [-1, 0.5], covariance: [1, -0.3, 3] };
  const { model } = two(zero, one);

  it("A = ½(Σ₁⁻¹ − Σ₀⁻¹), b = Σ₀⁻¹μ₀ − Σ₁⁻¹μ₁ and c are those of the lecture", () => {
    const { A, b, c } = model.boundary(0, 1);
    const [P, Q] = [inverse(zero.covariance), inverse(one.covariance)];
    const form = ({ p }: typeof P, [u, v]: Plane["mean"]) => [p[0] * u + p[1] * v, p[1] * u + p[2] * v];
    const [pull, push] = [form(P, zero.mean), form(Q, one.mean)];
    [A.at(0, 0), A.at(0, 1), A.at(1, 1)].forEach((entry, e) => {
      expect(entry).toBeCloseTo(0.5 * (Q.p[e]! - P.p[e]!), 12);
    });
    expect(A.at(1, 0)).toBe(A.at(0, 1));
    expect(b[0]).toBeCloseTo(pull[0]! - push[0]!, 12);
    expect(b[1]).toBeCloseTo(pull[1]! - push[1]!, 12);
    const squares =
      one.mean[0] * push[0]! + one.mean[1] * push[1]! - zero.mean[0] * pull[0]! - zero.mean[1] * pull[1]!;
    expect(c).toBeCloseTo(0.5 * (Math.log(Q.det / P.det) + squares), 12);
  });

  it("vᵀAv + vᵀb + c is the log likelihood ratio, and its sign is the prediction", () => {
    const boundary = model.boundary(0, 1);
    const ratio = model.logLikelihoodRatio(points, 0, 1);
    const predicted = model.predict(points);
    points.forEach((v, i) => {
      const value = valueAt(boundary, v);
      expect(ratio[i]).toBeCloseTo(value, 9);
      expect(predicted[i]).toBe(value >= 0 ? 0 : 1);
      expect(valueAt(model.boundary(1, 0), v)).toBeCloseTo(-value, 9);
    });
  });

  it.each<[string, Plane, Plane]>([
    ["circle", { mean: [0, 0], covariance: [1, 0, 1] }, { mean: [1, 0], covariance: [4, 0, 4] }],
    ["ellipse", { mean: [0, 0], covariance: [1, 0.2, 1] }, { mean: [1, 0], covariance: [4, 0, 5] }],
    ["hyperbola", { mean: [0, 0], covariance: [1, 0, 4] }, { mean: [1, 0], covariance: [4, 0, 1] }],
    ["parabola", { mean: [0, 0], covariance: [1, 0, 2] }, { mean: [1, 3], covariance: [4, 0, 2] }],
    ["line", { mean: [0, 0], covariance: [1, 0.4, 2] }, { mean: [1, 3], covariance: [1, 0.4, 2] }],
    ["parallel lines", { mean: [0, 0], covariance: [1, 0, 2] }, { mean: [1, 0], covariance: [4, 0, 2] }],
    ["intersecting lines", { mean: [0, 0], covariance: [1, 0, 4] }, { mean: [0, 0], covariance: [4, 0, 1] }],
  ])("in the plane the boundary is a conic: %s", (kind, zero, one) => {
    expect(two(zero, one).model.conic(0, 1)).toBe(kind);
  });

  it("has one boundary for each pair of classes", () => {
    const means = [
      [0, 0],
      [4, 0],
      [0, 4],
    ] as const;
    const X = means.flatMap((mean, k) => exactly(mean, [1 + k, 0.3, 2]));
    const model = new QuadraticDiscriminantAnalysis().fit(
      X,
      X.map((_, i) => "abc"[Math.floor(i / 8)]!),
    );
    const predicted = model.predict(points);
    points.forEach((v, i) => {
      const wins = (["a", "b", "c"] as const).filter((own) =>
        ["a", "b", "c"].every((other) => other === own || valueAt(model.boundary(own, other), v) >= 0),
      );
      expect(wins).toEqual([predicted[i]]);
    });
  });
});

describe("C2 LDA is QDA with one covariance", () => {
  const random = new Random(7);
  const X = Array.from({ length: 90 }, (_, i) => [
    random.normal() + (i % 3),
    2 * random.normal() - (i % 3),
    random.normal(),
  ]);
  const y = X.map((_, i) => ["a", "b", "c"][i % 3]!);
  const tied = new QuadraticDiscriminantAnalysis({ tiedCovariance: true }).fit(X, y);
  const lda = new LinearDiscriminantAnalysis().fit(X, y);

  it("gives the posteriors of LDA", () => {
    const p = lda.predictProba(X).data;
    tied.predictProba(X).data.forEach((q, e) => {
      expect(q).toBeCloseTo(p[e]!, 12);
    });
  });

  it("has A = 0, b = Σ⁻¹(μ₀ − μ₁) and the same c", () => {
    const [flat, line] = [tied.boundary("a", "b"), lda.boundary("a", "b")];
    expect(flat.A.data.every((entry) => entry === 0)).toBe(true);
    expect(line.A.data.every((entry) => entry === 0)).toBe(true);
    flat.b.forEach((entry, j) => {
      expect(entry).toBeCloseTo(line.b[j]!, 11);
    });
    expect(flat.c).toBeCloseTo(line.c, 11);
    // Σ b = μ₀ − μ₁, with the covariance of the rows around the means of three classes, unbiased.
    const ofClass = (label: string) => X.filter((_, i) => y[i] === label);
    const mean = (rows: number[][]) =>
      [0, 1, 2].map((j) => rows.reduce((s, r) => s + r[j]!, 0) / rows.length);
    const means = { a: mean(ofClass("a")), b: mean(ofClass("b")), c: mean(ofClass("c")) };
    const sigma = (i: number, j: number) =>
      X.reduce((s, r, n) => {
        const mu = means[y[n] as "a"];
        return s + (r[i]! - mu[i]!) * (r[j]! - mu[j]!);
      }, 0) /
      (X.length - 3);
    for (const i of [0, 1, 2]) {
      const image = [0, 1, 2].reduce((s, j) => s + sigma(i, j) * line.b[j]!, 0);
      expect(image).toBeCloseTo(means.a[i]! - means.b[i]!, 11);
    }
  });
});

describe("C3 the quadratic feature map makes QDA linear", () => {
  const { X, y, model } = two(
    { mean: [0, 0], covariance: [1, 0.2, 1] },
    { mean: [1, 0.5], covariance: [5, -1, 4] },
  );
  const map = new PolynomialFeatures({ degree: 2, includeBias: false }).fit(X);

  it("maps v to (v₁, v₂, v₁², v₁v₂, v₂²)", () => {
    expect(map.featureNames(["v1", "v2"])).toEqual(["v1", "v2", "v1^2", "v1 v2", "v2^2"]);
    expect(map.transform([[2, 3]]).toArray()).toEqual([[2, 3, 4, 6, 9]]);
  });

  it("turns the conic into the plane with coefficients (b₁, b₂, A₁₁, 2A₁₂, A₂₂)", () => {
    const { A, b, c } = model.boundary(1, 0);
    const w = Float64Array.of(b[0]!, b[1]!, A.at(0, 0), 2 * A.at(0, 1), A.at(1, 1));
    const mapped = map.transform(points);
    const margins = model.decisionFunction(points).data;
    for (let i = 0; i < mapped.rows; i++) {
      const z = mapped.row(i).reduce((sum, u, j) => sum + u * w[j]!, c);
      expect(z).toBeCloseTo(margins[i]!, 8);
    }
  });

  it("so a linear model on mapped features draws the same boundary", () => {
    const labels = model.predict(points);
    expect(isLinearlySeparable(Matrix.fromRows(points), labels)).toBe(false);
    expect(isLinearlySeparable(map.transform(points), labels)).toBe(true);
    const linear = pipeline(
      new PolynomialFeatures({ degree: 2, includeBias: false }),
      new LogisticRegression({ C: 1e6, maxIter: 10_000 }),
    ).fit(points, labels);
    expect(linear.score(points, labels)).toBe(1);
    expect(model.score(X, y)).toBeGreaterThan(0.6);
  });
});

describe("Y13 the class density p(v | C) itself", () => {
  const zero: Plane = { mean: [1, 2], covariance: [2, 0.5, 1] };
  const one: Plane = { mean: [-1, 0.5], covariance: [1, -0.3, 3] };
  /** log of exp(−½ (v − μ)ᵀ Σ⁻¹ (v − μ)) / √((2π)² |Σ|). */
  const normal = ({ mean, covariance }: Plane, [a, b]: readonly number[]) => {
    const { p, det } = inverse(covariance);
    const [u, v] = [a! - mean[0], b! - mean[1]];
    return -0.5 * (u * u * p[0] + 2 * u * v * p[1] + v * v * p[2]) - 0.5 * Math.log((2 * Math.PI) ** 2 * det);
  };
  const X = [...exactly(zero.mean, zero.covariance), ...exactly(one.mean, one.covariance)];
  const y = X.map((_, i) => (i < 8 ? "zero" : "one"));
  const priors = { one: 0.3, zero: 0.7 };
  const classes = ["one", "zero"] as const;
  const given = { priors: classes.map((label) => priors[label]) };
  const near = points.slice(0, 100);

  /** Bayes' rule on densities and priors is the posterior that the model returns. */
  const posteriorsFollow = (model: {
    logLikelihood(x: number[][]): Matrix;
    predictProba(x: number[][]): Matrix;
  }) => {
    const [density, posterior] = [model.logLikelihood(near), model.predictProba(near)];
    near.forEach((_, i) => {
      const odds = density.at(i, 1) - density.at(i, 0) + Math.log(priors.zero / priors.one);
      expect(posterior.at(i, 1)).toBeCloseTo(1 / (1 + Math.exp(-odds)), 10);
    });
    return density;
  };

  it("of QDA: each class with its own Σ", () => {
    const model = new QuadraticDiscriminantAnalysis(given).fit(X, y);
    const density = posteriorsFollow(model);
    near.forEach((v, i) => {
      // Up to 400 deviations away: ten digits behind the point are thirteen of the number.
      expect(density.at(i, 0)).toBeCloseTo(normal(one, v), 9);
      expect(density.at(i, 1)).toBeCloseTo(normal(zero, v), 9);
    });
  });

  it.each(["svd", "lsqr"] as const)("of LDA: one Σ for both, with solver %s", (solver) => {
    const model = new LinearDiscriminantAnalysis({ ...given, solver }).fit(X, y);
    const density = posteriorsFollow(model);
    // svd: the scatters of both classes over n − 2 rows, each 7 Σₖ. lsqr: Σ πₖ Sₖ with S = 7/8 Σₖ.
    const [w0, w1] = solver === "svd" ? [7 / 14, 7 / 14] : [(0.7 * 7) / 8, (0.3 * 7) / 8];
    const pooled = [0, 1, 2].map((e) => w0 * zero.covariance[e]! + w1 * one.covariance[e]!);
    const covariance = pooled as unknown as Plane["covariance"];
    near.forEach((v, i) => {
      expect(density.at(i, 0)).toBeCloseTo(normal({ mean: one.mean, covariance }, v), 9);
      expect(density.at(i, 1)).toBeCloseTo(normal({ mean: zero.mean, covariance }, v), 9);
    });
  });

  it("of Gaussian naive Bayes: a diagonal Σ, of the variances with divisor n", () => {
    const density = posteriorsFollow(new GaussianNB({ ...given, varSmoothing: 0 }).fit(X, y));
    const diagonal = ({ mean, covariance }: Plane): Plane => ({
      mean,
      covariance: [(7 / 8) * covariance[0], 0, (7 / 8) * covariance[2]],
    });
    near.forEach((v, i) => {
      expect(density.at(i, 0)).toBeCloseTo(normal(diagonal(one), v), 9);
      expect(density.at(i, 1)).toBeCloseTo(normal(diagonal(zero), v), 9);
    });
  });

  it("of Bernoulli naive Bayes, whose densities are probabilities: those of all rows sum to 1", () => {
    const bits = [0, 1, 2, 3].map((code) => [code & 1, code >> 1]);
    const model = new BernoulliNB({ classPrior: given.priors }).fit(
      X.map((row) => row.map((v) => (v > 1 ? 1 : 0))),
      y,
    );
    const density = model.logLikelihood(bits);
    const posterior = model.predictProba(bits);
    for (const k of [0, 1]) {
      const total = bits.reduce((sum, _, i) => sum + Math.exp(density.at(i, k)), 0);
      expect(total).toBeCloseTo(1, 12);
    }
    bits.forEach((_, i) => {
      const joint = [0, 1].map((k) => given.priors[k]! * Math.exp(density.at(i, k)));
      expect(posterior.at(i, 1)).toBeCloseTo(joint[1]! / (joint[0]! + joint[1]!), 12);
    });
  });
});
