import { isSupervised, transformer } from "../../core/capabilities.js";
import { listOf } from "../../core/column-like.js";
import { partsOf } from "../../core/composite.js";
import type {
  Capabilities,
  FitOptions,
  FittedModel,
  MatrixLike,
  RestorePart,
  Task,
} from "../../core/contract.js";
import { AbortError, DataError, ParameterError, show } from "../../core/errors.js";
import { capabilitiesOf } from "../../core/estimator.js";
import type { Label, Labels, NumberArray } from "../../core/labels.js";
import { encodeLabels, readTargets, readWeights } from "../../core/labels.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { beginFit } from "../../core/params/options.js";
import { invalid, type ParamSpec, type Params, type ParamsTable } from "../../core/params/params.js";
import type { Json, ModelState, StateReader } from "../../core/state/state.js";
import { isTargetMatrix } from "../../core/target-matrix.js";
import type { AnyTable, KnownFeatures } from "../../data/feature-names-in.js";
import { columnsOf, isTable, readColumns } from "../../data/feature-names-in.js";
import { type Design, readMatrix } from "../../data/input.js";
import { type Rows, selectRows } from "../../data/select-rows.js";
import { selectColumns } from "../../data/table/join-columns.js";
import { presentRows, select } from "../../data/training-set.js";
import { memberOptions, paramsOf } from "../../ensembles/members.js";
import { FittedSelector, readSelection } from "../../feature-selection/fitted-selector.js";
import { ScalerEstimator } from "../../fitted/transformers.js";
import type { Learner } from "../../selection/cross-validate.js";

/** Labels or numbers; of several targets a matrix, rows of labels or a table, if the estimator takes them. */
export type Targets = Labels<Label> | NumberArray | MatrixLike | readonly (readonly Label[])[];

/** The estimator that columns are chosen for. It has no default. */
export const wrappedEstimator = (doc: string): ParamSpec<Learner & object> => ({
  kind: "estimator",
  default: undefined as unknown as Learner & object,
  doc,
  expected: "an estimator or a pipeline",
  read: (value) =>
    typeof (value as Partial<Learner> | null)?.fit === "function" ? (value as Learner & object) : invalid,
});

function requireEstimator(where: string, estimator: unknown): void {
  if (estimator === undefined) {
    const { expected } = wrappedEstimator("");
    throw new ParameterError(where, "estimator", expected, "nothing");
  }
  if (capabilitiesOf(estimator as object)?.input !== "text") return;
  const expected = "one that reads columns, of which some are selected";
  const received = "a pipeline of documents";
  const advice = `Select after the vectorizer: pipeline(new TfidfVectorizer(), new ${where}({ estimator })).`;
  throw new ParameterError(where, "estimator", expected, received, advice);
}

/** Parameters that name or number columns of X, unless they are empty, absent or a word. */
const COLUMN_PARAMS = ["categoricalFeatures", "monotonicCst", "interactionCst"];

/**
 * Throws if an estimator that is fitted to ever fewer columns, or a part of it, has parameters of certain columns: they would be of other
 * columns after the first is gone.
 */
function refuseColumnParams(where: string, estimator: object, path = "estimator"): void {
  const params = paramsOf(estimator) ?? {};
  for (const name of COLUMN_PARAMS) {
    const value = params[name];
    if (!isArrayLike(value) || typeof value === "string" || value.length === 0) continue;
    const expected = "absent, since the numbers of columns change as columns are left out";
    const advice = "SelectFromModel fits its estimator to all columns and takes such parameters.";
    throw new ParameterError(where, `${path}.${name}`, expected, show(value), advice);
  }
  for (const [name, part] of partsOf(estimator)) refuseColumnParams(where, part, `${path}.${name}`);
}

/** What a selector can be at most. */
const mostOfSelectors = transformer({
  sparse: true,
  missing: true,
  sampleWeight: true,
  needsTargets: true,
});

