import { isSupervised, transformer } from "../core/capabilities.js";
import { type Composite, requireParts } from "../core/composite.js";
import type {
  Capabilities,
  Classifier,
  EstimatorClass,
  FitOptions,
  FittedModel,
  FittedTransformer,
  MatrixLike,
  Regressor,
  Samples,
  TargetsRegressor,
  Unlabelled,
} from "../core/contract.js";
import { AbortError, ArgmaxError, oneOf, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf, describeParams, Estimator } from "../core/estimator.js";
import { outputNames } from "../core/feature-names-out.js";
import { forward } from "../core/forwarded.js";
import { Model } from "../core/model.js";
import { beginFit, fitArguments, fitOptions } from "../core/params/options.js";
import { invalid, type ParamSpec, type ParamsWith, type TableOf } from "../core/params/params.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import { inputsOf, type Structure, stepsOf, structure, structureOf } from "../core/structure.js";
import { objectAsCode } from "../core/text/printing-code.js";
import { type ValidationRows, validation } from "../data/validation-rows.js";
import type { Transformed } from "../fitted/transformers.js";
import { fitAndTransform, fitStep, optionsFor, requireTransformer } from "./fit-step.js";
import type {
  Before,
  ClassifierPipeline,
  InputOf,
  NamedBefore,
  NamedStep,
  NamesIn,
  PipelineFitOptions,
  PipelineStep,
  RegressorPipeline,
  StepNamed,
  StepsIn,
  StepTypes,
  TargetsPipeline,
  UnsupervisedPipeline,
} from "./types.js";

type GivenSteps = readonly PipelineStep[] | readonly NamedStep[];

const steps: ParamSpec<GivenSteps> = {
  kind: "estimator",
  default: [],
  doc: "Transformers, and last any estimator; or pairs of a name and a step.",
  expected: "a list of one or more estimators, or of pairs [name, estimator] with different names",
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0) return invalid;
    if (value.every(isStep)) return Object.freeze([...value]);
    if (!value.every(isNamedStep)) return invalid;
    const names = value.map(([name]) => name);
    if (new Set(names).size < names.length) return invalid;
    return Object.freeze(value.map(([name, step]) => Object.freeze([name, step] as const)));
  },
};

const isStep = (value: unknown): value is PipelineStep =>
  typeof (value as Partial<PipelineStep> | null | undefined)?.fit === "function";

const isNamedStep = (value: unknown): value is NamedStep =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === "string" &&
  value[0] !== "" &&
  isStep(value[1]);

/** scikit-learn's names of steps without one: the class in lower case, numbered where it occurs twice. */
function automaticNames(ids: readonly string[]): string[] {
  const lower = ids.map((id) => id.toLowerCase());
  return lower.map((name, s) => {
    if (lower.indexOf(name) === lower.lastIndexOf(name)) return name;
    return `${name}-${lower.slice(0, s + 1).filter((other) => other === name).length}`;
  });
}

/** The class of a step; a bundler may have shortened the name of its constructor. */
const idOf = (step: PipelineStep & { readonly id?: unknown }): string =>
  typeof step.id === "string" ? step.id : step.constructor.name;

/** The position of a step by its name. */
function placeOf(where: string, names: readonly string[], name: unknown): number {
  const s = names.indexOf(name as string);
  if (s >= 0) return s;
  throw new ParameterError(where, "the name", oneOf(names), show(name));
}

export const pipelineParams = { steps };

const pipelineFitOptions = { ...fitOptions, validation } satisfies TableOf<PipelineFitOptions>;

/**
 * Several steps as one estimator: each transformer is fitted on what the one before it gives, the last step on what
 * comes out at the end. At predict time X takes the same way.
 */
