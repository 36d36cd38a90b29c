import type { MatrixLike } from "../core/contract.js";
import { exp } from "../core/numbers/elementary.js";
import { readReport, reportJson } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { withRegression } from "../fitted/regressor.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { LinearModel, type LinearModelState } from "./linear-model.js";

export interface RegressorState extends LinearModelState {
  readonly coef: Float64Array;
  readonly intercept: number;
  /** "log": the prediction is e^(w·x + b). */
  readonly link: "identity" | "log";
  /** Further fitted numbers, by name. */
  readonly extra?: Readonly<Record<string, number>>;
}

/** A fitted linear regressor: ŷ = w·x + b, or e^(w·x + b) for counts. */
export class FittedLinearRegressor extends /* @__PURE__ */ withRegression(LinearModel<RegressorState>) {
  get nFeatures(): number {
    return this.coef.length;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const design = readMatrix(where, x, { like: this, sparse: true });
    const z = linearScores(where, design, this.coef, Float64Array.of(this.intercept)).data;
    return this.state.link === "log" ? z.map(exp) : z;
  }

  [structure](): Structure {
    const { coef: data, intercept, state } = this;
    const coef = { data, rows: 1, cols: data.length };
    return regressorStructure(
      this,
      { kind: "linear", coef, intercept: Float64Array.of(intercept) },
      { link: state.link === "log" ? "exp" : "identity" },
    );
  }

  protected learned(): Learned {
    const { coef, intercept, report, link, extra = {} } = this.state;
    return { intercept, report: reportJson(report), link, extra, coef };
  }
}

const isLink = (value: unknown): value is "identity" | "log" => value === "identity" || value === "log";
const isExtra = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === "object" && value !== null && Object.values(value).every((v) => typeof v === "number");

export function readRegressorState(state: ModelState): RegressorState {
  const reader = new StateReader(state);
  const coef = reader.floats("coef", [-1]);
  if (coef.length === 0) reader.fail("coef", "of one column or more", "none");
  const intercept = reader.number("intercept");
  if (!coef.every(Number.isFinite) || !Number.isFinite(intercept)) reader.fail("coef", "finite", "±∞");
  const link = reader.value("link", "a link", isLink);
  const extra = reader.value("extra", "numbers by name", isExtra);
  const featureNamesIn = readFeatureNames(reader, coef.length);
  const report = readReport(reader);
  return { id: state.kind, params: state.params, coef, intercept, report, link, extra, featureNamesIn };
}
