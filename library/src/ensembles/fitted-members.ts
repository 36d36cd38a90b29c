import type { FittedModel, MatrixLike, RestorePart } from "../core/contract.js";
import { Model } from "../core/model.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import type { MemberInput, MemberRows } from "./member-rows.js";
import { readForMembers, readKnown, readsJson, widthOf } from "./member-rows.js";

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

/** The inverse of `stateWith`. A part for which `isMember` is false is an error that names what was expected; `noun` is what it is called. */
export function readMembers<M extends FittedModel>(
  reader: StateReader,
  restorePart: RestorePart,
  expected: string,
  isMember: (model: FittedModel, m: number) => boolean,
  noun = "part",
): MembersState<M> {
  const { kind: id, params, parts = [] } = reader.state;
  const known = readKnown(reader);
  const input = { sparse: reader.flag("sparse"), missing: reader.flag("missing") };
  if (parts.length === 0)
    reader.fail("parts", `one or more ${noun === "part" ? "models" : `${noun}s`}`, "none");
  const models = parts.map(restorePart).map((model, m) => {
    return isMember(model, m) ? (model as M) : reader.fail(`${noun} ${m}`, expected, "another");
  });
  return { ...known, id, params, input, models };
}
