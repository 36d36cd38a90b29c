import { type FittedSVC, FittedSVR, formatLibsvmModel, parseLibsvmModel, SVC, SVR } from "argmax";
import { describe, expect, it } from "vitest";
import { type Prediction, svmPredict } from "../support/libsvm-twin.js";
import { fc } from "../support/properties.js";

const D = 3;
const entry = fc.integer({ min: -12, max: 12 }).map((v) => v / 4);
const row = fc.array(entry, { minLength: D, maxLength: D });
const rows = fc.array(row, { minLength: 1, maxLength: 6 });

const kernel = fc.oneof(
  fc.constant(["kernel_type linear"]),
  fc
    .record({ d: fc.integer({ min: 0, max: 4 }), g: entry, c: entry })
    .map(({ d, g, c }) => ["kernel_type polynomial", `degree ${d}`, `gamma ${g}`, `coef0 ${c}`]),
  fc.constantFrom(0.1, 2).map((g) => ["kernel_type rbf", `gamma ${g}`]),
  fc.record({ g: entry, c: entry }).map(({ g, c }) => ["kernel_type sigmoid", `gamma ${g}`, `coef0 ${c}`]),
);

/** Coefficients of every kind, zeros and signs that no training gives too. */
const coefficient = fc.oneof(fc.constant(0), fc.double({ min: -5, max: 5, noNaN: true }));

const numbers = (count: number) => fc.array(coefficient, { minLength: count, maxLength: count });

/** The text of a classifier with K classes in any order, or of a regressor (K = 1). */
const file = fc.integer({ min: 1, max: 4 }).chain((K) => {
  const outputs = Math.max(1, K - 1);
  const pairs = Math.max(1, (K * (K - 1)) / 2);
  const vector = fc.record({ coef: numbers(outputs), x: row });
  return fc
    .record({
      kernel,
      rho: numbers(pairs),
      labels: fc.uniqueArray(fc.integer({ min: -99, max: 99 }), { minLength: K, maxLength: K }),
      groups: fc.array(fc.array(vector, { maxLength: 4 }), { minLength: K, maxLength: K }),
    })
    .map((parts) =>
      [
        `svm_type ${K === 1 ? "nu_svr" : "c_svc"}`,
        ...parts.kernel,
        `nr_class ${Math.max(2, K)}`,
        `total_sv ${parts.groups.flat().length}`,
        `rho ${parts.rho.join(" ")}`,
        ...(K === 1 ? [] : [`label ${parts.labels.join(" ")}`]),
        ...(K === 1 ? [] : [`nr_sv ${parts.groups.map((group) => group.length).join(" ")}`]),
        "SV",
        ...parts.groups
          .flat()
          .map(({ coef, x }) =>
            [...coef, ...x.flatMap((v, j) => (v === 0 ? [] : `${j + 1}:${v}`))].join(" "),
          ),
        "",
      ].join("\n"),
    );
});

/** The same terms in another order, and exp and tanh of other makers, relative to the terms' absolute sum. */
const ROUNDING = 1e-12;

/** A margin this close to 0 may have either sign. */
const isClear = ({ decision, scale }: Prediction) => decision.every((z) => Math.abs(z) > ROUNDING * scale);

function expectAsLibsvm(model: FittedSVC<number> | FittedSVR, text: string, x: readonly number[][]): void {
  for (const one of x) {
    const expected = svmPredict(text, one);
    const ours = model.predict([one])[0]!;
    if (model instanceof FittedSVR) {
      expect(Math.abs(ours - expected.label)).toBeLessThanOrEqual(ROUNDING * expected.scale);
    } else if (isClear(expected)) expect(ours).toBe(expected.label);
  }
}

describe("LIBSVM's model files", () => {
  it("predict here what LIBSVM predicts, and so do they when written again", () => {
    fc.assert(
      fc.property(file, rows, (text, x) => {
        const model = parseLibsvmModel(text, { cols: D });
        expectAsLibsvm(model, text, x);
        const written = formatLibsvmModel(model);
        expectAsLibsvm(model, written, x);
        expectAsLibsvm(parseLibsvmModel(written, { cols: D }), text, x);
      }),
    );
  });
});

const kernelParams = fc.record({
  kernel: fc.constantFrom("linear", "quadratic", "poly", "rbf", "sigmoid"),
  gamma: fc.constantFrom<"scale" | "auto" | number>("scale", "auto", 0.3),
  coef0: fc.constantFrom(0, 1, 0.5),
  C: fc.constantFrom(0.1, 1, 10),
  bias: fc.constantFrom("separate", "kernel"),
} as const);

describe("models that were learned here", () => {
  it("classify the same after a way through LIBSVM's file, and in LIBSVM", () => {
    const labelled = fc.array(fc.record({ x: row, y: fc.constantFrom(-3, 0, 5, 70) }), {
      minLength: 8,
      maxLength: 30,
    });
    const several = labelled.filter((list) => new Set(list.map(({ y }) => y)).size > 1);
    fc.assert(
      fc.property(several, kernelParams, fc.boolean(), (list, params, probability) => {
        const [x, y] = [list.map((one) => one.x), list.map((one) => one.y)];
        // Indefinite kernels may take long to converge, which is not the point here.
        const model = new SVC({ ...params, probability, maxIter: 2000 }).fit(x, y);
        const text = formatLibsvmModel(model);
        const back = parseLibsvmModel(text, SVC, { cols: D });
        expect(back.classes).toEqual(model.classes);
        expectAsLibsvm(model, text, x);
        expectAsLibsvm(back, text, x);
        const clear = x.filter((one) => isClear(svmPredict(text, one)));
        if (clear.length > 0) expect(back.predict(clear)).toEqual(model.predict(clear));
      }),
    );
  });

  it("estimate the same after a way through LIBSVM's file, and in LIBSVM", () => {
    const points = fc.array(fc.record({ x: row, y: entry }), { minLength: 4, maxLength: 30 });
    fc.assert(
      fc.property(points, kernelParams, (list, params) => {
        const [x, y] = [list.map((one) => one.x), list.map((one) => one.y)];
        const model = new SVR({ ...params, maxIter: 2000 }).fit(x, y);
        const text = formatLibsvmModel(model);
        expectAsLibsvm(model, text, x);
        expectAsLibsvm(parseLibsvmModel(text, { cols: D }), text, x);
      }),
    );
  });
});
