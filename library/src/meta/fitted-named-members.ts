import type { FittedModel } from "../core/contract.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { FittedMembers, type MembersState } from "../ensembles/fitted-members.js";

/** What models made of others that have names share; what follows the named members has learned from their predictions. */
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