/** A selector reads what its estimator does; text it does not. */
function selectorCapabilities(estimator: Learner & object): Capabilities {
  const inner = capabilitiesOf(estimator);
  return {
    ...mostOfSelectors,
    sparse: inner?.sparse ?? false,
    missing: inner?.missing ?? false,
    sampleWeight: inner?.sampleWeight ?? true,
    needsTargets: inner === undefined || isSupervised(inner),
  };
}

/** Chooses columns for an estimator, with it: what it needs, and what it takes. */
export abstract class ModelSelector<
  T extends ParamsTable & { readonly estimator: ParamSpec<Learner & object> },
  E extends Learner & object,
> extends ScalerEstimator<T, MatrixLike, [y: Targets, options?: FitOptions]> {
  declare readonly partTypes?: { estimator: E };
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities: Capabilities = mostOfSelectors;

  constructor(params: object, takesColumnNumbers = false) {
    super(params as Params<T>);
    requireEstimator(this.id, this.#estimator);
    if (!takesColumnNumbers) refuseColumnParams(this.id, this.#estimator);
  }

  get capabilities(): Capabilities {
    return selectorCapabilities(this.#estimator);
  }

  protected rows(x: MatrixLike, y: Targets, options: FitOptions): SelectorRows {
    return selectorRows(this.id, this.#estimator, x, y, options);
  }

  get #estimator(): Learner & object {
    return (this.params as { readonly estimator: Learner & object }).estimator;
  }
}

/** X, y and the options of a fit, read for a selector. */
export interface SelectorRows {
  readonly where: string;
  readonly x: Design;
  /** The same rows with the names of their columns, if X was a table. */
  readonly table: AnyTable | undefined;
  readonly y: Targets;
  readonly columns: KnownFeatures;
  readonly options: FitOptions;
  readonly input: SelectorInput;
}

interface SelectorInput {
  readonly sparse: boolean;
  readonly missing: boolean;
}

function selectorRows(
  id: string,
  estimator: Learner & object,
  x: MatrixLike,
  y: Targets,
  options: FitOptions,
): SelectorRows {
  const where = `${id}.fit`;
  beginFit(where, options);
  const { sparse, missing, sampleWeight, needsTargets } = selectorCapabilities(estimator);
  if (!sampleWeight && options.sampleWeight !== undefined) {
    const expected = "absent, since the estimator does not take weights";
    throw new ParameterError(where, "sampleWeight", expected, "weights");
  }
  if (needsTargets && (y === undefined || y === null)) {
    throw new DataError(where, "y", "the targets, by which columns are chosen", show(y));
  }
  const rows = readMatrix(where, x, { sparse, missing });
  if (needsTargets && !isTargetMatrix(y))
    requireTargets(where, capabilitiesOf(estimator)?.task, y, rows.rows);
  const read = { where, columns: columnsOf(x, rows), input: { sparse, missing } };
  return { ...read, ...presentOnly(where, rows, isTable(x) ? x : undefined, y, options) };
}

/** Rows of weight 0 are left out: folds are made of the others. */
function presentOnly(
  where: string,
  x: Design,
  table: AnyTable | undefined,
  y: Targets,
  options: FitOptions,
): Pick<SelectorRows, "x" | "table" | "y" | "options"> {
  const weights = readWeights(where, options.sampleWeight, x.rows);
  const kept = presentRows(weights);
  if (kept === undefined) return { x, table, y, options };
  return {
    x: x.selectRows(kept),
    table: table?.selectRows(kept),
    y: y && (selectRows(listed(y) as Rows, kept, where) as Targets),
    options: { ...options, sampleWeight: select(weights!, kept) },
  };
}

/** Something to pick rows from. */
const listed = (y: Targets) => (isTargetMatrix(y) ? y : listOf(y as Labels<Label>));

/** Throws on targets that the estimator cannot learn, before folds are made of them. */
function requireTargets(where: string, task: Task | undefined, y: Targets, rows: number): void {
  if (task === "regression") readTargets(where, y as NumberArray, rows);
  else encodeLabels(where, y as Labels<Label>, rows);
}

/** The estimator, fitted to all columns; a table stays one, so that parameters may name its columns. */
export const fitAllColumns = (estimator: Learner, rows: SelectorRows): FittedModel =>
  fitRows(estimator, rows, rows.table ?? rows.x);

/** The estimator, fitted to some of the columns. */
export const fitColumns = (estimator: Learner, rows: SelectorRows, columns: readonly number[]): FittedModel =>
  fitRows(estimator, rows, selectColumns(rows.x, columns));

function fitRows(estimator: Learner, { where, y, options }: SelectorRows, x: Design | AnyTable): FittedModel {
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const { sampleWeight } = options;
  const own = { ...memberOptions(options), ...(sampleWeight && { sampleWeight }) };
  return estimator.fit(x as never, y as never, own);
}

/** Places of the numbers in ascending order; of equal ones the first. */
export const rankedBy = (values: Float64Array): number[] =>
  [...values.keys()].sort((a, b) => values[a]! - values[b]! || a - b);

/** A count of columns: given, as a fraction of all, or half of them. */
export const countOf = (given: number | null, cols: number): number =>
  Math.max(1, given === null ? Math.floor(cols / 2) : given < 1 ? Math.floor(cols * given) : given);

/** Throws if more columns are to be kept than there are. */
export function requireColumns(where: string, name: string, count: number, cols: number): void {
  if (count <= cols) return;
  throw new DataError(where, "X", `at least ${name} = ${count} columns wide`, `${cols} columns`);
}

/** Throws if the score of some columns is NaN, which compares with nothing. */
export function requireScore(where: string, score: number, count: number): void {
  if (!Number.isNaN(score)) return;
  const expected = "a number, to be compared with others";
  const advice = "Choose a scoring that is defined in every fold.";
  throw new DataError(where, `the score of ${count} columns`, expected, "NaN", advice);
}

/** What a fitted selector around a model is made of. */
export interface ModelSelection<P extends object> {
  readonly params: P;
  readonly columns: KnownFeatures;
  readonly scores: Float64Array;
  readonly selected: readonly number[];
  readonly input: SelectorInput;
  readonly model: FittedModel;
}

/** A scorer that is a function cannot be saved, and a fitted selector needs it no more. */
const withoutScorer = <P extends object>(params: P): P =>
  typeof (params as { readonly scoring?: unknown }).scoring === "function"
    ? { ...params, scoring: null }
    : params;

/** Keeps some columns, as a model decided. */
export abstract class FittedModelSelector<P extends object, M = FittedModel> extends FittedSelector<P> {
  readonly #selection: ModelSelection<P>;

  constructor(selection: ModelSelection<P>) {
    super(withoutScorer(selection.params), selection.columns, selection.scores, selection.selected);
    this.#selection = selection;
  }

  protected override get input(): SelectorInput {
    return this.#selection.input;
  }

  protected get inner(): M {
    return this.#selection.model as M;
  }

  override toState(): ModelState {
    const state = super.toState();
    const { input, model } = this.#selection;
    return { ...state, values: { ...state.values, ...this.learned(), ...input }, parts: [model.toState()] };
  }

  /** What else was learned. */
  protected learned(): Readonly<Record<string, Json>> {
    return {};
  }
}

/** The inverse of `toState`. */
export function readModelSelection<P extends object>(
  reader: StateReader,
  restorePart: RestorePart,
): ModelSelection<P> {
  const [part, ...rest] = reader.state.parts ?? [];
  if (part === undefined || rest.length > 0) reader.fail("parts", "one fitted model", `${rest.length}`);
  const columns = readColumns(reader);
  const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
  return {
    params: reader.state.params as unknown as P,
    columns,
    ...readSelection(reader, columns),
    input: {
      sparse: reader.value("sparse", "true or false", isFlag),
      missing: reader.value("missing", "true or false", isFlag),
    },
    model: restorePart(part),
  };
}
