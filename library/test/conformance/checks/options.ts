import { expect } from "vitest";
import { isSupervised } from "../../../src/core/capabilities.js";
import { AbortError, DataError, ParameterError } from "../../../src/core/errors.js";
import { saveModel } from "../../../src/persistence/index.js";
import { problem } from "../data.js";
import { type AnyEstimator, type Check, expectError, type Subject } from "../subject.js";

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
