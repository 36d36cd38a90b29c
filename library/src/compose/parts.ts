import { transformer } from "../core/capabilities.js";
import type { Capabilities, FitOptions, FittedModel, MatrixLike, Unlabelled } from "../core/contract.js";
import { AbortError, ArgmaxError, oneOf, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { maxOf } from "../core/numbers/extremes.js";
import { beginFit, fitArguments, refuseWeights } from "../core/params/options.js";
import type { ParamsTable } from "../core/params/params.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import { distinctNames } from "../data/feature-names.js";
import { isTable, type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { OnePassEstimator, type Transformed } from "../fitted/transformers.js";
import { fitAndTransform, type TransformingModel } from "../pipeline/fit-step.js";
import type { PartTransformer, Remainder } from "./types.js";

export const isTransformer = (value: unknown): value is PartTransformer =>
  typeof (value as Partial<PartTransformer> | null | undefined)?.fit === "function";

export const isTreatment = (value: unknown): value is Remainder =>
  value === "drop" || value === "passthrough" || isTransformer(value);

/** What a composition can be at most. */
const most = transformer({
  sparse: true,
  missing: true,
  categorical: true,
  sampleWeight: true,
});

/** A part that has learned, and what it makes of X; undefined if nothing. */
interface LearnedPart<B> {
  readonly block: B;
  readonly X: Design | undefined;
}

/** An estimator of other transformers, whose outputs are side by side. */
export abstract class PartsEstimator<T extends ParamsTable, In, M> extends OnePassEstimator<
  T,
  In,
  M,
  Design
> {
  /** What it can be at most; `capabilities` of the object follows from its transformers. */
  static readonly capabilities = most;

  /** What its transformers can do together. */
  get capabilities(): Capabilities {
    const all = [...this.namedParts().values()].map((part) => capabilitiesOf(part) ?? most);
    return {
      ...most,
      ...(all.some(({ needsTargets }) => needsTargets) && { needsTargets: true }),
      sparse: all.every(({ sparse }) => sparse),
      missing: all.every(({ missing }) => missing),
      sampleWeight: all.some(({ sampleWeight }) => sampleWeight),
    };
  }

  /** The model and what it makes of X, where every transformer reads X once. */
  fitAndTransform(x: In, given?: Unlabelled, givenOptions?: FitOptions): Transformed<M, Design> {
    const where = this.where("fit");
    const { y, options } = fitArguments(where, this, given, givenOptions);
    beginFit(where, options);
    if (!this.capabilities.sampleWeight)
      refuseWeights(where, options, ", since no transformer takes weights");
    return this.learn(where, x, y, options);
  }

  /** The transformers by name. */
  abstract namedParts(): ReadonlyMap<string, object>;

  protected abstract learn(where: string, x: In, y: unknown, options: FitOptions): Transformed<M, Design>;

  /** Every part learns, in order; an error of one names it. */
  protected learnParts<B>(
    where: string,
    { signal }: FitOptions,
    parts: Iterable<readonly [name: string, learn: () => LearnedPart<B>]>,
  ): { readonly blocks: readonly B[]; readonly outputs: readonly Design[] } {
    const learned = Array.from(parts, ([name, learn]) => {
      if (signal?.aborted) throw new AbortError(where, signal);
      return withinPart(where, name, learn);
    });
    return { blocks: learned.map(({ block }) => block), outputs: learned.flatMap(({ X }) => X ?? []) };
  }
}

/** Those of a list of parts that are transformers. */
export const transformersOf = (
  parts: readonly (readonly [string, Remainder])[],
): ReadonlyMap<string, PartTransformer> =>
  new Map(parts.filter((entry): entry is [string, PartTransformer] => isTransformer(entry[1])));

/** A fitted part; what is dropped or passed through has no model. */
export interface Part {
  readonly name: string;
  /** Outputs. */
  readonly cols: number;
  readonly model: TransformingModel | undefined;
}

/** A fitted composition. */
export abstract class PartsModel<P extends object, B extends Part> extends Model {
  readonly nFeatures: number;
  /** Names of the columns in fit, where X was a table. */
  readonly featureNamesIn: readonly string[] | undefined;
  /** Number of outputs. */
  readonly nOutputs: number;
  readonly #params: P;
  readonly #blocks: readonly B[];

  constructor(
    params: P,
    { nFeatures, featureNamesIn }: KnownFeatures,
    blocks: readonly B[],
    /** Whether `transform` gives a CsrMatrix. */
    readonly sparseOutput: boolean,
  ) {
    super();
    this.#params = params;
    this.#blocks = blocks;
    this.nFeatures = nFeatures;
    this.featureNamesIn = featureNamesIn;
    this.nOutputs = blocks.reduce((sum, { cols }) => sum + cols, 0);
  }

  protected get parts() {
    return { params: this.#params, blocks: this.#blocks };
  }

  /** The model of a part among these names. */
  protected modelNamed(where: string, names: readonly string[], name: string): unknown {
    if (names.includes(name)) return this.#blocks.find((block) => block.name === name)?.model;
    throw new ParameterError(where, "the name", oneOf(names), show(name));
  }

  /** What goes in and comes out, and a line per part. */
  protected printed(name: string, parts: readonly (readonly [string, string])[]): string {
    const { nFeatures, nOutputs, sparseOutput } = this;
    const lines = [
      ["features", `${nFeatures} → ${nOutputs}, ${sparseOutput ? "sparse" : "dense"}`],
      ...parts,
    ];
    const width = maxOf(lines.map(([part]) => part!.length));
    return [name, ...lines.map(([part, text]) => `  ${part!.padEnd(width)}  ${text}`)].join("\n");
  }

  protected stateOfParts(kind: string, params: P, blocks: Json, more: Learned = {}): ModelState {
    const { featureNamesIn, nFeatures, sparseOutput: sparse } = this;
    const models = this.#blocks.flatMap(({ model }) => model?.toState() ?? []);
    return stateOf(kind, { params, featureNamesIn }, { nFeatures, sparse, blocks, ...more }, models);
  }
}

/** What a saved composition is made of; `isFitted` tells which blocks have a model. */
export function readParts<P extends object, S extends Omit<Part, "model">>(
  state: ModelState,
  restorePart: (part: ModelState) => FittedModel,
  isBlock: (value: unknown, nFeatures: number) => value is S,
  isFitted: (block: S) => boolean,
) {
  const reader = new StateReader(state);
  const known = readColumns(reader);
  const isBlocks = (value: unknown): value is readonly S[] =>
    Array.isArray(value) && value.length > 0 && value.every((block) => isBlock(block, known.nFeatures));
  const saved = reader.value("blocks", "transformers with their columns and outputs", isBlocks);
  const models = (state.parts ?? []).map(restorePart);
  let next = 0;
  const blocks = saved.map((block): S & Part => {
    const model = isFitted(block) ? (models[next++] as TransformingModel | undefined) : undefined;
    return { ...block, model };
  });
  const whole = next === models.length && models.every((model) => "transform" in model);
  if (!whole) reader.fail("parts", `${next} fitted transformers`, `${models.length} models`);
  return { reader, params: state.params as object as P, known, blocks, sparse: reader.flag("sparse") };
}

/** A transformer fitted to X, and what it makes of X, as a matrix. */
export function fittedPart(
  where: string,
  part: PartTransformer,
  x: unknown,
  y: unknown,
  options: FitOptions,
): Transformed<TransformingModel, Design> {
  const { model, X } = fitAndTransform(part, x, y, options);
  return { model, X: outputOf(where, X) };
}

/** What a part makes, as a matrix. */
export function outputOf(where: string, x: MatrixLike, cols?: number): Design {
  if ((x as { cols?: unknown }).cols === 0 && !isTable(x)) return x as Design;
  return readMatrix(where, x, { sparse: true, missing: true, ...(cols === undefined ? {} : { cols }) });
}

/** Runs a part; an error of it names the part. */
export function withinPart<T>(where: string, name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError && error.where !== where
      ? error.within(`${where}, ${show(name)}`)
      : error;
  }
}

/** The outputs' names of all parts, with the name of the part before them if two would be the same. */
export function namesOfParts(parts: readonly (readonly [string, readonly string[]])[]): string[] {
  const plain = parts.flatMap(([, names]) => names);
  if (new Set(plain).size === plain.length) return plain;
  return distinctNames(parts.flatMap(([part, names]) => names.map((name) => `${part}__${name}`)));
}
