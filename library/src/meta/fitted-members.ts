import type { FittedModel, MatrixLike, RestorePart } from "../core/contract.js";
import { Model } from "../core/model.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import {
  type MemberInput,
  type MemberRows,
  readForMembers,
  readMemberInput,
  readsJson,
  widthOf,
} from "../ensembles/member-rows.js";

/** What a model made of others stores about X. */
export interface Opened {
  readonly input: { readonly sparse: boolean; readonly missing: boolean };
  readonly reads: MemberInput;
}

/** What a model made of others has learned. */
export interface MembersState<M> extends Opened {
  readonly id: string;
  readonly params: object;
  readonly nFeatures: number;
  readonly featureNamesIn?: readonly string[] | undefined;
  readonly models: readonly M[];
}

/** What an estimator has learned from a set whose rows its `models` were fitted to. */
export const membersState = <M>(
  { id, params }: { readonly id: string; readonly params: object },
  { x, featureNamesIn }: { readonly x: MemberRows; readonly featureNamesIn?: readonly string[] | undefined },
  opened: Opened,
  models: readonly M[],
): MembersState<M> => ({ ...opened, id, params, nFeatures: widthOf(x), featureNamesIn, models });

/** What models made of others share: how they read X, and their file. */
export abstract class FittedMembers<M extends FittedModel> extends Model {
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  protected readonly id: string;
  readonly #state: MembersState<M>;

  constructor(state: MembersState<M>) {
    super();
    this.id = state.id;
    this.nFeatures = state.nFeatures;
    this.featureNamesIn = state.featureNamesIn;
    this.#state = state;
  }

  protected get models(): readonly M[] {
    return this.#state.models;
  }

  protected read(where: string, x: MatrixLike): MemberRows {
    const { nFeatures, featureNamesIn, reads, input } = this.#state;
    return readForMembers(where, x, { nFeatures, featureNamesIn, reads }, input);
  }

  protected stateWith(learned: Learned): ModelState {
    const { id, input, reads, models } = this.#state;
    const own = { ...learned, nFeatures: this.nFeatures, ...readsJson(reads), ...input };
    return stateOf(
      id,
      this.#state,
      own,
      models.map((model) => model.toState()),
    );
  }
}

/** The same, whose members have names; what follows the named members has learned from their predictions. */
export abstract class FittedNamedMembers<M extends FittedModel> extends FittedMembers<M> {
  readonly #names: readonly string[];

  constructor(state: MembersState<M>, names: readonly string[]) {
    super(state);
    this.#names = names;
  }

  /** The fitted members by name. */
  get members(): Readonly<Record<string, M>> {
    return Object.fromEntries(this.#names.map((name, m) => [name, this.models[m]!]));
  }

  protected override stateWith(learned: Learned): ModelState {
    return super.stateWith({ ...learned, names: [...this.#names] });
  }
}

/** The names of this many members. */
export function readNames(reader: StateReader, count: number): readonly string[] {
  const names = reader.labels("names") as readonly string[];
  if (names.length !== count) reader.fail("names", `${count} names`, `${names.length}`);
  return names;
}

/** The inverse of `stateWith`. A part for which `isMember` is false is an error that names what was expected. */
export function readMembers<M extends FittedModel>(
  reader: StateReader,
  restorePart: RestorePart,
  expected: string,
  isMember: (model: FittedModel, m: number) => boolean,
): MembersState<M> {
  const { kind: id, params, parts = [] } = reader.state;
  const nFeatures = reader.count("nFeatures");
  const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
  const input = {
    sparse: reader.value("sparse", "true or false", isFlag),
    missing: reader.value("missing", "true or false", isFlag),
  };
  if (parts.length === 0) reader.fail("parts", "one or more models", "none");
  const models = parts.map(restorePart).map((model, m) => {
    return isMember(model, m) ? (model as M) : reader.fail(`part ${m}`, expected, "another");
  });
  const featureNamesIn = readFeatureNames(reader, nFeatures);
  const reads = readMemberInput(reader, featureNamesIn);
  return { id, params, input, nFeatures, featureNamesIn, reads, models };
}
