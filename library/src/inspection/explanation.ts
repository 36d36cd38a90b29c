import { ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import { Printed, shortNumber } from "../core/text/printing.js";
import { Matrix } from "../data/matrix.js";
import { barList } from "./bar-list.js";
import type { ExplainedOutput } from "./outputs.js";

/** How contributions were computed; only "kernelShap" draws samples, where there are many features. */
export type ExplanationMethod = "treeShap" | "linear" | "additive" | "exactShap" | "kernelShap";

export interface ExplanationParts {
  readonly method: ExplanationMethod;
  readonly output: ExplainedOutput;
  readonly outputNames: readonly Label[];
  readonly featureNames: readonly string[];
  readonly baseValues: Float64Array;
  /** Row by row, output by output, feature by feature. */
  readonly values: Float64Array;
}

/**
 * Why a model computes what it does, row by row:
 *
 *   output k of row i  =  baseValues[k] + Σⱼ contributions(i, k)[j]
 *
 * The base value is the output where nothing is known about the row: the mean over the training or background rows. Printed, one row is
 * the list of its contributions to the class with the largest output, several rows are the mean absolute contributions.
 */
export class Explanation extends Printed {
  readonly method: ExplanationMethod;
  /** What is explained: a prediction, a probability per class, or a score (log-odds, before the link). */
  readonly output: ExplainedOutput;
  /** Classes, names of targets, or "prediction". A score of two classes is that of the second. */
  readonly outputNames: readonly Label[];
  readonly featureNames: readonly string[];
  readonly baseValues: Float64Array;
  readonly rows: number;
  readonly #values: Float64Array;

  constructor(parts: ExplanationParts) {
    super();
    this.method = parts.method;
    this.output = parts.output;
    this.outputNames = parts.outputNames;
    this.featureNames = parts.featureNames;
    this.baseValues = parts.baseValues;
    this.#values = parts.values;
    this.rows = parts.values.length / (parts.outputNames.length * parts.featureNames.length);
  }

  /** The contribution of each feature to output k of row i; without k, to the largest output. */
  contributions(i = 0, k: number = this.largest(i)): Float64Array {
    const [K, d] = [this.outputNames.length, this.featureNames.length];
    const inside = (e: number, length: number) => Number.isInteger(e) && e >= 0 && e < length;
    if (!inside(i, this.rows) || !inside(k, K)) {
      const expected = `below ${this.rows} and ${K}`;
      const received = `${show(i)} and ${show(k)}`;
      throw new ParameterError("Explanation.contributions", "the row and the output", expected, received);
    }
    return this.#values.slice((i * K + k) * d, (i * K + k + 1) * d);
  }

  /** The contributions to output k of all rows, one row each. */
  matrix(k = 0): Matrix {
    const out = Matrix.zeros(this.rows, this.featureNames.length);
    for (let i = 0; i < this.rows; i++) out.data.set(this.contributions(i, k), i * out.cols);
    return out;
  }

  /** Base values and contributions summed: one row per row of X, one column per output. */
  get predictions(): Matrix {
    const K = this.outputNames.length;
    const out = Matrix.zeros(this.rows, K);
    for (let i = 0; i < this.rows; i++) out.data.set(this.#outputsOf(i), i * K);
    return out;
  }

  #outputsOf(i: number): Float64Array {
    return this.baseValues.map((base, k) => this.contributions(i, k).reduce((sum, v) => sum + v, base));
  }

  /** Mean absolute contribution per feature over all rows and outputs. */
  get importances(): Float64Array {
    const d = this.featureNames.length;
    const out = new Float64Array(d);
    for (let e = 0; e < this.#values.length; e++) out[e % d]! += Math.abs(this.#values[e]!);
    return out.map((sum) => sum / (this.#values.length / d));
  }

  /** Number of the largest output of row i. */
  largest(i = 0): number {
    return argmax(this.#outputsOf(i));
  }

  /**
   * Contributions summed over groups of features, such as the outputs of a one-hot encoder: `groupOf` returns the group of a feature's
   * name.
   */
  grouped(groupOf: (name: string) => string): Explanation {
    const groups = this.featureNames.map((name) => groupOf(name));
    const names = [...new Set(groups)];
    const places = groups.map((group) => names.indexOf(group));
    const d = this.featureNames.length;
    const values = new Float64Array((this.#values.length / d) * names.length);
    for (let e = 0; e < this.#values.length; e++)
      values[Math.floor(e / d) * names.length + places[e % d]!]! += this.#values[e]!;
    return new Explanation({ ...this, featureNames: names, values });
  }

  toString(): string {
    if (this.rows !== 1) {
      const title = `Explanation of ${this.rows} rows: mean absolute contributions to the ${this.output}`;
      return [title, ...barList(this.featureNames, this.importances)].join("\n");
    }
    const k = this.largest();
    const of =
      this.outputNames.length > 1 || this.output !== "prediction" ? ` of ${show(this.outputNames[k])}` : "";
    const sum = shortNumber(this.predictions.data[k]!);
    const title = `Explanation of the ${this.output}${of}: ${sum}, from ${shortNumber(this.baseValues[k]!)}`;
    return [title, ...barList(this.featureNames, this.contributions(0, k))].join("\n");
  }
}
