import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, FormatError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { kernels } from "../kernel-functions/index.js";
import { createLoader, saveModel } from "../persistence/index.js";
import { FittedProbabilisticSVC, FittedSVC, formatLibsvmModel, parseLibsvmModel, SVC } from "./index.js";
import { FittedSVR, SVR } from "./svr.js";

/** Three machines on a line that say x > 0, x > 1, x > 2 with the first of each pair where that holds. */
const three = (labels: string) => `svm_type c_svc
kernel_type linear
nr_class 3
total_sv 3
rho 0 1 2
label ${labels}
nr_sv 1 1 1
SV
1 1 1:1
0 1 1:1
0 0 1:1
`;

/** f(x) = 2 x₁ − 3 x₃ + 0.5. */
const line = `svm_type epsilon_svr
kernel_type linear
nr_class 2
total_sv 2
rho -0.5
SV
2 1:1
-1 3:3
`;

const replaced = (text: string, from: string | RegExp, to: string) => {
  expect(text).toMatch(from);
  return text.replace(from, to);
};

describe("parseLibsvmModel", () => {
  it("counts votes by the file's order of classes, whatever it is", () => {
    // Votes of (first, second, third): x = 3: 2, 1, 0; x = 1.5: 2, 0, 1; x = 0.5: 1, 0, 2; x = −1: 0, 1, 2.
    const x = [[3], [1.5], [0.5], [-1]];
    for (const [a, b, c] of [
      [1, 2, 3],
      [1, 3, 2],
      [2, 1, 3],
      [2, 3, 1],
      [3, 1, 2],
      [3, 2, 1],
    ] as const) {
      const model = parseLibsvmModel(three(`${a} ${b} ${c}`), SVC);
      expect(model.classes).toEqual([1, 2, 3]);
      expect(model.predict(x)).toEqual([a, a, c, c]);
    }
  });

  it("lets the class win that training met first, of those with equally many votes", () => {
    // First over second, second over third, third over first: one vote each.
    const text = replaced(three("9 4 -6"), "rho 0 1 2", "rho -1 1 -1");
    for (const label of ["9 4 -6", "4 9 -6", "-6 4 9"]) {
      const model = parseLibsvmModel(replaced(text, "9 4 -6", label), SVC);
      expect(model.predict([[0]])).toEqual([Number(label.split(" ")[0])]);
    }
  });

  it("shows the margins of pairs, positive for the smaller class, when asked for them", () => {
    // LIBSVM's are x, x − 1 and x − 2 for the pairs (3, 2), (3, 1), (2, 1).
    const model = parseLibsvmModel(three("3 2 1"), SVC, { decisionFunctionShape: "ovo" });
    expect(model.decisionFunction([[5]]).data).toEqual(Float64Array.of(-3, -4, -5));
    expect(
      parseLibsvmModel(three("3 2 1"), SVC)
        .decisionFunction([[5]])
        .row(0)[2],
    ).toBeGreaterThan(2);
    // @ts-expect-error: a regressor has no such function.
    parseLibsvmModel(line, SVR, { decisionFunctionShape: "ovo" });
  });

  it("is positive for the larger of two classes", () => {
    const two = (label: string) => `svm_type nu_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1
label ${label}\nnr_sv 1 0\nSV\n2 1:1\n`;
    const larger = parseLibsvmModel(two("5 3"), SVC);
    expect(larger.decisionFunction([[2]]).data).toEqual(Float64Array.of(3));
    expect(larger.predict([[2], [0]])).toEqual([5, 3]);
    const smaller = parseLibsvmModel(two("3 5"), SVC);
    expect(smaller.decisionFunction([[2]]).data).toEqual(Float64Array.of(-3));
    expect(smaller.predict([[2], [0]])).toEqual([3, 5]);
  });

  it("gives a class its own probability, whichever class LIBSVM's sigmoid is about", () => {
    // P(first) = 1/(1 + e^(A f + B)) with A f + B = −(2 x − 1) + 0.5.
    const text = (label: string) => `svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1
label ${label}\nprobA -1\nprobB 0.5\nnr_sv 1 0\nSV\n2 1:1\n`;
    const p = 1 / (1 + Math.exp(-2.5));
    for (const [label, expected] of [
      ["1 0", [1 - p, p]],
      ["0 1", [p, 1 - p]],
    ] as const) {
      const model = parseLibsvmModel(text(label), SVC);
      expect(model).toBeInstanceOf(FittedProbabilisticSVC);
      const ours = (model as FittedProbabilisticSVC<number>).predictProba([[2]]).data;
      for (const k of [0, 1]) expect(ours[k]).toBeCloseTo(expected[k]!, 15);
    }
  });

  it("reads regressors", () => {
    const model = parseLibsvmModel(line, SVR);
    expectTypeOf(model).toEqualTypeOf<FittedSVR>();
    expect(
      model.predict([
        [1, 7, 0],
        [0, 0, 1],
      ]),
    ).toEqual(Float64Array.of(2.5, -2.5));
    expect(model.intercept).toBe(0.5);
    expect(model.support).toEqual(Int32Array.of(0, 1));
  });

  it("takes bytes, lines that end as on Windows, and blank lines at the end", () => {
    const other = `${line.replaceAll("\n", "\r\n")}\r\n\r\n`;
    const bytes = new TextEncoder().encode(other);
    for (const text of [other, bytes, bytes.buffer as ArrayBuffer])
      expect(parseLibsvmModel(text, SVR).predict([[1, 7, 0]])).toEqual(Float64Array.of(2.5));
  });

  it("takes the kind from the file when it is not named", () => {
    const model = parseLibsvmModel(line);
    expectTypeOf(model).toEqualTypeOf<FittedSVC<number> | FittedProbabilisticSVC<number> | FittedSVR>();
    expect(model).toBeInstanceOf(FittedSVR);
    expect(parseLibsvmModel(three("1 2 3"))).toBeInstanceOf(FittedSVC);
    expect(() => parseLibsvmModel(line, SVC)).toThrow(
      "parseLibsvmModel: the model must be a classifier (SVC), got svm_type epsilon_svr.",
    );
    expect(() => parseLibsvmModel(three("1 2 3"), SVR)).toThrow(FormatError);
  });

  it("has as many columns as the largest index says, or as cols says", () => {
    expect(parseLibsvmModel(line).nFeatures).toBe(3);
    expect(() => parseLibsvmModel(line).predict([[1, 0, 0, 5]])).toThrow(ShapeError);
    const wide = parseLibsvmModel(line, SVR, { cols: 4 });
    expect(wide.predict([[1, 0, 0, 5]])).toEqual(Float64Array.of(2.5));
    expect(() => parseLibsvmModel(line, { cols: 2 })).toThrow(
      "parseLibsvmModel: an index in line 8 must be at most 2, as cols is 2, got 3.",
    );
  });

  it("counts from 0 if an index 0 occurs, or as zeroBased says", () => {
    const zero = replaced(line, "2 1:1", "2 0:1");
    expect(parseLibsvmModel(zero, SVR).predict([[1, 0, 0, 0]])).toEqual(Float64Array.of(2.5));
    expect(parseLibsvmModel(line, SVR, { zeroBased: true }).nFeatures).toBe(4);
    expect(() => parseLibsvmModel(zero, { zeroBased: false })).toThrow("every index must be at least 1");
  });

  it("keeps sparse vectors sparse", () => {
    const model = parseLibsvmModel(line, SVR, { cols: 1_000_000 });
    expect(model.supportVectors).toBeInstanceOf(CsrMatrix);
    const row = CsrMatrix.fromRows(
      [
        [
          [0, 1],
          [999_999, 4],
        ],
      ],
      1_000_000,
    );
    expect(model.predict(row)).toEqual(Float64Array.of(2.5));
  });

  it("reads a constant, whose width only cols can say", () => {
    const constant = "svm_type nu_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 0\nrho -3\nSV\n";
    expect(parseLibsvmModel(constant, SVR, { cols: 2 }).predict([[1, 2]])).toEqual(Float64Array.of(3));
    expect(() => parseLibsvmModel(constant)).toThrow(/Pass the number of columns as \{ cols \}/);
  });

  it("says that the file does not tell how the fit ended", () => {
    const { report } = parseLibsvmModel(line);
    expect(report.solver).toBe("libsvm");
    expect(report.warnings).toEqual(["Read from a LIBSVM file, which does not store how the fit ended."]);
  });

  it("gives models that saveModel keeps, order of classes and all", () => {
    const { loadModel } = createLoader([SVC, SVR]);
    const tie = replaced(three("9 4 -6"), "rho 0 1 2", "rho -1 1 -1");
    const model = loadModel(saveModel(parseLibsvmModel(tie)), SVC);
    expect(model.predict([[0]])).toEqual([9]);
    expect(loadModel(saveModel(parseLibsvmModel(line)), SVR).predict([[1, 0, 0]])).toEqual(
      Float64Array.of(2.5),
    );
    const state = model.toState();
    expect(() => SVC.restore({ ...state, values: { ...state.values, order: [0, 1, 1] } })).toThrow(
      "loadModel(SVC): order must be 0 … 2 in some order, got [0, 1, 1].",
    );
  });
});

