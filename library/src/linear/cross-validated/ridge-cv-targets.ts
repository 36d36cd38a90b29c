import type { Learned } from "../../core/state/model-state.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { Matrix } from "../../data/matrix.js";
import { FittedLinearTargets, type LinearTargetsState, readLinearTargets } from "../fitted-targets.js";

/** RidgeCV of several targets: Ŷ = X Wᵀ + b, with the α that cross-validation chose. */
export class FittedRidgeCVTargets extends FittedLinearTargets {
  static override readonly id: string = "RidgeCVTargets";

  constructor(
    state: LinearTargetsState,
    /** The chosen α of every target; all the same without `alphaPerTarget`. */
    readonly alpha: Float64Array,
    /** The score of each target's α; the mean over the targets without `alphaPerTarget`. */
    readonly bestScore: Float64Array,
    /**
     * Squared leave-one-out errors (with `scoring`, predictions), a matrix per target: one row per row of X, one column per α. Undefined
     * unless requested.
     */
    readonly cvValues: readonly Matrix[] | undefined,
  ) {
    super(state);
  }

  override toState(): ModelState {
    return { ...super.toState(), kind: FittedRidgeCVTargets.id };
  }

  protected override learned(): Learned {
    const { alpha, bestScore, cvValues = [] } = this;
    const byTarget = Object.fromEntries(cvValues.map((values, t) => [`cvValues${t}`, values]));
    return { ...super.learned(), alpha, bestScore, ...byTarget };
  }

  static override restore(state: ModelState): FittedRidgeCVTargets {
    const reader = new StateReader(state);
    const own = readLinearTargets(reader);
    const targets = own.intercept.length;
    const names = Array.from({ length: targets }, (_, t) => `cvValues${t}`);
    const stored = Object.hasOwn(state.tensors, "cvValues0");
    const read = (name: string) => {
      const data = reader.floats(name, [-1, -1]);
      const [rows, cols] = state.tensors[name]!.shape;
      return new Matrix(data, rows!, cols!);
    };
    return new FittedRidgeCVTargets(
      own,
      reader.finite("alpha", [targets]),
      reader.floats("bestScore", [targets]),
      stored ? names.map(read) : undefined,
    );
  }
}
