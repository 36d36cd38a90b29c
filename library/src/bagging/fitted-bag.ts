import type { FittedModel, RestorePart } from "../core/contract.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { type Scores, structureOf } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { FittedMembers, type MembersState, readMembers } from "../ensembles/fitted-members.js";
import { drawnColumns, hasColumns, type MemberRows, widthOf } from "../ensembles/member-rows.js";
import { meanScores } from "../trees/tree-structure.js";
import { type TreeBag, treeBag } from "./tree-bags.js";

/** A fitted member and the sample it was fitted to. */
export interface BaggedMember<M> {
  readonly model: M;
  /** Indices of its rows in the X given to fit, in the order of the draws. Rows of weight 0 are never drawn. */
  readonly rows: Int32Array;
  /** Indices of its columns. */
  readonly features: Int32Array;
}

/** The out-of-bag score, and the rows that at least one member did not draw. */
interface OutOfBag {
  readonly score: number;
  readonly rows: Int32Array;
}

/** What a bag has learned. */
export interface BagState<M, O> extends Omit<MembersState<M>, "models"> {
  readonly members: readonly BaggedMember<M>[];
  /** Undefined unless `oobScore` was set, or if too few rows were out of bag. */
  readonly outOfBag: O | undefined;
}

/** Adds a member's predictions of X to `out`, `width` numbers per row. */
export type AddPredictionsInto<M> = (member: BaggedMember<M>, x: MemberRows, out: Float64Array) => void;

/** What fitted bagging classifiers and regressors share. */
export abstract class FittedBag<M extends FittedModel, O extends OutOfBag> extends FittedMembers<M> {
  /** Each with its rows and columns. */
  readonly members: readonly BaggedMember<M>[];
  /** Out-of-bag predictions; undefined unless `oobScore` was set, or if too few rows were out of bag. */
  readonly outOfBag: O | undefined;
  readonly #width: number;
  /** The members as one forest, if they are trees. */
  readonly #trees: TreeBag | null;

  constructor({ members, outOfBag, ...state }: BagState<M, O>, width: number) {
    super({ ...state, models: members.map(({ model }) => model) });
    this.#width = width;
    this.members = Object.freeze([...members]);
    this.#trees = state.reads !== "numbers" ? null : treeBag(members, width);
    this.outOfBag = outOfBag;
  }

  /** Out-of-bag accuracy or R²; undefined like `outOfBag`. */
  get oobScore(): number | undefined {
    return this.outOfBag?.score;
  }

  /** Whether all members are trees that predict together as one forest. */
  protected get isForest(): boolean {
    return this.#trees !== null;
  }

