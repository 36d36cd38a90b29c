import { isSupervised, transformerCapabilities } from "../core/capabilities.js";
import type {
  Capabilities,
  Classifier,
  CsrLike,
  DenseLike,
  FitOptions,
  FittedModel,
  FittedTransformer,
  Regressor,
  Samples,
  Unlabelled,
} from "../core/contract.js";
import { AbortError, ArgmaxError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf, describeParams, Estimator } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { beginFit, fitArguments } from "../core/options.js";
import { invalid, type ParamSpec, type ParamsWith } from "../core/params.js";
import { type Json, type ModelState, StateReader } from "../core/state.js";
import type {
  Before,
  ClassifierPipeline,
  Forwarded,
  InputOf,
  PipelineStep,
  RegressorPipeline,
  UnsupervisedPipeline,
} from "./types.js";

const steps: ParamSpec<readonly PipelineStep[]> = {
  kind: "estimator",
  default: [],
  doc: "Transformers, and last any estimator.",
  expected: "a list of one or more estimators",
  read: (value) => {
    const fine =
      Array.isArray(value) && value.length > 0 && value.every((step) => typeof step?.fit === "function");
    return fine ? Object.freeze([...value]) : invalid;
  },
};

export const pipelineParams = { steps };

/**
 * Several steps as one estimator: each transformer is fitted on what the one before it gives, the last step on what
 * comes out at the end. At predict time X takes the same way.
 */
export class Pipeline<S extends readonly PipelineStep[] = readonly PipelineStep[]> extends Estimator<
  typeof pipelineParams
> {
  static readonly id = "Pipeline";
  static readonly table = pipelineParams;
  /** What a pipeline can be at most; `capabilities` of the object says what this one is. */
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    missing: true,
    categorical: true,
    probabilities: true,
    decisionFunction: true,
    sampleWeight: true,
  };

  constructor(params: ParamsWith<typeof pipelineParams, { steps: S }>) {
    super(Pipeline.id, pipelineParams, params);
    if (this.steps.length === 0) {
      throw new ParameterError({
        where: "pipeline",
        subject: "steps",
        expected: steps.expected,
        received: "none",
      });
    }
    for (const [s, step] of this.steps.slice(0, -1).entries()) requireTransformer(step, s);
  }

  override toString(): string {
    return `pipeline(${this.steps.map(String).join(", ")})`;
  }

  get steps(): S {
    return this.params.steps as S;
  }

  /** What follows from the steps: X meets the first one, the answer comes from the last. */
  get capabilities(): Capabilities {
    const all = this.steps.map((step) => capabilitiesOf(step)).filter((c) => c !== undefined);
    const first = all[0] ?? Pipeline.capabilities;
    const last = all.at(-1) ?? Pipeline.capabilities;
    return {
      ...last,
      ...(first.input && { input: first.input }),
      sparse: all.every((c) => c.sparse),
      missing: first.missing,
      categorical: first.categorical,
      sampleWeight: isSupervised(last) ? last.sampleWeight : all.some((c) => c.sampleWeight),
      partialFit: false,
    };
  }

  fit(x: InputOf<S>, given?: Unlabelled, givenOptions?: FitOptions): FittedPipeline {
    const { y, options } = fitArguments("Pipeline.fit", this, given, givenOptions);
    beginFit("Pipeline.fit", options);
    if (options.sampleWeight !== undefined && !this.capabilities.sampleWeight) this.#refuseWeights();
    const fitted: FittedModel[] = [];
    let input: Samples = x;
    for (const [s, step] of this.steps.entries()) {
      if (options.signal?.aborted) throw new AbortError(`pipeline step ${s + 1}`, options.signal);
      const own = optionsFor(step, options);
      const isLast = s === this.steps.length - 1;
      if (!isLast && readsOnce(step)) {
        const { model, X } = named(s, () => step.fitAndTransform(input, y, own));
        fitted.push(model);
        input = X;
        continue;
      }
      const model = named(s, () => step.fit(input as never, y as never, own));
      fitted.push(model);
      if (!isLast) input = named(s, () => transformed(model, input));
    }
    return new FittedPipeline(this.steps, fitted);
  }

  #refuseWeights(): never {
    throw new ParameterError({
      where: "Pipeline.fit",
      subject: "sampleWeight",
      expected: `absent, since ${this.steps.at(-1)!.constructor.name} does not take weights`,
      received: "weights",
    });
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedPipeline {
    const reader = new StateReader(state);
    const parts = state.parts ?? [];
    if (parts.length === 0) reader.fail("parts", "one or more fitted steps", "none");
    const fitted = parts.map(restorePart);
    for (const [s, model] of fitted.slice(0, -1).entries()) {
      if (!("transform" in model)) reader.fail(`step ${s + 1}`, "a transformer", parts[s]!.kind);
    }
    const described = state.params.steps;
    if (!Array.isArray(described) || described.length !== parts.length) {
      reader.fail("steps", `a list of ${parts.length} estimators`, show(described));
    }
    return new FittedPipeline(described as readonly Json[], fitted);
  }
}