export class Pipeline<
    S extends readonly PipelineStep[] = readonly PipelineStep[],
    N extends readonly string[] = readonly string[],
  >
  extends Estimator<typeof pipelineParams>
  implements Composite<StepTypes<S, N>>
{
  declare readonly partTypes?: StepTypes<S, N>;
  static readonly id = "Pipeline";
  static readonly table = pipelineParams;
  /** What a pipeline can be at most; `capabilities` of the object says what this one is. */
  static readonly capabilities = transformer({
    sparse: true,
    missing: true,
    categorical: true,
    probabilities: true,
    decisionFunction: true,
    sampleWeight: true,
  });
  static readonly fitOptions = pipelineFitOptions;

  constructor(
    params: ParamsWith<
      typeof pipelineParams,
      { steps: S | { readonly [K in keyof S]: NamedStep<string, S[K]> } }
    >,
  ) {
    super(params);
    if (this.steps.length === 0) throw new ParameterError("pipeline", "steps", steps.expected, "none");
    for (const [s, step] of this.steps.slice(0, -1).entries())
      requireTransformer("pipeline", `step ${s + 1}`, step, ", since another step follows it");
  }

  override toString(): string {
    const given = this.params.steps;
    if (given.every(isNamedStep)) return `pipeline(${objectAsCode(given)})`;
    return `pipeline(${this.steps.map(String).join(", ")})`;
  }

  get steps(): S {
    return this.params.steps.map((step) =>
      isNamedStep(step) ? step[1] : step,
    ) as readonly PipelineStep[] as S;
  }

  /** The names of the steps: given, or the classes in lower case. */
  get names(): N {
    const given = this.params.steps;
    const own = given.every(isNamedStep) ? given.map(([name]) => name) : automaticNames(this.steps.map(idOf));
    return own as readonly string[] as N;
  }

  namedParts(): ReadonlyMap<string, PipelineStep> {
    return new Map(this.names.map((name, s) => [name, this.steps[s]!]));
  }

  withParts(parts: ReadonlyMap<string, object>): Pipeline<S, N> {
    const isNamed = this.params.steps.every(isNamedStep);
    const steps = this.names.map((name) => {
      const step = requireParts(this.where("withParts"), parts).get(name) as PipelineStep;
      return isNamed ? ([name, step] as const) : step;
    });
    return new Pipeline<S, N>({ steps: steps as readonly PipelineStep[] as S });
  }

  /** The step of that name. */
  step<K extends N[number]>(name: K): StepNamed<S, N, K> {
    return this.steps[placeOf(this.where("step"), this.names, name)] as StepNamed<S, N, K>;
  }

  /** What follows from the steps: X meets the first one, the answer comes from the last. */
  get capabilities(): Capabilities {
    const all = this.steps.map((step) => capabilitiesOf(step)).filter((c) => c !== undefined);
    const first = all[0] ?? Pipeline.capabilities;
    const last = all.at(-1) ?? Pipeline.capabilities;
    return {
      ...last,
      ...(first.input && { input: first.input }),
      ...(all.some((c) => c.needsTargets) && { needsTargets: true }),
      sparse: all.every((c) => c.sparse),
      missing: first.missing,
      categorical: first.categorical,
      sampleWeight: isSupervised(last) ? last.sampleWeight : all.some((c) => c.sampleWeight),
      partialFit: false,
    };
  }

  /** `validation`, where the last step takes it, are rows as X: they are transformed by the steps before it. */
  fit(x: InputOf<S>, given?: Unlabelled, givenOptions?: PipelineFitOptions<InputOf<S>>): FittedPipeline {
    return this.#run(x, given, givenOptions, false).model;
  }

  /**
   * A fitted pipeline of transformers and what it makes of X. A step that encodes the rows of fit in another way than new ones, as
   * TargetEncoder does, is asked for that of fit.
   */
  fitAndTransform(
    x: InputOf<S>,
    given?: Unlabelled,
    givenOptions?: FitOptions,
  ): Transformed<FittedPipeline, MatrixLike> {
    const { model, X } = this.#run(x, given, givenOptions, true);
    return { model, X: X as MatrixLike };
  }

  #run(
    x: InputOf<S>,
    given: Unlabelled,
    givenOptions: PipelineFitOptions | undefined,
    transforms: boolean,
  ): Transformed<FittedPipeline, Samples> {
    const { y, options: all } = fitArguments(this.where("fit"), this, given, givenOptions);
    beginFit(this.where("fit"), all, pipelineFitOptions);
    const { validation: held, ...options } = (all ?? {}) as PipelineFitOptions;
    if (options.sampleWeight !== undefined && !this.capabilities.sampleWeight) this.#refuseWeights();
    if (held !== undefined) this.#requireValidation();
    const fitted: FittedModel[] = [];
    let input: Samples = x;
    for (const [s, step] of this.steps.entries()) {
      if (options.signal?.aborted) throw new AbortError(`pipeline step ${s + 1}`, options.signal);
      if (transforms || s < this.steps.length - 1) {
        const { model, X } = named(s, () => fitAndTransform(step, input, y, options));
        fitted.push(model);
        input = X;
      } else {
        const own = held && { validation: transformedRows(fitted, held) };
        const last = { ...optionsFor(step, options), ...own };
        fitted.push(named(s, () => fitStep(step, input, y, last)));
      }
    }
    return { model: new FittedPipeline(this.params.steps, this.names, fitted), X: input };
  }

  #refuseWeights(): never {
    const expected = `absent, since ${this.steps.at(-1)!.constructor.name} does not take weights`;
    throw new ParameterError(this.where("fit"), "sampleWeight", expected, "weights");
  }

  #requireValidation(): void {
    const last = this.steps.at(-1)!;
    const { fitOptions: table = {} } = last.constructor as Partial<EstimatorClass>;
    if ("validation" in table) return;
    const expected = `absent, since ${idOf(last)} does not stop early on rows of its own`;
    const advice = "Networks and histogram boosting take it, as the last step.";
    throw new ParameterError(this.where("fit"), "validation", expected, "rows", advice);
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
    return new FittedPipeline(
      described as readonly Json[],
      readNames(reader, described as readonly unknown[]),
      fitted,
    );
  }
}