describe("parseLibsvmModel names the line of a mistake", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      replaced(line, "epsilon_svr", "one_class"),
      "svm_type in line 1",
      '"c_svc", "nu_svc", "epsilon_svr" or "nu_svr", got "one_class"',
    ],
    [
      replaced(line, "linear", "cosine"),
      "kernel_type in line 2",
      '"rbf", "sigmoid" or "precomputed", got "cosine"',
    ],
    [replaced(line, "linear", "rbf"), "gamma", "given before the line SV, got no such line"],
    [replaced(line, "nr_class 2", "nr_class 1"), "nr_class in line 3", "an integer ≥ 2, got 1"],
    [replaced(line, "nr_class 2", "nr_class 3"), "nr_class in line 3", "2 for regression, got 3"],
    [replaced(line, "rho -0.5", "rho"), "rho in line 5", "one finite number, got 0"],
    [replaced(line, "rho -0.5", "rho nan"), "rho in line 5", 'one finite number, got "nan"'],
    [
      replaced(line, "total_sv 2", "total_sv 3"),
      "the lines after line 6, SV,",
      "as many as total_sv, 3, got 2",
    ],
    [
      replaced(line, "total_sv 2", "total_sv 1e12"),
      "total_sv in line 4",
      "an integer ≥ 0, got 1000000000000",
    ],
    [
      replaced(line, "total_sv 2", "total_sv 2\ntotal_sv 2"),
      "line 5",
      'a keyword that has not occurred yet, got "total_sv"',
    ],
    [replaced(line, "2 1:1", "x 1:1"), "line 7", 'a finite coefficient before the entries, got "x"'],
    [replaced(line, "-1 3:3", "-1 3:"), 'entry "3:" in line 8', "index:value"],
    [replaced(line, "-1 3:3", "-1 3"), 'entry "3" in line 8', "index:value"],
    [replaced(line, "-1 3:3", "-1 3:3 2:1"), "index 2 in line 8", "an integer above 3"],
    [replaced(line, "-1 3:3", "-1 -3:3"), "index -3 in line 8", "an integer from 0"],
    [replaced(line, "-1 3:3", "-1 0x3:3"), 'entry "0x3:3" in line 8', "index:value"],
    ["+1 1:0.5 2:1\n", "line 1", 'svm_type, kernel_type, …, and SV before the support vectors, got "+1"'],
    ["svm_type c_svc\n", "the text", "a LIBSVM model, with a line SV"],
    ["", "the text", "a LIBSVM model, with a line SV"],
    [three("1 2"), "label in line 6", "3 finite numbers, got 2"],
    [three("1 2 2"), "label in line 6", "different classes, got one twice"],
    [three("1 2 2.5"), "label in line 6", "32-bit integers, got 2.5"],
    [three("1 2 3000000000"), "label in line 6", "32-bit integers, got 3000000000"],
    [
      replaced(three("1 2 3"), "nr_sv 1 1 1", "nr_sv 1 1 2"),
      "nr_sv in line 7",
      "numbers whose sum is total_sv, 3",
    ],
    [replaced(three("1 2 3"), "nr_sv 1 1 1", "nr_sv 4 1 -2"), "nr_sv in line 7", "integers ≥ 0, got -2"],
    [replaced(three("1 2 3"), "label 1 2 3\n", ""), "label", "given before the line SV"],
    [replaced(three("1 2 3"), "nr_sv", "probA 1 2 3\nnr_sv"), "probB", "given before the line SV"],
    [
      replaced(three("1 2 3"), "0 1 1:1", "0 1:1"),
      "line 10",
      '2 finite coefficients before the entries, got "1:1"',
    ],
    [
      replaced(line, "linear", "precomputed"),
      "the support vector in line 7",
      "0: and the number of a training row",
    ],
  ];
  for (const [text, subject, rest] of cases) {
    it(`${subject} … ${rest}`, () => {
      const attempt = () => parseLibsvmModel(text);
      expect(attempt).toThrow(FormatError);
      expect(attempt).toThrow(`parseLibsvmModel: ${subject} must be `);
      expect(attempt).toThrow(rest);
    });
  }

  it("and refuses what is not text, and options that it does not know", () => {
    expect(() => parseLibsvmModel(7 as never)).toThrow(DataError);
    expect(() => parseLibsvmModel(line, { columns: 3 } as never)).toThrow(ParameterError);
    expect(() => parseLibsvmModel(line, SVR, { cols: 0 })).toThrow(ParameterError);
  });
});

