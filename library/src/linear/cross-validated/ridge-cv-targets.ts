import { type ModelState, StateReader } from "../../core/state.js";
import { Matrix } from "../../data/matrix.js";
import { FittedLinearTargets, type LinearTargetsState, readLinearTargets } from "../fitted-targets.js";

interface ChosenStrengths {
  readonly alpha: Float64Array;
  readonly bestScore: Float64Array;
  readonly cvValues: readonly Matrix[] | undefined;
}

/** RidgeCV of several targets: Ŷ = X Wᵀ + b, with the α that cross-validation chose. */
export class FittedRidgeCVTargets extends FittedLinearTargets {
  static override readonly id: string = "RidgeCVTargets";

  /** The chosen α of every target; all the same without `alphaPerTarget`. */
  readonly alpha: Float64Array;
  /** The score of each target's α; the mean over the targets without `alphaPerTarget`. */
  readonly bestScore: Float64Array;
  /**
   * Squared leave-one-out errors (with `scoring`, predictions), a matrix per target: one row per row of X, one column per α. Undefined unless
   * requested.
   */
  readonly cvValues: readonly Matrix[] | undefined;

  constructor(state: LinearTargetsState, { alpha, bestScore, cvValues }: ChosenStrengths) {
    super(state);
    this.alpha = alpha;
    this.bestScore = bestScore;
    this.cvValues = cvValues;
  }

  override toState(): ModelState {
    const state = super.toState();
    const { alpha, bestScore, cvValues = [], nTargets } = this;
    const tensors = {
      ...state.tensors,
      alpha: { shape: [nTargets], data: alpha },
      bestScore: { shape: [nTargets], data: bestScore },
      ...Object.fromEntries(
        cvValues.map(({ rows, cols, data }, t) => [`cvValues${t}`, { shape: [rows, cols], data }]),
      ),
    };
    return { ...state, kind: FittedRidgeCVTargets.id, tensors };
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
    return new FittedRidgeCVTargets(own, {
      alpha: reader.finite("alpha", [targets]),
      bestScore: reader.floats("bestScore", [targets]),
      cvValues: stored ? names.map(read) : undefined,
    });
  }
}
