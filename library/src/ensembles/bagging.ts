import type { FitOptions, FittedModel, Progress } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Estimator } from "../core/estimator.js";
import { flag, integer, invalid, type ParamSpec, type ParamsTable, randomState } from "../core/params.js";
import { Random } from "../core/random.js";
import type { ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type MemberEstimator, memberOptions, nameOf, reseeded, takesWeights } from "./members.js";

const amount = (doc: string): ParamSpec<number> => ({
  kind: "union",
  default: 1,
  doc,
  expected: "a share above 0 and at most 1, or an integer ≥ 2",
  read: (value) => {
    const fine = typeof value === "number" && value > 0 && (value <= 1 || Number.isSafeInteger(value));
    return fine ? value : invalid;
  },
});

/** The parameters that both kinds of bagging share. */
export const baggingParams = {
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

export interface BaggingValues {
  readonly nEstimators: number;
  readonly maxSamples: number;
  readonly maxFeatures: number;
  readonly bootstrap: boolean;
  readonly bootstrapFeatures: boolean;
  readonly oobScore: boolean;
  readonly randomState: number;
}

/** One fitted member, and what it was fitted to. */
export interface BaggedMember<M> {
  readonly model: M;
  /** Numbers of the rows that it drew, in the order of the draws. Rows of weight 0 are not drawn and not counted. */
  readonly rows: Int32Array;
  /** The columns that it sees. */
  readonly features: Int32Array;
}

/** What a bag is drawn from. */
export interface BaggingSet<Y> {
  readonly x: Design;
  readonly y: readonly Y[];
  readonly weights: Float64Array | undefined;
}

export function checkBagging(where: string, { oobScore, bootstrap }: BaggingValues): void {
  if (!oobScore || bootstrap) return;
  throw new ParameterError({
    where,
    subject: "oobScore",
    expected: "false without bootstrap: rows are drawn once",
    received: "true",
  });
}

/** How many of n a parameter asks for. */
function countOf(where: string, subject: string, asked: number, n: number): number {
  const count = asked <= 1 ? Math.max(1, Math.floor(asked * n)) : asked;
  if (count <= n) return count;
  throw new DataError({
    where,
    subject,
    expected: `at most ${n}, as many as there are`,
    received: show(asked),
  });
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

/** Fits members. */
export interface Bagger<M> {
  /** How many to fit at a time. */
  readonly together: number;
  fit(batch: readonly Drawn[]): M[];
  close(): void;
}

/** Whether every member sees all columns. */
export const seesAll = ({ maxFeatures, bootstrapFeatures }: BaggingValues, cols: number): boolean =>
  !bootstrapFeatures && (maxFeatures === 1 || maxFeatures === cols);

/** Draws for members and fits them. `distinct`: a member needs targets that differ. */
export function* bagSteps<Y, M extends FittedModel>(
  where: string,
  estimator: MemberEstimator,
  set: BaggingSet<Y>,
  params: BaggingValues,
  distinct: boolean,
  bagger: Bagger<M>,
): Generator<Progress, BaggedMember<M>[], void> {
  const { rows: n, cols: d } = set.x;
  const count = countOf(where, "maxSamples", params.maxSamples, n);
  const width = countOf(where, "maxFeatures", params.maxFeatures, d);
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
        members.push({ model, rows: batch[b]!.rows, features: batch[b]!.features });
        yield { iteration: members.length, total: params.nEstimators };
      }
    }
    return members;
  } finally {
    bagger.close();
  }
}

const everyOf = (d: number): Int32Array => Int32Array.from({ length: d }, (_, j) => j);

/** Fits any estimator, one member at a time. */
export function memberBagger<Y, M extends FittedModel>(
  set: BaggingSet<Y>,
  params: BaggingValues,
  options: FitOptions,
): Bagger<M> {
  const all = seesAll(params, set.x.cols);
  return {
    together: 1,
    fit: (batch) =>
      batch.map(({ estimator, rows, features }) =>
        fitMember<Y, M>(estimator, set, rows, all ? null : features, takesWeights(estimator), options),
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
function fitMember<Y, M extends FittedModel>(
  estimator: MemberEstimator,
  { x, y, weights }: BaggingSet<Y>,
  drawn: Int32Array,
  features: Int32Array | null,
  weighted: boolean,
  options: FitOptions,
): M {
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
  return estimator.fit(seen, targets as never, memberOptions(options, own)) as unknown as M;
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

/** What X may hold, in fit and afterwards: sparse rows keep all their columns. */
export interface BagInput {
  readonly sparse: boolean;
  readonly missing: boolean;
}

export function inputOf(inner: BagInput, { maxFeatures, bootstrapFeatures }: BaggingValues): BagInput {
  return { sparse: inner.sparse && maxFeatures === 1 && !bootstrapFeatures, missing: inner.missing };
}

export function readBagInput(reader: StateReader): BagInput {
  const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
  return {
    sparse: reader.value("sparse", "true or false", isFlag),
    missing: reader.value("missing", "true or false", isFlag),
  };
}

const noWeights = (where: string, estimator: object): ParameterError =>
  new ParameterError({
    where,
    subject: "sampleWeight",
    expected: `absent without bootstrap, since ${nameOf(estimator)} does not take weights`,
    received: "weights",
  });

/** X as a member sees it. */
export function seenBy<M extends FittedModel>({ features }: BaggedMember<M>, x: Design): Design {
  const same = x.rows === 0 || (features.length === x.cols && features.every((j, at) => j === at));
  return same ? x : (x as Matrix).selectColumns(features);
}

/** The rows that a member has not drawn. */
export function leftOut({ rows }: BaggedMember<FittedModel>, n: number): Int32Array {
  const drawn = new Uint8Array(n);
  for (const i of rows) drawn[i] = 1;
  return Int32Array.from(drawn.keys()).filter((i) => drawn[i] === 0);
}

/** The draws as tensors, one row a member. */
export function drawsState(members: readonly BaggedMember<FittedModel>[]): ModelState["tensors"] {
  const packed = (of: (member: BaggedMember<FittedModel>) => Int32Array) => {
    const width = of(members[0]!).length;
    const data = new Int32Array(members.length * width);
    for (const [t, member] of members.entries()) data.set(of(member), t * width);
    return { shape: [members.length, width], data };
  };
  return { rows: packed(({ rows }) => rows), features: packed(({ features }) => features) };
}

export function readDraws<M extends FittedModel>(
  reader: StateReader,
  models: readonly FittedModel[],
  nFeatures: number,
): BaggedMember<M>[] {
  const T = models.length;
  if (T === 0) reader.fail("parts", "one or more members", "none");
  const rows = reader.integers("rows", [T, -1]);
  const features = reader.integers("features", [T, -1]);
  if (features.some((j) => j < 0 || j >= nFeatures)) reader.fail("features", "columns of X", "others");
  const m = rows.length / T;
  const width = features.length / T;
  return models.map((model, t) => {
    if (model.nFeatures !== width) reader.fail(`member ${t}`, `of ${width} columns`, `${model.nFeatures}`);
    return {
      model: model as M,
      rows: rows.slice(t * m, (t + 1) * m),
      features: features.slice(t * width, (t + 1) * width),
    };
  });
}