/** The names in the description of a saved pipeline. */
function readNames(reader: StateReader, described: readonly unknown[]): readonly string[] {
  const named = described.every((step) => Array.isArray(step));
  const names = named
    ? described.map(([name]: unknown[]) => name)
    : described.map((step) => (step as { estimator?: unknown } | null)?.estimator);
  if (!names.every((name) => typeof name === "string"))
    reader.fail("steps", "described estimators", show(described));
  const list = names as string[];
  if (named && new Set(list).size < list.length) reader.fail("steps", "of different names", show(list));
  return named ? list : automaticNames(list);
}

const transformed = (step: FittedModel, x: Samples): MatrixLike =>
  (step as FittedTransformer<Samples>).transform(x);

/** Validation rows as the last step wants to see them. */
function transformedRows(steps: readonly FittedModel[], rows: ValidationRows<Samples>): ValidationRows {
  const X = steps.reduce((input: Samples, step, s) => {
    try {
      return named(s, () => transformed(step, input));
    } catch (error) {
      throw error instanceof ArgmaxError ? error.within("validation") : error;
    }
  }, rows.X);
  return { ...rows, X: X as MatrixLike };
}

/** Runs a step; an error of it names the step. */
function named<R>(s: number, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`pipeline step ${s + 1}`) : error;
  }
}

const inputNamesOf = ({ featureNamesIn, nFeatures }: FittedModel): readonly string[] =>
  featureNamesIn ?? Array.from({ length: nFeatures }, (_, j) => `x${j}`);

/**
 * The fitted steps as one model. It has the methods that its last step has (`predict`, `predictProba`,
 * `decisionFunction`, `scoreSamples`, `transform`, `score`), each with X taken through the other steps first.
 */
