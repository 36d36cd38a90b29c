import type { Capabilities, FitOptions, FittedModel, Progress } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Estimator } from "../core/estimator.js";
import {
  flag,
  integer,
  type Params,
  type ParamsTable,
  type ParamValues,
  randomState,
} from "../core/params.js";
import { Random } from "../core/random.js";
import type { Design } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { amount, countOf, requireBootstrap } from "../ensembles/draws.js";
import {
  capabilitiesOver,
  type MemberEstimator,
  memberOptions,
  memberParam,
  nameOf,
  requireTask,
  reseeded,
  takesWeights,
} from "../ensembles/members.js";
import type { BaggedMember } from "./fitted-bag.js";

const drawParams = {
  nEstimators: integer({ atLeast: 1, default: 10, doc: "Members." }),
  maxSamples: amount("Rows that each member draws: a share of all (1: as many as there are), or a number."),
  maxFeatures: amount(
    "Columns that each member draws: a share of all (1: as many as there are), or a number.",
  ),
  bootstrap: flag({ default: true, doc: "Draw rows with replacement." }),
  bootstrapFeatures: flag({ default: false, doc: "Draw columns with replacement." }),
  oobScore: flag({
    default: false,
    doc: "Tell how well rows are predicted by the members that have not drawn them; needs bootstrap.",
  }),
  randomState: randomState(),
};
export type BaggingValues = ParamValues<typeof drawParams>;

/** The params table of bags of classifiers or of regressors. */
export const baggingParams = <E>(noun: string, member: E) => ({
  estimator: memberParam<E>({
    default: member,
    doc: `Any ${noun}; those that vary much from sample to sample gain most.`,
  }),
  ...drawParams,
});

/** What a bag's constructor takes: the type of its members is kept. */
export type BaggingParams<E> = Params<typeof drawParams> & { readonly estimator?: E };

type AnyBagValues = BaggingValues & { readonly estimator: MemberEstimator };

export function checkBagging(where: string, params: AnyBagValues, task: Capabilities["task"]): void {
  requireTask(where, params.estimator, task);
  requireNumbers(where, params.estimator);
  requireBootstrap(where, params);
}

/** Members are given rows of numbers, in which no column has a name. */
function requireNumbers(where: string, estimator: object): void {
  const { params } = estimator as Partial<Estimator<ParamsTable>>;
  const listed = params?.["categoricalFeatures"];
  const name = Array.isArray(listed) ? listed.find((column) => typeof column === "string") : undefined;
  if (name === undefined) return;
  throw new ParameterError({
    where,
    subject: `categoricalFeatures of ${nameOf(estimator)}`,
    expected: "numbers of columns, since members are given rows of numbers without names",
    received: show(name),
  });
}

/** What a bag can take is what its members can take; but sparse rows keep all their columns. */
export function bagCapabilities(
  { estimator, maxFeatures, bootstrapFeatures }: AnyBagValues,
  own: Pick<Capabilities, "task" | "probabilities">,
): Capabilities {
  const over = capabilitiesOver(estimator, { ...own, decisionFunction: false, sampleWeight: true });
  return { ...over, sparse: over.sparse && maxFeatures === 1 && !bootstrapFeatures };
}

/** What a bag is drawn from. */
export interface BaggingSet<Y> {
  readonly x: Design;
  readonly y: readonly Y[];
  readonly weights: Float64Array | undefined;
}

function draw(random: Random, n: number, count: number, replace: boolean): Int32Array {
  if (!replace) return random.permutation(n).slice(0, count).sort();
  return Int32Array.from({ length: count }, () => random.below(n));
}

