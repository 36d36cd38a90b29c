import { Model } from "../core/model.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { Expansion } from "./expansion.js";

/** A model that is a function of kernel values. */
export abstract class ExpansionModel extends Model {
  protected abstract readonly id: string;
  readonly #params: object;
  readonly #expansion: Expansion;

  constructor(params: object, expansion: Expansion) {
    super();
    this.#params = params;
    this.#expansion = expansion;
  }

  get nFeatures(): number {
    return this.#expansion.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.#expansion.parts.featureNamesIn;
  }

  protected get expansion(): Expansion {
    return this.#expansion;
  }

  /** The state of the expansion and of what else was learned. */
  protected stateWith(learned: Learned, kind = this.id): ModelState {
    const own = this.#expansion.learned(`saveModel(${this.id})`);
    const { featureNamesIn } = this;
    return stateOf(kind, { params: this.#params, featureNamesIn }, { ...own, ...learned });
  }
}
