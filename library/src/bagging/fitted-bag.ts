import type { FittedModel, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import type { Json, ModelState, StateReader } from "../core/state.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type TreeBag, treeBag } from "./tree-bags.js";

/** One fitted member, and what it was fitted to. */
export interface BaggedMember<M> {
  readonly model: M;
  /** Numbers of the rows that it drew, among those given to fit, in the order of the draws. Rows of weight 0 are never drawn. */
  readonly rows: Int32Array;
  /** The columns that it sees. */
  readonly features: Int32Array;
}

/** What X may hold, in fit and afterwards. */
export interface BagInput {
  readonly sparse: boolean;
  readonly missing: boolean;
}

/** What members say of rows that they have not drawn, as far as all bags tell it. */
interface OutOfBag {
  readonly score: number;
  readonly rows: Int32Array;
}

/** What a bag has learned. */
export interface BagState<M, O> {
  readonly id: string;
  readonly params: object;
  readonly input: BagInput;
  readonly nFeatures: number;
  readonly featureNamesIn?: readonly string[] | undefined;
  readonly members: readonly BaggedMember<M>[];
  /** Absent unless it was asked for, or where too few rows were left out. */
  readonly outOfBag: O | undefined;
}

/** Adds what a member says of X to `out`: so many numbers a row as a bag has. */
export type AddInto<M> = (member: BaggedMember<M>, x: Design, out: Float64Array) => void;

/** The common part of fitted bags. */
export abstract class FittedBag<M extends FittedModel, O extends OutOfBag> {
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  /** Each with the rows and columns that it drew. */
  readonly members: readonly BaggedMember<M>[];
  /** What members say of rows that they have not drawn; absent unless `oobScore` asked for it, or where too few were left out. */
  readonly outOfBag: O | undefined;
  protected readonly id: string;
  readonly #params: object;
  readonly #input: BagInput;
  readonly #width: number;
  /** The members as one forest, where they are trees. */
  readonly #trees: TreeBag | null;

  constructor(state: BagState<M, O>, width: number) {
    const { id, params, input, nFeatures, members, outOfBag } = state;
    this.id = id;
    this.#params = params;
    this.#input = input;
    this.#width = width;
    this.nFeatures = nFeatures;
    this.featureNamesIn = state.featureNamesIn;
    this.members = Object.freeze([...members]);
    this.#trees = treeBag(members, width);
    this.outOfBag = outOfBag;
  }

  /** Accuracy or R² of rows, each told by the members that have not drawn it; absent like `outOfBag`. */
  get oobScore(): number | undefined {
    return this.outOfBag?.score;
  }

  /** Whether all members are trees that predict together as one forest. */
  protected get isForest(): boolean {
    return this.#trees !== null;
  }

  protected read(where: string, x: MatrixLike): Design {
    return readMatrix(where, x, { like: this, ...this.#input });
  }

  /** Means over the members of what they predict, `width` numbers per row. */
  protected means(where: string, design: Design, addInto: AddInto<M>): Float64Array {
    const out = this.#trees?.sums(where, design) ?? new Float64Array(design.rows * this.#width);
    if (!this.#trees) for (const member of this.members) addInto(member, design, out);
    const T = this.members.length;
    for (let e = 0; e < out.length; e++) out[e]! /= T;
    return out;
  }

  /** `judged` are the numbers that rows out of the bag were given, under their name and `width` a row. */
  protected stateWith(
    values: Readonly<Record<string, Json>>,
    judged: (outOfBag: O) => ModelState["tensors"],
  ): ModelState {
    const { outOfBag, members, nFeatures } = this;
    return {
      kind: this.id,
      params: describeParams(this.#params),
      values: {
        ...values,
        nFeatures,
        ...featureNamesJson(this.featureNamesIn),
        ...this.#input,
        ...(outOfBag && { oobScore: outOfBag.score }),
      },
      tensors: {
        ...drawsState(members),
        ...(outOfBag && {
          oobRows: { shape: [outOfBag.rows.length], data: outOfBag.rows },
          ...judged(outOfBag),
        }),
      },
      parts: members.map(({ model }) => model.toState()),
    };
  }
}

/** X as a member sees it. */
export function seenBy({ features }: BaggedMember<unknown>, x: Design): Design {
  const same = x.rows === 0 || (features.length === x.cols && features.every((j, at) => j === at));
  return same ? x : (x as Matrix).selectColumns(features);
}

/** Rows that at least one member has not drawn, and the means over such members of what they say, `width` numbers a row. */
export function outOfBagMeans<M>(
  members: readonly BaggedMember<M>[],
  x: Design,
  width: number,
  addInto: AddInto<M>,
): { readonly rows: Int32Array; readonly means: Float64Array } {
  const sums = new Float64Array(x.rows * width);
  const asked = new Int32Array(x.rows);
  for (const member of members) {
    const rows = leftOut(member, x.rows);
    if (rows.length === 0) continue;
    const said = new Float64Array(rows.length * width);
    addInto(member, x.selectRows(rows), said);
    for (const [r, i] of rows.entries()) {
      asked[i]!++;
      for (let k = 0; k < width; k++) sums[i * width + k]! += said[r * width + k]!;
    }
  }
  const rows = Int32Array.from(asked.keys()).filter((i) => asked[i]! > 0);
  const means = new Float64Array(rows.length * width);
  for (const [r, i] of rows.entries())
    for (let k = 0; k < width; k++) means[r * width + k] = sums[i * width + k]! / asked[i]!;
  return { rows, means };
}

/** The rows that a member has not drawn. */
function leftOut({ rows }: BaggedMember<unknown>, n: number): Int32Array {
  const drawn = new Uint8Array(n);
  for (const i of rows) drawn[i] = 1;
  return Int32Array.from(drawn.keys()).filter((i) => drawn[i] === 0);
}

/** Members whose rows are numbered among all that were given, where only the `kept` ones were learned from. */
export function amongGiven<M>(
  members: readonly BaggedMember<M>[],
  kept: Int32Array | undefined,
): readonly BaggedMember<M>[] {
  if (kept === undefined) return members;
  return members.map((member) => ({ ...member, rows: member.rows.map((i) => kept[i]!) }));
}

/** The draws as tensors, one row a member. */
function drawsState(members: readonly BaggedMember<unknown>[]): ModelState["tensors"] {
  const packed = (of: (member: BaggedMember<unknown>) => Int32Array) => {
    const width = of(members[0]!).length;
    const data = new Int32Array(members.length * width);
    for (const [t, member] of members.entries()) data.set(of(member), t * width);
    return { shape: [members.length, width], data };
  };
  return { rows: packed(({ rows }) => rows), features: packed(({ features }) => features) };
}

/** Rebuilds what `toState` of a bag wrote; `isMember` tells whether a model is one of what is expected. */
export function readBag<M extends FittedModel, O>(
  reader: StateReader,
  restorePart: (part: ModelState) => FittedModel,
  expected: string,
  isMember: (model: FittedModel) => model is M,
  readOutOfBag: () => O,
): BagState<M, O> {
  const { kind: id, params, parts = [], values } = reader.state;
  const nFeatures = reader.count("nFeatures");
  const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
  const input = {
    sparse: reader.value("sparse", "true or false", isFlag),
    missing: reader.value("missing", "true or false", isFlag),
  };
  const models = parts.map(restorePart).map((model, t) => {
    return isMember(model) ? model : reader.fail(`member ${t}`, expected, "another");
  });
  const members = readDraws(reader, models, nFeatures);
  const outOfBag = values["oobScore"] === undefined ? undefined : readOutOfBag();
  const featureNamesIn = readFeatureNames(reader, nFeatures);
  return { id, params, input, nFeatures, featureNamesIn, members, outOfBag };
}

function readDraws<M extends FittedModel>(
  reader: StateReader,
  models: readonly M[],
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
      model,
      rows: rows.slice(t * m, (t + 1) * m),
      features: features.slice(t * width, (t + 1) * width),
    };
  });
}
