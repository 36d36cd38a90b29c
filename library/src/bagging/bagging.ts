import type { Capabilities, FitOptions, FittedModel, Samples } from "../core/contract.js";
import { DataError, ParameterError } from "../core/errors.js";
import type { Steps } from "../core/estimator.js";
import { Random } from "../core/numbers/random.js";
import { flag, integer, type ParamSpec, type ParamValues, randomState } from "../core/params/params.js";
import type { Design } from "../data/input.js";
import { ComposedEstimator } from "../ensembles/composed-estimator.js";
import { amount, countOf, drawWeighted, requireBootstrap } from "../ensembles/draws.js";
import type { MemberInput, MemberRows, MemberSet } from "../ensembles/member-rows.js";
import { drawnColumns, memberSet, openForMembers, widthOf } from "../ensembles/member-rows.js";
import {
  type MemberEstimator,
  memberOptions,
  memberParam,
  nameOf,
  paramsOf,
  reseeded,
  takesWeights,
} from "../ensembles/members.js";
import { type BaggedMember, type BagState, withGivenRows } from "./fitted-bag.js";
import { usesAllColumns } from "./tree-bags.js";

const drawParams = {
  nEstimators: integer({ atLeast: 1, default: 10, doc: "Number of members." }),
  maxSamples: amount("Rows drawn for each member: a proportion (1: as many as X has), or a number."),
  maxFeatures: amount("Columns drawn for each member: a proportion (1: as many as X has), or a number."),
  bootstrap: flag({ default: true, doc: "Whether rows are drawn with replacement." }),
  bootstrapFeatures: flag({ default: false, doc: "Whether columns are drawn with replacement." }),
  oobScore: flag({
    default: false,
    doc: "Whether to score each row with the members that did not draw it. Requires bootstrap.",
  }),
  randomState: randomState(),
};
export type BaggingValues = ParamValues<typeof drawParams>;

/** The params table of a bagging classifier or regressor. */
export const baggingParams = <E>(noun: string, member: E) => ({
  estimator: memberParam<E>(
    member,
    `The ${noun} to fit to each sample. Unstable ones, such as deep trees, gain most.`,
  ),
  ...drawParams,
});

type AnyBagValues = BaggingValues & { readonly estimator: MemberEstimator };

type BaggingTable = typeof drawParams & { readonly estimator: ParamSpec<MemberEstimator> };
type Opened = ReturnType<typeof openForMembers>;
/** X as a training set is made of it, and how it is read. */
export type Readable = Opened["x"];
export type Rules = Opened["rules"];

interface ReadSet extends Omit<BaggingSet, "x"> {
  readonly x: Design;
}

/** How a bag of one task is fitted: its rows, trees that grow together, targets of rows, and what out-of-bag predictions are. */
interface BaggingParts<S extends ReadSet, M extends FittedModel, O> {
  read(x: Readable, rules: Rules): S;
  trees(set: S): Bagger<unknown> | null;
  targetsOf(set: MemberSet<S>): (rows: Int32Array) => ArrayLike<unknown>;
  outOfBag(members: readonly BaggedMember<M>[], set: MemberSet<S>): O | undefined;
}