/** Draws in proportion to weights: for members that cannot be given them. */
function drawWeighted(random: Random, weights: Float64Array, count: number): Int32Array {
  const sums = weights.slice();
  for (let i = 1; i < sums.length; i++) sums[i]! += sums[i - 1]!;
  return Int32Array.from({ length: count }, () => {
    const at = random.uniform() * sums.at(-1)!;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}

/** A draw of few rows may have one class only, which no classifier can learn: it is repeated this often. */
const MOST_DRAWS = 100;

/** What a member is to be fitted to. */
export interface Drawn {
  /** With random numbers of its own. */
  readonly estimator: MemberEstimator;
  readonly rows: Int32Array;
  readonly features: Int32Array;
}

/** Fits members: what their estimator fits. */
export interface Bagger {
  /** How many to fit at a time. */
  readonly together: number;
  fit(batch: readonly Drawn[]): FittedModel[];
  close(): void;
}

/** Whether every member sees all columns. */
export const seesAll = ({ maxFeatures, bootstrapFeatures }: BaggingValues, cols: number): boolean =>
  !bootstrapFeatures && (maxFeatures === 1 || maxFeatures === cols);

/** After a member has been fitted. */
interface BagStep<M> extends Progress {
  /** Those fitted so far. */
  members(): BaggedMember<M>[];
}

/** Draws for members and fits them. M is what `estimator` fits; `distinct`: a member needs targets that differ. */
export function* bagSteps<Y, M extends FittedModel>(
  where: string,
  estimator: MemberEstimator,
  set: BaggingSet<Y>,
  params: BaggingValues,
  distinct: boolean,
  bagger: Bagger,
): Generator<BagStep<M>, BaggedMember<M>[], void> {
  const { rows: n, cols: d } = set.x;
  const count = countOf(where, "maxSamples", params.maxSamples, n, Math.floor);
  const width = countOf(where, "maxFeatures", params.maxFeatures, d, Math.floor);
  const all = seesAll(params, d);
  if (!all) requireMovable(where, estimator);
  const weighted = takesWeights(estimator);
  if (set.weights && !weighted && !params.bootstrap) throw noWeights(where, estimator);
  const random = new Random(params.randomState);
  const members: BaggedMember<M>[] = [];
  const drawn = (): Drawn => {
    const own = random.split();
    const features = all ? everyOf(d) : draw(own, d, width, params.bootstrapFeatures);
    const rows = drawRows(where, set, own, count, params.bootstrap, weighted, distinct);
    return { estimator: reseeded(estimator, () => own.uint32()), rows, features };
  };
  try {
    while (members.length < params.nEstimators) {
      const size = Math.min(bagger.together, params.nEstimators - members.length);
      const batch = Array.from({ length: size }, drawn);
      for (const [b, model] of bagger.fit(batch).entries()) {
        members.push({ model: model as M, rows: batch[b]!.rows, features: batch[b]!.features });
        const iteration = members.length;
        yield { iteration, total: params.nEstimators, members: () => members.slice(0, iteration) };
      }
    }
    return members;
  } finally {
    bagger.close();
  }
}

const everyOf = (d: number): Int32Array => Int32Array.from({ length: d }, (_, j) => j);

/** Fits any estimator, one member at a time. */
export function memberBagger<Y>(set: BaggingSet<Y>, params: BaggingValues, options: FitOptions): Bagger {
  const all = seesAll(params, set.x.cols);
  return {
    together: 1,
    fit: (batch) =>
      batch.map(({ estimator, rows, features }) =>
        fitMember(estimator, set, rows, all ? null : features, takesWeights(estimator), options),
      ),
    close: () => {},
  };
}

function drawRows<Y>(
  where: string,
  { y, weights }: BaggingSet<Y>,
  random: Random,
  count: number,
  bootstrap: boolean,
  weighted: boolean,
  distinct: boolean,
): Int32Array {
  for (let attempt = 0; attempt < MOST_DRAWS; attempt++) {
    const rows =
      weights && !weighted ? drawWeighted(random, weights, count) : draw(random, y.length, count, bootstrap);
    if (!distinct || rows.some((i) => y[i] !== y[rows[0]!])) return rows;
  }
  throw new DataError({
    where,
    subject: `a draw of ${count} of the rows`,
    expected: "of two classes",
    received: `one class only, ${MOST_DRAWS} times`,
    advice: "Raise maxSamples.",
  });
}

/** Rows drawn several times are rows of that weight, where the member takes weights. Parity: scikit-learn's rule. */
function fitMember<Y>(
  estimator: MemberEstimator,
  { x, y, weights }: BaggingSet<Y>,
  drawn: Int32Array,
  features: Int32Array | null,
  weighted: boolean,
  options: FitOptions,
): FittedModel {
  let rows = drawn;
  let own: Float64Array | undefined;
  if (weighted) {
    const counts = new Float64Array(y.length);
    for (const i of drawn) counts[i]!++;
    rows = Int32Array.from(counts.keys()).filter((i) => counts[i]! > 0);
    own = Float64Array.from(rows, (i) => counts[i]! * (weights ? weights[i]! : 1));
  }
  const some = x.selectRows(rows);
  const seen = features === null ? some : (some as Matrix).selectColumns(features);
  const targets = Array.from(rows, (i) => y[i]!);
  return estimator.fit(seen, targets as never, memberOptions(options, own));
}

/** Members that name columns by their position would mean others. */
function requireMovable(where: string, estimator: object): void {
  const { params } = estimator as Partial<Estimator<ParamsTable>>;
  const named = ["categoricalFeatures", "blocks", "stages"].find((key) => {
    const value = params?.[key];
    return Array.isArray(value) && value.length > 0;
  });
  if (named === undefined) return;
  throw new ParameterError({
    where,
    subject: "maxFeatures",
    expected: `1, and bootstrapFeatures false, since ${named} of ${nameOf(estimator)} names columns by their position`,
    received: "a draw of columns",
  });
}

const noWeights = (where: string, estimator: object): ParameterError =>
  new ParameterError({
    where,
    subject: "sampleWeight",
    expected: `absent without bootstrap, since ${nameOf(estimator)} does not take weights`,
    received: "weights",
  });
