import { expect } from "vitest";
import { isSupervised } from "../../../src/core/capabilities.js";
import type { DenseLike } from "../../../src/core/contract.js";
import { AbortError, DataError, ParameterError } from "../../../src/core/errors.js";
import { saveModel } from "../../../src/persistence/index.js";
import { FittedSVC } from "../../../src/svm/index.js";
import { problem } from "../data.js";
import { type AnyEstimator, type Check, capabilities, expectError, type Subject } from "../subject.js";

/** Every call of an estimator or its model that takes options. */
function callsWithOptions(subject: Subject): Record<string, (options: unknown) => unknown> {
  const { X, y } = problem(subject);
  const estimator = subject.make() as AnyEstimator & { steps?(...args: unknown[]): Iterator<unknown> };
  const model = estimator.fit(X, y);
  return {
    fit: (options) => estimator.fit(X, y, options as never),
    ...(typeof estimator.steps === "function" && {
      steps: (options) => estimator.steps!(X, y, options).next(),
    }),
    ...(estimator.partialFit && {
      partialFit: (options) => estimator.partialFit!(null, X, y, options as never),
    }),
    ...(model.score && {
      score: (options) => (y ? model.score!(X, y, options as never) : model.score!(X, options)),
    }),
  };
}

interface RejectingModel {
  readonly classes: readonly unknown[];
  predict(x: unknown, options?: unknown): unknown[];
  decisionFunction(x: unknown): DenseLike;
  predictProba(x: unknown): DenseLike;
}

/** The margin or probability of each row's label; null where pairs of classes vote, whose margins `decisionFunction` sums up. */
function certainties(
  model: RejectingModel,
  x: unknown,
  labels: readonly unknown[],
  option: "minMargin" | "minProba",
): number[] | null {
  const { data, cols } = option === "minProba" ? model.predictProba(x) : model.decisionFunction(x);
  if (model instanceof FittedSVC && option === "minMargin" && cols > 1) return null;
  return labels.map((label, i) => {
    if (cols === 1) return Math.abs(data[i]!);
    const row = Array.from({ length: cols }, (_, k) => data[i * cols + k]!);
    const own = row[model.classes.indexOf(label)]!;
    if (option === "minProba") return own;
    return own - Math.max(...row.filter((_, k) => model.classes[k] !== label));
  });
}

export const optionChecks: readonly Check[] = [
  {
    claim: "refuses options that do not exist, and says which one was probably meant",
    run: (subject) => {
      const { X } = problem(subject);
      const weights = X.map(() => 1);
      for (const [name, call] of Object.entries(callsWithOptions(subject))) {
        expect(() => call({}), name).not.toThrow();
        expect(() => call({ sampleWeight: undefined }), name).not.toThrow();
        for (const key of ["sample_weight", "sampleWeights", "samplewieght"])
          expectError(
            () => call({ [key]: weights }),
            ParameterError,
            /every option .* Did you mean sampleWeight\?/,
          );
        expectError(
          () => call({ verbose: true }),
          ParameterError,
          /every option must be one of .*, got "verbose"\.$/,
        );
        expectError(() => call(weights), ParameterError, /options .* Weights have a name: \{ sampleWeight/);
        expectError(() => call(null), ParameterError, /the options must be an object with options/);
      }
    },
  },
  {
    claim: "takes options in the place of y, since it learns from X alone",
    applies: (known) => !isSupervised(known),
    run: (subject) => {
      const { X } = problem(subject);
      const fit =
        (...rest: unknown[]) =>
        () =>
          subject.make().fit(X, ...(rest as [unknown, never]));
      const expected = saveModel(fit()());
      for (const rest of [[undefined], [null], [{}], [X.map((_, i) => i)], [undefined, {}], [null, {}]])
        expect(saveModel(fit(...rest)())).toEqual(expected);
      expect(fit({ signal: AbortSignal.abort() })).toThrow(AbortError);
      expectError(fit({ sampleWeigth: [1] }), ParameterError, /Did you mean sampleWeight\?/);
      for (const wrong of [5, "y".length, () => 1, true])
        expectError(fit(wrong), DataError, /y must be an array or a typed array, or absent/);
      expectError(fit({}, {}), DataError, /Options come last: fit\(X, options\) or fit\(X, y, options\)/);
    },
  },
  {
    claim: "predict refuses options that the model does not have",
    applies: ({ task }) => task === "classification" || task === "regression",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y) as { predict(x: unknown, options?: unknown): unknown };
      expect(model.predict(X, {})).toEqual(model.predict(X));
      for (const wrong of [{ verbose: true }, { treshold: 1 }, { sampleWeight: X.map(() => 1) }])
        expectError(() => model.predict(X, wrong), ParameterError, /every option must be/);
      expectError(() => model.predict(X, null), ParameterError, /the options must be (?:an object|absent)/);
    },
  },
  {
    claim: "rejects rows below the smallest margin or probability that was asked for, and no others",
    applies: ({ task }) => task === "classification",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y) as unknown as RejectingModel;
      const labels = model.predict(X);
      const { decisionFunction, probabilities } = capabilities(subject);
      for (const [option, has] of [
        ["minMargin", decisionFunction],
        ["minProba", probabilities],
      ] as const) {
        if (!has) {
          expectError(() => model.predict(X, { [option]: 0.5 }), ParameterError, /every option must be/);
          continue;
        }
        expect(model.predict(X, { [option]: 0 })).toEqual(labels);
        expectError(() => model.predict(X, { [option]: -1 }), ParameterError, new RegExp(option));
        const certain = certainties(model, X, labels, option);
        if (certain === null) continue;
        for (const least of certain.filter((_, i) => i % 5 === 0)) {
          if (!(least >= 0)) continue;
          const expected = labels.map((label, i) => (certain[i]! >= least ? label : undefined));
          expect(model.predict(X, { [option]: least })).toEqual(expected);
        }
      }
    },
  },
  {
    claim: "refuses a controller in place of its signal, and no function to tell of progress",
    run: (subject) => {
      const { score: _, ...fits } = callsWithOptions(subject);
      for (const call of Object.values(fits)) {
        const controller = new AbortController();
        expectError(
          () => call({ signal: controller }),
          ParameterError,
          /signal must be an AbortSignal, got .*controller\.signal/,
        );
        expectError(() => call({ onProgress: true }), ParameterError, /onProgress must be a function/);
      }
    },
  },
];