/** What both estimators share. */
export abstract class Bagging<T extends BaggingTable, E> extends ComposedEstimator<T, E> {
  constructor(params: object = {}) {
    super(params);
    requireBootstrap(this.id, this.#own);
  }

  /** A bag accepts what its members accept; sparse rows only if every member uses all columns. */
  override get capabilities(): Capabilities {
    const { maxFeatures, bootstrapFeatures } = this.#own;
    const over = super.capabilities;
    return { ...over, sparse: over.sparse && maxFeatures === 1 && !bootstrapFeatures };
  }

  /** The fit, member by member. */
  protected *learn<S extends ReadSet, M extends FittedModel, O, F>(
    where: string,
    x: Samples,
    options: FitOptions,
    parts: BaggingParts<S, M, O>,
    fitted: (bag: BagState<M, O>, set: MemberSet<S>) => F,
  ): Steps<F> {
    const { sparse, missing } = this.capabilities;
    const params = this.#own;
    const opened = openForMembers(where, x, params.estimator, { sparse, missing });
    const numbers = parts.read(opened.x, opened.rules);
    const set = memberSet(numbers, opened.given);
    const targets = parts.targetsOf(set);
    const bagger =
      (opened.reads !== "numbers" ? null : parts.trees(numbers)) ??
      memberBagger(set, params, options, (estimator, seen, rows, own) =>
        estimator.fit(seen, targets(rows) as never, own),
      );
    const task = {
      ...{ id: this.id, where, params, set, reads: opened.reads, input: { sparse, missing } },
      bagger: bagger as Bagger<M>,
      outOfBag: (members: readonly BaggedMember<M>[]) => parts.outOfBag(members, set),
    };
    return yield* bagSteps(task, (bag) => fitted(bag, set));
  }

  get #own(): AnyBagValues {
    return this.params as unknown as AnyBagValues;
  }
}

function draw(random: Random, n: number, count: number, replace: boolean): Int32Array {
  if (!replace) return random.permutation(n).slice(0, count).sort();
  return Int32Array.from({ length: count }, () => random.below(n));
}

/** A draw of few rows may contain a single class, which no classifier can be fitted to: it is repeated up to this often. */
const MAX_DRAWS = 100;

/** What one member is fitted to. */
export interface Drawn {
  readonly rows: Int32Array;
  readonly features: Int32Array;
  /** The member's own random numbers. */
  readonly random: Random;
}

/** Fits members of type M. */
export interface Bagger<M> {
  /** How many members one call of `fit` takes. */
  readonly batchSize: number;
  fit(batch: readonly Drawn[]): M[];
  close(): void;
}

/** What classification and regression sets share. */
interface BaggingSet {
  readonly x: MemberRows;
  readonly weights: Float64Array | undefined;
  readonly kept?: Int32Array | undefined;
  readonly featureNamesIn?: readonly string[] | undefined;
  /** Class index per row: every draw must contain two classes. */
  readonly codes?: Int32Array | undefined;
}

/** A bag to fit: M are its members, O its out-of-bag predictions. */
interface BaggingTask<M extends FittedModel, O> {
  readonly id: string;
  readonly where: string;
  readonly params: AnyBagValues;
  readonly input: BagState<M, O>["input"];
  readonly set: BaggingSet;
  /** Whether members are fitted to a table. */
  readonly reads: MemberInput;
  readonly bagger: Bagger<M>;
  readonly outOfBag: (members: readonly BaggedMember<M>[]) => O | undefined;
}

/** Draws rows and columns for each member and fits it; `fitted` builds a model from the first members or from all. */
function* bagSteps<M extends FittedModel, O, F>(
  task: BaggingTask<M, O>,
  fitted: (bag: BagState<M, O>) => F,
): Steps<F> {
  const { id, params, input, set, reads, bagger } = task;
  const members: BaggedMember<M>[] = [];
  const modelOf = (count: number): F => {
    const first = members.slice(0, count);
    return fitted({
      id,
      params,
      input,
      nFeatures: widthOf(set.x),
      featureNamesIn: set.featureNamesIn,
      reads,
      members: withGivenRows(first, set.kept),
      outOfBag: params.oobScore ? task.outOfBag(first) : undefined,
    });
  };
  try {
    const next = drawer(task);
    const total = params.nEstimators;
    while (members.length < total) {
      const size = Math.min(bagger.batchSize, total - members.length);
      const batch = Array.from({ length: size }, next);
      for (const [b, model] of bagger.fit(batch).entries()) {
        const iteration = members.push({ model, rows: batch[b]!.rows, features: batch[b]!.features });
        yield { iteration, total, model: () => modelOf(iteration) };
      }
    }
    return modelOf(members.length);
  } finally {
    bagger.close();
  }
}

