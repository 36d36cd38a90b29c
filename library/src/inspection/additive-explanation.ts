import type { DenseLike, MatrixLike } from "../core/contract.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import type { InspectedRows } from "./inspected-rows.js";
import { columnMeans } from "./kernel-shap.js";
import { MixedRows } from "./mixed-rows.js";
import type { AnyModel } from "./outputs.js";
import type { ShapValues } from "./shap-values.js";

/** Naive Bayes: log P(x, y = k) = log P(y = k) + Σⱼ log P(x_j | y = k). */
export interface NaiveBayesModel extends AnyModel {
  logLikelihood(x: MatrixLike): DenseLike;
  predictJointLogProba(x: MatrixLike): DenseLike;
}

export const isNaiveBayes = (model: AnyModel): model is NaiveBayesModel =>
  "predictJointLogProba" in model && "logLikelihood" in model;

/**
 * φ_kj = log P(x_j | k) − its mean over the background: exact, since the sum is additive. Terms are read off the model as differences to
 * one row of the background in which feature j alone is changed.
 */
export function explainNaiveBayes(
  where: string,
  model: NaiveBayesModel,
  x: InspectedRows,
  background: InspectedRows,
): ShapValues {
  const K = model.classes!.length;
  const d = x.cols;
  const read = (y: DenseLike): Matrix => readMatrix(where, y, { missing: true });
  const reference = firstRow(background);
  const start = read(model.logLikelihood(reference.x)).data;
  const sets = Array.from({ length: d }, (_, j) =>
    Uint8Array.from({ length: d }, (_, other) => (other === j ? 1 : 0)),
  );
  /** Terms of row i less those of the reference: K numbers per feature. */
  const termsOf = (rows: MixedRows, i: number): Float64Array =>
    read(model.logLikelihood(rows.mixed(i, sets))).data.map((value, e) => value - start[e % K]!);
  const means = new Float64Array(d * K);
  const ofBackground = new MixedRows(where, background, reference);
  for (let b = 0; b < background.rows; b++) {
    const terms = termsOf(ofBackground, b);
    for (let e = 0; e < means.length; e++) means[e]! += terms[e]! / background.rows;
  }
  const values = new Float64Array(x.rows * K * d);
  const ofRows = new MixedRows(where, x, reference);
  for (let i = 0; i < x.rows; i++) {
    const terms = termsOf(ofRows, i);
    for (let j = 0; j < d; j++)
      for (let k = 0; k < K; k++) values[(i * K + k) * d + j] = terms[j * K + k]! - means[j * K + k]!;
  }
  return { baseValues: columnMeans(read(model.predictJointLogProba(background.x)).data, K), values };
}

function firstRow(rows: InspectedRows): InspectedRows {
  return rows.chosen(Int32Array.of(0));
}