export class FittedPipeline<
    S extends readonly unknown[] = readonly FittedModel[],
    N extends readonly string[] = readonly string[],
  >
  extends Model
  implements FittedModel
{
  readonly steps: S;
  /** The names of the steps: given, or the classes of the estimators in lower case. */
  readonly names: N;
  readonly #fitted: readonly FittedModel[];
  readonly #described: GivenSteps | readonly Json[];

  /** `described`: the unfitted steps, or what their `toJSON` gave. */
  constructor(
    described: GivenSteps | readonly Json[],
    names: readonly string[],
    fitted: readonly FittedModel[],
  ) {
    super();
    this.#described = described;
    this.names = Object.freeze([...names]) as readonly string[] as N;
    this.#fitted = Object.freeze([...fitted]);
    this.steps = this.#fitted as readonly unknown[] as S;
    forward(this, fitted.at(-1)!, (method, x, rest) => {
      const z = this.#prepare(x);
      return named(fitted.length - 1, () => method(z, ...rest));
    });
    Object.freeze(this);
  }

  override toString(): string {
    const steps = this.steps.map((step, s) => `${s + 1}. ${String(step).replaceAll("\n", "\n     ")}`);
    return ["FittedPipeline", ...steps.map((text) => `  ${text}`)].join("\n");
  }

  /** The fitted step of that name. */
  step<K extends N[number]>(name: K): StepNamed<S, N, K> {
    return this.steps[placeOf("FittedPipeline.step", this.names, name)] as StepNamed<S, N, K>;
  }

  get last(): FittedModel {
    return this.#fitted.at(-1)!;
  }

  get nFeatures(): number {
    return this.#fitted[0]!.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.#fitted[0]!.featureNamesIn;
  }

  [structure](): Structure {
    const last = structureOf(this.last);
    if (last.kind === "undescribed") return last;
    const before = this.#fitted.slice(0, -1).flatMap((step) => stepsOf(structureOf(step)));
    const first = structureOf(this.#fitted[0]!);
    const inputs = first.kind === "undescribed" ? inputsOf(this) : first.inputs;
    return { ...last, inputs, steps: [...before, ...last.steps] };
  }

  /** Names of what comes out of a pipeline of transformers; the last step may be something else, whose X is named then. */
  featureNames(input?: readonly string[]): readonly string[] {
    let names = input;
    for (const [s, step] of this.#fitted.entries())
      if ("transform" in step || s < this.#fitted.length - 1)
        names = outputNames("FittedPipeline.featureNames", step, names);
    return names ?? inputNamesOf(this);
  }

  toState(): ModelState {
    return {
      kind: Pipeline.id,
      params: describeParams({ steps: this.#described }),
      values: {},
      tensors: {},
      parts: this.#fitted.map((step) => step.toState()),
    };
  }

  /** X as the last step wants to see it. */
  #prepare(x: Samples): Samples {
    let input = x;
    for (const [s, step] of this.#fitted.slice(0, -1).entries()) {
      input = named(s, () => transformed(step, input));
    }
    return input;
  }
}

/**
 * `pipeline(new StandardScaler(), new LogisticRegression())`: the steps as one estimator of the last one's kind.
 * Every step but the last must be a transformer. `pipeline(["scale", new StandardScaler()], ["logistic", new LogisticRegression()])`
 * names them: `model.step("scale")` is then the fitted scaler.
 */
export function pipeline<const T extends Before, E extends Classifier>(
  ...steps: readonly [...T, E]
): ClassifierPipeline<readonly [...T, E], E>;
export function pipeline<const T extends Before, E extends TargetsRegressor>(
  ...steps: readonly [...T, E]
): TargetsPipeline<readonly [...T, E], E>;
export function pipeline<const T extends Before, E extends Regressor>(
  ...steps: readonly [...T, E]
): RegressorPipeline<readonly [...T, E], E>;
export function pipeline<const T extends Before, E extends PipelineStep>(
  ...steps: readonly [...T, E]
): UnsupervisedPipeline<readonly [...T, E], E>;
export function pipeline<const T extends NamedBefore, const K extends string, E extends Classifier>(
  ...steps: readonly [...T, readonly [K, E]]
): ClassifierPipeline<readonly [...StepsIn<T>, E], E, readonly [...NamesIn<T>, K]>;
export function pipeline<const T extends NamedBefore, const K extends string, E extends TargetsRegressor>(
  ...steps: readonly [...T, readonly [K, E]]
): TargetsPipeline<readonly [...StepsIn<T>, E], E, readonly [...NamesIn<T>, K]>;
export function pipeline<const T extends NamedBefore, const K extends string, E extends Regressor>(
  ...steps: readonly [...T, readonly [K, E]]
): RegressorPipeline<readonly [...StepsIn<T>, E], E, readonly [...NamesIn<T>, K]>;
export function pipeline<const T extends NamedBefore, const K extends string, E extends PipelineStep>(
  ...steps: readonly [...T, readonly [K, E]]
): UnsupervisedPipeline<readonly [...StepsIn<T>, E], E, readonly [...NamesIn<T>, K]>;
export function pipeline(...steps: readonly (PipelineStep | NamedStep)[]): Pipeline {
  return new Pipeline({ steps: steps as readonly PipelineStep[] });
}