/** Draws the rows and columns of one member after the other. */
function drawer<M extends FittedModel, O>(task: BaggingTask<M, O>): () => Drawn {
  const { where, params, set } = task;
  const n = set.x.rows;
  const d = widthOf(set.x);
  const count = countOf(where, "maxSamples", params.maxSamples, n, Math.floor);
  const width = countOf(where, "maxFeatures", params.maxFeatures, d, Math.floor);
  const all = usesAllColumns(params, d);
  if (!all) requireNoColumnNumbers(where, params.estimator);
  const weighted = takesWeights(params.estimator);
  if (set.weights && !weighted && !params.bootstrap) throw noWeights(where, params.estimator);
  const random = new Random(params.randomState);
  return () => {
    const own = random.split();
    const features = all
      ? Int32Array.from({ length: d }, (_, j) => j)
      : draw(own, d, width, params.bootstrapFeatures);
    return { rows: drawRows(task, own, count, weighted), features, random: own };
  };
}

/** Fits E to X, targets and weights: the types of the targets are the caller's. */
type FitMember<E, M> = (estimator: E, x: MemberRows, rows: Int32Array, options: FitOptions) => M;

/** Fits any estimator, one member at a time. `fitMember` looks up the targets of the rows. */
function memberBagger<E extends MemberEstimator, M>(
  { x, weights }: BaggingSet,
  params: BaggingValues & { readonly estimator: E },
  options: FitOptions,
  fitMember: FitMember<E, M>,
): Bagger<M> {
  const all = usesAllColumns(params, widthOf(x));
  const weighted = takesWeights(params.estimator);
  return {
    batchSize: 1,
    fit: (batch) =>
      batch.map(({ rows: drawn, features, random }) => {
        const estimator = reseeded(params.estimator, () => random.uint32());
        const { rows, own } = weighted ? countDraws(drawn, weights, x.rows) : { rows: drawn };
        const some = x.selectRows(rows);
        const seen = all ? some : drawnColumns("Bagging.fit", some, features);
        return fitMember(estimator, seen, rows, memberOptions(options, own));
      }),
    close: () => {},
  };
}

/** Each drawn row once, with its weight times how often it was drawn. Parity: scikit-learn's rule. */
function countDraws(
  drawn: Int32Array,
  weights: Float64Array | undefined,
  n: number,
): { rows: Int32Array; own?: Float64Array } {
  const counts = new Float64Array(n);
  for (const i of drawn) counts[i]!++;
  const rows = Int32Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  return { rows, own: Float64Array.from(rows, (i) => counts[i]! * (weights ? weights[i]! : 1)) };
}

function drawRows<M extends FittedModel, O>(
  { where, params, set }: BaggingTask<M, O>,
  random: Random,
  count: number,
  weighted: boolean,
): Int32Array {
  const { x, weights, codes } = set;
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const rows =
      weights && !weighted
        ? drawWeighted(random, weights, count)
        : draw(random, x.rows, count, params.bootstrap);
    if (codes === undefined || rows.some((i) => codes[i] !== codes[rows[0]!])) return rows;
  }
  const expected = "of two classes";
  const received = `one class only, ${MAX_DRAWS} times`;
  const advice = "Raise maxSamples.";
  throw new DataError(where, `a draw of ${count} of the rows`, expected, received, advice);
}

/** Columns that a member's parameters list would be others, or missing. */
function requireNoColumnNumbers(where: string, estimator: object): void {
  const params = paramsOf(estimator);
  const named = ["categoricalFeatures", "blocks", "stages"].find((key) => {
    const value = params?.[key];
    return Array.isArray(value) && value.length > 0;
  });
  if (named === undefined) return;
  const expected = `1, and bootstrapFeatures false, since ${named} of ${nameOf(estimator)} lists columns`;
  throw new ParameterError(where, "maxFeatures", expected, "a draw of columns");
}

const noWeights = (where: string, estimator: object): ParameterError =>
  new ParameterError({
    where,
    subject: "sampleWeight",
    expected: `absent without bootstrap, since ${nameOf(estimator)} does not take weights`,
    received: "weights",
  });
