import type { FittedProbabilisticClassifier, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import { logPosteriors, posteriors, predictedClasses } from "../core/numbers/scores.js";
import { type NoReject, type ProbaOptions, predictLabels } from "../core/params/predict-options.js";
import type { ModelState } from "../core/state/state.js";
import { classifierStructure, posteriorLink, type Structure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { FittedNetwork, type NetworkState } from "./fitted-network.js";

/** A network whose outputs are scores of classes. */
export class FittedNetworkClassifier<L extends Label = Label>
  extends FittedNetwork
  implements FittedProbabilisticClassifier<L>
{
  readonly #id: string;

  constructor(
    state: NetworkState,
    readonly classes: readonly L[],
  ) {
    super(state);
    this.#id = state.id;
  }

  predict(x: MatrixLike, options?: NoReject<ProbaOptions>): L[];
  predict(x: MatrixLike, options: ProbaOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: ProbaOptions): (L | undefined)[] {
    const where = `${this.#id}.predict`;
    const { data, cols } = this.#scores(where, x);
    if (options === undefined) return predictedClasses(this.classes, data, cols);
    const p = { data: posteriors(data, cols), cols: this.classes.length };
    return predictLabels(where, this.classes, p, options);
  }

  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.#scores(`${this.#id}.predictProba`, x);
    return new Matrix(posteriors(data, cols), rows, this.classes.length);
  }

  /** Logarithms of `predictProba`, finite also where those underflow to 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.#scores(`${this.#id}.predictLogProba`, x);
    return new Matrix(logPosteriors(data, cols), rows, this.classes.length);
  }

  [structure](): Structure {
    return classifierStructure(this, this.layerScores(true), posteriorLink(this.network.output[0]!));
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.networkState({ classes: [...this.classes] });
  }

  /** One column for two classes (positive: the second), else one per class. */
  #scores(where: string, x: MatrixLike): { data: Float64Array; rows: number; cols: number } {
    const { data, rows, cols } = this.logits(where, x);
    return { ...marginsOf(data, cols), rows };
  }
}

/** Two scores per row become their difference. */
function marginsOf(data: Float64Array, cols: number): { data: Float64Array; cols: number } {
  if (cols !== 2) return { data, cols };
  const out = new Float64Array(data.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = data[2 * i + 1]! - data[2 * i]!;
  return { data: out, cols: 1 };
}
