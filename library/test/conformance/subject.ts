import { expect } from "vitest";
import type {
  Capabilities,
  EstimatorClass,
  FitOptions,
  FitReport,
  MatrixLike,
} from "../../src/core/contract.js";
import { ArgmaxError, ParameterError } from "../../src/core/errors.js";
import { capabilitiesOf, type Estimator } from "../../src/core/estimator.js";
import { answering } from "../../src/core/forwarded.js";
import type { Label } from "../../src/core/labels.js";
import type { ParamsTable } from "../../src/core/params/params.js";
import type { ModelState } from "../../src/core/state/state.js";

/** Any estimator, as the checks use it. */
export interface AnyEstimator extends Estimator<ParamsTable> {
  fit(x: unknown, y?: unknown, options?: FitOptions): AnyModel;
  partialFit?(model: AnyModel | null, x: unknown, y: unknown, options?: object): AnyModel;
}

/** Any fitted model. */
export interface AnyModel {
  readonly nFeatures: number;
  readonly classes?: readonly Label[];
  readonly report?: FitReport;
  toState(): ModelState;
  predict?(x: unknown): ArrayLike<Label>;
  predictProba?(x: unknown): Numbers;
  predictLogProba?(x: unknown): Numbers;
  decisionFunction?(x: unknown): Numbers;
  scoreSamples?(x: unknown): Float64Array;
  /** Of clusterers: the cluster of every row of fit. */
  readonly labels?: Int32Array;
  transform?(x: unknown): Numbers & { toDense?(): Numbers };
  inverseTransform?(x: unknown): Numbers;
  score?(x: unknown, y: unknown, options?: object): number;
}

/** Those of these methods that a model has. */
export const answersOf = (model: AnyModel) => answering.filter((name) => model[name] !== undefined);

export interface Numbers {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** How far apart two answers may be that should be the same, and why they are not exactly the same. */
export interface Tolerance {
  readonly within: number;
  readonly because: string;
}

/** One row of the registry. */
export interface Subject {
  readonly name: string;
  readonly type: EstimatorClass;
  /** The estimator as a user would take it. */
  make(): AnyEstimator;
  /** The same with its stopping rule so tight that answers can be compared. Default: `make`. */
  readonly precise?: () => AnyEstimator;
  /** Builds one with the given parameters, for checks that go through the params table. */
  build(params: object): AnyEstimator;
  /** Learns in steps and reports them. */
  readonly iterative: boolean;
  /** What X is made of: any numbers, whole numbers ≥ 0, or one column of any numbers. */
  readonly features?: "real" | "counts" | "single";
  /** What a regressor's y is made of. */
  readonly targets?: "real" | "counts";
  /** Two fits that mean the same: weights against repeated rows, other order of rows, sparse against dense. */
  readonly agreement: Tolerance;
  /** The same rows predicted in sparse and in dense form; 1e-12 if absent. */
  readonly sparsePredictions?: Tolerance;
  /** Claims that this estimator is not held to, each with the reason. */
  readonly exceptions?: Readonly<Record<string, string>>;
}

export interface Check {
  /** Completes the sentence "StandardScaler …". */
  readonly claim: string;
  readonly applies?: (capabilities: Capabilities, subject: Subject) => boolean;
  readonly run: (subject: Subject) => void | Promise<void>;
}

export const capabilities = (subject: Subject): Capabilities => capabilitiesOf(subject.make())!;
export const precise = (subject: Subject): AnyEstimator => (subject.precise ?? subject.make)();

/** The same partition has the same numbers: clusters in the order in which they first occur; noise stays −1. */
function partition(labels: readonly number[]): number[] {
  const numbers = new Map([[-1, -1]]);
  return labels.map((label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size - 1);
    return numbers.get(label)!;
  });
}

/**
 * Everything a model says about X, by method. A clusterer that cannot predict answers with the partition of its own rows; where these
 * are other rows than X, or in another order, `places` says where in fit each row of X was.
 */
export function answers(
  model: AnyModel,
  x: MatrixLike | unknown,
  places?: readonly number[],
): Record<string, readonly Label[] | Float64Array> {
  const all: Record<string, readonly Label[] | Float64Array> = {};
  if (model.predict) {
    const predicted = model.predict(x);
    all.predict = predicted instanceof Float64Array ? predicted : Array.from(predicted);
  }
  if (model.labels && !model.predict)
    all.labels = partition(places ? places.map((i) => model.labels![i]!) : Array.from(model.labels));
  if (model.predictProba) all.predictProba = model.predictProba(x).data;
  if (model.decisionFunction) all.decisionFunction = model.decisionFunction(x).data;
  if (model.scoreSamples) all.scoreSamples = model.scoreSamples(x);
  if (model.transform) {
    const out = model.transform(x);
    all.transform = (out.toDense ? out.toDense() : out).data;
  }
  return all;
}

/** The same without what a clusterer says of its own rows, whatever X is. */
export function replies(model: AnyModel, x: unknown): ReturnType<typeof answers> {
  const { labels: _, ...asked } = answers(model, x);
  return asked;
}

/** Numbers within the tolerance (relative to the largest), labels equal. */
export function expectSame(
  received: ReturnType<typeof answers>,
  expected: ReturnType<typeof answers>,
  { within }: Pick<Tolerance, "within">,
): void {
  expect(Object.keys(received)).toEqual(Object.keys(expected));
  for (const [method, list] of Object.entries(expected)) {
    const other = received[method]!;
    expect(other.length).toBe(list.length);
    if (!(list instanceof Float64Array)) {
      expect(other, method).toEqual(list);
      continue;
    }
    const scale = list.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    const worst = list.reduce((most, value, e) => Math.max(most, Math.abs(value - (other[e] as number))), 0);
    expect(worst / scale, `largest difference of ${method}`).toBeLessThanOrEqual(within);
  }
}

/** No NaN and no infinity in anything the model says. */
export function expectFinite(model: AnyModel, x: unknown): void {
  for (const [method, list] of Object.entries(answers(model, x))) {
    const wrong = Array.from(list as ArrayLike<Label>).find(
      (value) => typeof value === "number" && !Number.isFinite(value),
    );
    expect(wrong, `${method} of a model that fitted without complaint`).toBeUndefined();
  }
}

/** An error of the right class, in the form that every message has. */
export function expectError(
  run: () => unknown,
  kind: new (...args: never[]) => Error,
  text?: string | RegExp,
): void {
  let raised: unknown;
  try {
    run();
  } catch (error) {
    raised = error;
  }
  expect(raised, "an error").toBeInstanceOf(kind);
  if (!(raised instanceof ArgmaxError)) return;
  expect(raised.message).toMatch(/^[^:]+: .+ must be .+, got .+\./s);
  expect(
    raised.message.startsWith(`${raised.where}: ${raised.subject} must be ${raised.expected}, got `),
  ).toBe(true);
  if (text !== undefined) expect(raised.message).toMatch(text);
}

/** The estimator with one parameter set, or undefined where its constructor says that this needs other ones too. */
export function tryBuild(subject: Subject, key: string, value: unknown): AnyEstimator | undefined {
  try {
    return subject.build({ [key]: value });
  } catch (error) {
    expect(error).toBeInstanceOf(ParameterError);
    return undefined;
  }
}