  /** The members as one forest if they are trees, else their combination by a rule. */
  protected scoresBy(kind: "probabilities" | "mean"): Scores {
    if (this.#trees) return meanScores(this.#trees.trees);
    const members = this.members.map(({ model, features }) => ({
      structure: structureOf(model),
      columns: features.every((j, at) => j === at) && features.length === this.nFeatures ? null : features,
    }));
    const rule = { kind, weights: new Float64Array(members.length).fill(1) };
    return { kind: "composite", members, rule, outputs: this.#width };
  }

  /** Mean predictions of the members, `width` numbers per row. */
  protected means(where: string, x: MemberRows, addInto: AddPredictionsInto<M>): Float64Array {
    // Trees of a forest read numbers.
    const out = this.#trees?.sums(where, x as Design) ?? new Float64Array(x.rows * this.#width);
    if (!this.#trees && x.rows > 0) for (const member of this.members) addInto(member, x, out);
    const T = this.members.length;
    for (let e = 0; e < out.length; e++) out[e]! /= T;
    return out;
  }

  /** `predictions` returns the out-of-bag predictions. */
  protected bagState(values: Learned, predictions: (outOfBag: O) => Learned): ModelState {
    const { outOfBag, members } = this;
    const scored = outOfBag && { oobScore: outOfBag.score, oobRows: outOfBag.rows, ...predictions(outOfBag) };
    return this.stateWith({ ...values, ...drawsState(members), ...scored });
  }
}

/** The member's columns of X. */
export function memberColumns({ features }: BaggedMember<unknown>, x: MemberRows): MemberRows {
  const same = x.rows === 0 || (features.length === widthOf(x) && features.every((j, at) => j === at));
  return same ? x : drawnColumns("Bagging", x, features);
}

/** Rows that at least one member did not draw, and the mean predictions of those members, `width` numbers per row. */
export function outOfBagMeans<M>(
  members: readonly BaggedMember<M>[],
  x: MemberRows,
  width: number,
  addInto: AddPredictionsInto<M>,
): { readonly rows: Int32Array; readonly means: Float64Array } {
  const sums = new Float64Array(x.rows * width);
  const counts = new Int32Array(x.rows);
  for (const member of members) {
    const rows = rowsNotDrawn(member, x.rows);
    if (rows.length === 0) continue;
    const predicted = new Float64Array(rows.length * width);
    addInto(member, x.selectRows(rows), predicted);
    for (const [r, i] of rows.entries()) {
      counts[i]!++;
      for (let k = 0; k < width; k++) sums[i * width + k]! += predicted[r * width + k]!;
    }
  }
  const rows = Int32Array.from(counts.keys()).filter((i) => counts[i]! > 0);
  const means = new Float64Array(rows.length * width);
  for (const [r, i] of rows.entries())
    for (let k = 0; k < width; k++) means[r * width + k] = sums[i * width + k]! / counts[i]!;
  return { rows, means };
}

function rowsNotDrawn({ rows }: BaggedMember<unknown>, n: number): Int32Array {
  const drawn = new Uint8Array(n);
  for (const i of rows) drawn[i] = 1;
  return Int32Array.from(drawn.keys()).filter((i) => drawn[i] === 0);
}

/** Members with row indices into the X given to fit, of which only the `kept` rows have a weight above 0. */
export function withGivenRows<M>(
  members: readonly BaggedMember<M>[],
  kept: Int32Array | undefined,
): readonly BaggedMember<M>[] {
  if (kept === undefined) return members;
  return members.map((member) => ({ ...member, rows: member.rows.map((i) => kept[i]!) }));
}

/** The draws as tensors, one row per member. */
function drawsState(members: readonly BaggedMember<unknown>[]): ModelState["tensors"] {
  const packed = (of: (member: BaggedMember<unknown>) => Int32Array) => {
    const width = of(members[0]!).length;
    const data = new Int32Array(members.length * width);
    for (const [t, member] of members.entries()) data.set(of(member), t * width);
    return { shape: [members.length, width], data };
  };
  return { rows: packed(({ rows }) => rows), features: packed(({ features }) => features) };
}

/** The inverse of `bagState`. */
export function readBag<M extends FittedModel, O>(
  reader: StateReader,
  restorePart: RestorePart,
  expected: string,
  isMember: (model: FittedModel) => boolean,
  readOutOfBag: () => O,
): BagState<M, O> {
  const { models, ...state } = readMembers<M>(reader, restorePart, expected, isMember, "member");
  const members = readDraws(reader, models, state.nFeatures);
  const scored = reader.state.values["oobScore"] !== undefined;
  return { ...state, members, outOfBag: scored ? readOutOfBag() : undefined };
}

function readDraws<M extends FittedModel>(
  reader: StateReader,
  models: readonly M[],
  nFeatures: number,
): BaggedMember<M>[] {
  const T = models.length;
  const rows = reader.integers("rows", [T, -1]);
  const features = reader.integers("features", [T, -1]);
  if (features.some((j) => j < 0 || j >= nFeatures))
    reader.fail("features", "indices of columns of X", "others");
  const m = rows.length / T;
  const width = features.length / T;
  return models.map((model, t) => {
    if (!hasColumns(reader, model, width))
      reader.fail(`member ${t}`, `of ${width} columns`, `${model.nFeatures}`);
    return {
      model,
      rows: rows.slice(t * m, (t + 1) * m),
      features: features.slice(t * width, (t + 1) * width),
    };
  });
}