/** Weights go to every step that takes them. */
function optionsFor(step: PipelineStep, options: FitOptions): FitOptions {
  if (options.sampleWeight === undefined || capabilitiesOf(step)?.sampleWeight !== false) return options;
  return { ...options, sampleWeight: undefined };
}

function requireTransformer(step: PipelineStep, s: number): void {
  const { task = "transform", transforms = false } = capabilitiesOf(step) ?? {};
  if (task === "transform" || transforms) return;
  throw new ParameterError({
    where: "pipeline",
    subject: `step ${s + 1}`,
    expected: "a transformer, since another step follows it",
    received: `${step.constructor.name}, made for ${task}`,
  });
}

/** A step that learns and transforms in one pass: half the work for documents, and all there is for a generator. */
interface ReadsOnce {
  fitAndTransform(
    x: Samples,
    y: unknown,
    options: FitOptions,
  ): { model: FittedModel; X: DenseLike | CsrLike };
}
const readsOnce = (step: object): step is ReadsOnce => "fitAndTransform" in step;

const transformed = (step: FittedModel, x: Samples): DenseLike | CsrLike =>
  (step as FittedTransformer<Samples>).transform(x);

/** Runs a step; an error of it names the step. */
function named<R>(s: number, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`pipeline step ${s + 1}`) : error;
  }
}

const forwarded = [
  "predict",
  "predictProba",
  "predictLogProba",
  "decisionFunction",
  "scoreSamples",
  "transform",
  "score",
] as const satisfies readonly Forwarded[];

/** What the last step learned about the rows of fit: a pipeline has it too. */
const learned = ["classes", "labels"] as const;

/**
 * The fitted steps as one model. It has the methods that its last step has (`predict`, `predictProba`,
 * `decisionFunction`, `scoreSamples`, `transform`, `score`), each with X taken through the other steps first.
 */
export class FittedPipeline extends Model implements FittedModel {
  readonly steps: readonly FittedModel[];
  readonly #described: readonly (PipelineStep | Json)[];

  /** `described`: the unfitted steps, or what their `toJSON` gave. */
  constructor(described: readonly (PipelineStep | Json)[], fitted: readonly FittedModel[]) {
    super();
    this.#described = described;
    this.steps = Object.freeze([...fitted]);
    const last = fitted.at(-1) as FittedModel & Partial<Record<string, unknown>>;
    for (const name of forwarded) {
      const method = last[name];
      if (typeof method !== "function") continue;
      const call = (x: Samples, ...rest: unknown[]) => {
        const z = this.#prepare(x);
        return named(fitted.length - 1, () => method.call(last, z, ...rest));
      };
      Object.defineProperty(this, name, { value: call, enumerable: false });
    }
    for (const name of learned) {
      if (name in last) Object.defineProperty(this, name, { value: last[name], enumerable: true });
    }
    Object.freeze(this);
  }

  override toString(): string {
    const steps = this.steps.map((step, s) => `${s + 1}. ${String(step).replaceAll("\n", "\n     ")}`);
    return ["FittedPipeline", ...steps.map((text) => `  ${text}`)].join("\n");
  }

  get last(): FittedModel {
    return this.steps.at(-1)!;
  }

  get nFeatures(): number {
    return this.steps[0]!.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.steps[0]!.featureNamesIn;
  }

  toState(): ModelState {
    return {
      kind: Pipeline.id,
      params: describeParams({ steps: this.#described }),
      values: {},
      tensors: {},
      parts: this.steps.map((step) => step.toState()),
    };
  }

  /** X as the last step wants to see it. */
  #prepare(x: Samples): Samples {
    let input = x;
    for (const [s, step] of this.steps.slice(0, -1).entries()) {
      input = named(s, () => transformed(step, input));
    }
    return input;
  }
}

/**
 * `pipeline(new StandardScaler(), new LogisticRegression())`: the steps as one estimator of the last one's kind.
 * Every step but the last must be a transformer.
 */
export function pipeline<const T extends Before, E extends Classifier>(
  ...steps: readonly [...T, E]
): ClassifierPipeline<readonly [...T, E], E>;
export function pipeline<const T extends Before, E extends Regressor>(
  ...steps: readonly [...T, E]
): RegressorPipeline<readonly [...T, E], E>;
export function pipeline<const T extends Before, E extends PipelineStep>(
  ...steps: readonly [...T, E]
): UnsupervisedPipeline<readonly [...T, E], E>;
export function pipeline(...steps: readonly PipelineStep[]): Pipeline {
  return new Pipeline({ steps });
}
