import type {
  Capabilities,
  FitOptions,
  FittedClassifier,
  FittedModel,
  FittedRegressor,
  MatrixLike,
  ScoreOptions,
} from "../../src/core/contract.js";
import { describeParams, Estimator } from "../../src/core/estimator.js";
import type { Label, Labels, NumberArray } from "../../src/core/labels.js";
import { encodeLabels, readTargets, readWeights } from "../../src/core/labels.js";
import { type ParamValues, real } from "../../src/core/params/params.js";
import { type ModelState, StateReader } from "../../src/core/state/state.js";
import { readMatrix } from "../../src/data/input.js";
import { Matrix } from "../../src/data/matrix.js";
import { accuracyScore, r2Score } from "../../src/metrics/index.js";

/** The simplest real classifier and regressor, so that pipelines and selection are tested without any family. */

const nearestMeanParams = {
  shrink: real({ atLeast: 0, below: 1, default: 0, doc: "Pull class means to the origin." }),
};

const capabilities: Capabilities = {
  task: "classification",
  sparse: false,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: true,
  sampleWeight: true,
  partialFit: false,
};

export class NearestMean extends Estimator<typeof nearestMeanParams> {
  static readonly id = "NearestMean";
  static readonly table = nearestMeanParams;
  static readonly capabilities = capabilities;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedNearestMean<L> {
    const matrix = readMatrix("NearestMean.fit", x, {});
    const { classes, codes } = encodeLabels("NearestMean.fit", y, matrix.rows);
    const weights = readWeights("NearestMean.fit", options.sampleWeight, matrix.rows);
    const means = Matrix.zeros(classes.length, matrix.cols);
    const totals = new Float64Array(classes.length);
    for (let i = 0; i < matrix.rows; i++) {
      const weight = weights?.[i] ?? 1;
      totals[codes[i]!]! += weight;
      for (let j = 0; j < matrix.cols; j++) means.row(codes[i]!)[j]! += weight * matrix.at(i, j);
    }
    for (let k = 0; k < classes.length; k++) {
      for (let j = 0; j < matrix.cols; j++) means.row(k)[j]! *= (1 - this.params.shrink) / totals[k]!;
    }
    return new FittedNearestMean(this.params, classes, means);
  }

  static restore(state: ModelState): FittedNearestMean<Label> {
    const reader = new StateReader(state);
    const classes = reader.labels("classes");
    const means = reader.floats("means", [classes.length, -1]);
    return new FittedNearestMean(
      { shrink: 0 },
      classes,
      new Matrix(means, classes.length, means.length / classes.length),
    );
  }
}

export class FittedNearestMean<L extends Label> implements FittedClassifier<L> {
  constructor(
    readonly params: ParamValues<typeof nearestMeanParams>,
    readonly classes: readonly L[],
    readonly means: Matrix,
  ) {}

  get nFeatures(): number {
    return this.means.cols;
  }

  decisionFunction(x: MatrixLike): Matrix {
    const matrix = readMatrix("FittedNearestMean.decisionFunction", x, { cols: this.nFeatures });
    const out = Matrix.zeros(matrix.rows, this.classes.length);
    for (let i = 0; i < matrix.rows; i++) {
      for (let k = 0; k < this.classes.length; k++) {
        for (let j = 0; j < matrix.cols; j++) out.row(i)[k]! -= (matrix.at(i, j) - this.means.at(k, j)) ** 2;
      }
    }
    return out;
  }

  predict(x: MatrixLike, options: { readonly furthest?: boolean } = {}): L[] {
    const scores = this.decisionFunction(x);
    const best = options.furthest ? Math.min : Math.max;
    return Array.from(
      { length: scores.rows },
      (_, i) => this.classes[scores.row(i).indexOf(best(...scores.row(i)))]!,
    );
  }

  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { rows, cols, data } = this.means;
    return {
      kind: NearestMean.id,
      params: describeParams(this.params),
      values: { classes: this.classes },
      tensors: { means: { shape: [rows, cols], data } },
    };
  }
}

/** Predicts the mean of y. Takes no weights. */
export class MeanRegressor extends Estimator<Record<never, never>> {
  static readonly id = "MeanRegressor";
  static readonly table = {};
  static readonly capabilities: Capabilities = { ...capabilities, task: "regression", sampleWeight: false };

  fit(x: MatrixLike, y: NumberArray): FittedRegressor & { readonly mean: number } {
    const { rows, cols } = readMatrix("MeanRegressor.fit", x, {});
    const targets = readTargets("MeanRegressor.fit", y, rows);
    const mean = targets.reduce((sum, value) => sum + value, 0) / rows;
    const predict = (z: MatrixLike) => new Float64Array(readMatrix("predict", z, { cols }).rows).fill(mean);
    return {
      mean,
      nFeatures: cols,
      predict,
      score: (z, t, options) => r2Score(t, predict(z), options),
      toState: () => ({ kind: MeanRegressor.id, params: {}, values: { mean, cols }, tensors: {} }),
    };
  }

  static restore(): FittedModel {
    throw new Error("not needed by any test");
  }
}