const X = [
  [0, 1],
  [1, 0],
  [2, 2],
  [3, 1],
  [0, 3],
  [4, 4],
  [5, 0],
  [1, 5],
];
const two = [1, 1, 1, -1, -1, -1, -1, 1];
const many = [3, 3, 1, 1, 1, 2, 2, 2];

describe("formatLibsvmModel", () => {
  it("writes LIBSVM's lines in LIBSVM's order", () => {
    const text = formatLibsvmModel(new SVC({ kernel: "poly", gamma: 0.5, coef0: 1, degree: 2 }).fit(X, many));
    const keys = text.split("\n").map((each) => each.split(" ")[0]);
    expect(keys.slice(0, keys.indexOf("SV") + 1).join(" ")).toBe(
      "svm_type kernel_type degree gamma coef0 nr_class total_sv rho label nr_sv SV",
    );
    expect(text).toMatch(/^kernel_type polynomial\ndegree 2\ngamma 0\.5\ncoef0 1$/m);
    expect(text).toMatch(/^label 1 2 3$/m);
  });

  it("writes a precomputed kernel's vectors by the number of their row", () => {
    const gram = X.map((a) => X.map((b) => a[0]! * b[0]! + a[1]! * b[1]!));
    const model = new SVC({ kernel: "precomputed" }).fit(gram, many);
    const text = formatLibsvmModel(model);
    const written = [...text.matchAll(/ 0:(\d+)$/gm)].map(([, n]) => Number(n) - 1);
    expect(written).toEqual(Array.from(model.support));
    const back = parseLibsvmModel(text, SVC, { cols: X.length });
    expect(back.decisionFunction(gram)).toEqual(model.decisionFunction(gram));
  });

  it("writes a linear kernel with a slope and a shift as a polynomial of degree 1", () => {
    const model = new SVR({ kernel: kernels.linear({ gamma: 0.5, coef0: 2 }) }).fit(X, many);
    const text = formatLibsvmModel(model);
    expect(text).toContain("kernel_type polynomial\ndegree 1\ngamma 0.5\ncoef0 2\n");
    expect(parseLibsvmModel(text, SVR).predict(X)).toEqual(model.predict(X));
  });

  it("writes sparse rows as dense ones", () => {
    const estimator = new SVC({ gamma: 0.3 });
    const dense = new Matrix(Float64Array.from(X.flat()), X.length, 2);
    const sparse = CsrMatrix.fromDense(dense);
    expect(formatLibsvmModel(estimator.fit(sparse, two))).toBe(formatLibsvmModel(estimator.fit(dense, two)));
  });

  it("refuses classes that are not integers, and says what to do", () => {
    const names = many.map((k) => `class ${k}`);
    const named = new SVC().fit(X, names);
    // @ts-expect-error: LIBSVM's labels are numbers.
    expect(() => formatLibsvmModel(named)).toThrow(
      'formatLibsvmModel: every class must be a 32-bit integer, since svm-predict reads no other labels, got "class 1". Fit with numbers for classes',
    );
    for (const odd of [-(2 ** 31) - 1, 2 ** 31]) {
      const model = new SVC().fit(
        X,
        many.map((k) => (k === 3 ? odd : k)),
      );
      expect(() => formatLibsvmModel(model)).toThrow(`got ${odd}`);
    }
  });

  it("refuses kernels that LIBSVM does not have", () => {
    const sum = kernels.sum(kernels.rbf(), kernels.linear());
    for (const kernel of ["laplacian", "multiquadric", sum] as const) {
      const model = new SVC({ kernel }).fit(X, two);
      expect(() => formatLibsvmModel(model)).toThrow(/the kernel must be one that LIBSVM has/);
    }
    const own = new SVC({ kernel: (a, b) => a[0]! * b[0]! }).fit(X, two);
    expect(() => formatLibsvmModel(own)).toThrow(/^formatLibsvmModel, .*kernel must be .* got a function/);
  });

  it("refuses other ways to join binary SVMs than LIBSVM's", () => {
    const rest = new SVC({ multiClass: "ovr" });
    expect(() => formatLibsvmModel(rest.fit(X, many))).toThrow(
      /got multiClass: "ovr"\. Fit with multiClass: "ovo"/,
    );
    expect(() => formatLibsvmModel(new SVC({ breakTies: true }).fit(X, many))).toThrow(/got breakTies: true/);
    expect(formatLibsvmModel(rest.fit(X, two))).toContain("label 1 -1\n");
  });
});
