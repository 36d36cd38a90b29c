import type { FittedModel, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import type { Json, ModelState, StateReader } from "../core/state.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
import {
  type MemberRows,
  readForMembers,
  readMemberInput,
  readsJson,
  widthOf,
} from "../ensembles/member-rows.js";
import type { Opened } from "./named-estimators.js";

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

  protected stateWith(
    values: Readonly<Record<string, Json>>,
    tensors: ModelState["tensors"] = {},
  ): ModelState {
    const { id, params, input, reads, models } = this.#state;
    return {
      kind: id,
      params: describeParams(params),
      values: {
        ...values,
        nFeatures: this.nFeatures,
        ...featureNamesJson(this.featureNamesIn),
        ...readsJson(reads),
        ...input,
      },
      tensors,
      parts: models.map((model) => model.toState()),
    };
  }
}

/** The inverse of `stateWith`. A part for which `isMember` is false is an error that names what was expected. */
export function readMembers<M extends FittedModel>(
  reader: StateReader,
  restorePart: (part: ModelState) => FittedModel,
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
