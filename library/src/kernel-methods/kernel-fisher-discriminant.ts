import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ArgmaxError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { checkPriors, priorsParam } from "../core/numbers/priors.js";
import { beginFit } from "../core/params/options.js";
import { classWeight, integer, optional, type Params, real } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { type ClassifierStructure, type Structure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import {
  type FittedLinearDiscriminantAnalysis,
  LinearDiscriminantAnalysis,
} from "../discriminant/linear-discriminant-analysis.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { featureMap } from "./feature-map.js";
import {
  columns,
  FittedProbabilisticKernelClassifier,
  type KernelClassifierState,
  readKernelClassifier,
} from "./fitted-kernel-classifier.js";
import { kernelClassificationSet, kernelClassifier } from "./kernel-classification-set.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const kernelFisherDiscriminantParams = {
  ...kernelParams,
  shrinkage: real({
    atLeast: 0,
    atMost: 1,
    default: 0.1,
    doc: "Shrinkage of the within-class covariance towards a multiple of the identity, 0 to 1.",
  }),
  priors: priorsParam,
  nComponents: optional(
    integer({ atLeast: 1, default: 1, doc: "Number of axes that transform returns; null for classes − 1." }),
  ),
  classWeight: classWeight(),
};

/** Relative trace of the kernel matrix that its factorisation may omit: rounding. */
const TOL = 1e-12;

/**
 * Fisher's discriminant in the feature space of a kernel: axes v = Σ cₜ φ(xₜ) with the largest ratio of between-class to within-class
 * variance,
 *
 *   maximise over v:   (v·Σ_B v) / (v·Σ_W v),      Σ_W = Σ πₖ ((1 − s) Σₖ + s tr(Σₖ)/r · I)
 *
 * and classes as Gaussians with covariance Σ_W. It is LinearDiscriminantAnalysis on the r columns of KernelMap. Without shrinkage s,
 * directions without within-class variance are left out, as by its solver "svd".
 * With the linear kernel and independent columns it is LinearDiscriminantAnalysis [Mika et al. 1999].
 */
export class KernelFisherDiscriminant extends Estimator<typeof kernelFisherDiscriminantParams> {
  static readonly id = "KernelFisherDiscriminant";
  static readonly table = kernelFisherDiscriminantParams;
  static readonly capabilities = kernelClassifier({ probabilities: true, transforms: true });

  constructor(params: Params<typeof kernelFisherDiscriminantParams> = {}) {
    super(params);
    const { id } = KernelFisherDiscriminant;
    requirePositiveDefinite(id, kernelOf(id, this.params));
    checkPriors(id, this.params.priors);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedKernelFisherDiscriminant<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const { params } = this;
    const { shrinkage, priors, nComponents } = params;
    const kernel = kernelOf(this.id, params);
    const { set, training } = kernelClassificationSet(where, kernel, x, y, options, params.classWeight);
    const found = pivotedFeatures(where, training, TOL);
    const linear = new LinearDiscriminantAnalysis({
      ...(shrinkage > 0 ? { solver: "lsqr", shrinkage } : { solver: "svd" }),
      priors,
      nComponents,
    });
    const learned = inside(where, () => linear.fit(found.features, set.codes, { sampleWeight: set.weights }));
    const { w, offsets } = outputsOf(learned, shrinkage === 0);
    return new FittedKernelFisherDiscriminant(
      {
        id: this.id,
        params,
        classes: set.classes,
        expansion: featureMap(training, found).expansion(w, offsets),
      },
      learned.explainedVarianceRatio,
    );
  }

  static restore(state: ModelState): FittedKernelFisherDiscriminant {
    const ratio = new StateReader(state).finite("explainedVarianceRatio", [-1]);
    return new FittedKernelFisherDiscriminant(readKernelClassifier(state, ratio.length), ratio);
  }
}

/** Errors of the linear method name this estimator. */
function inside<R>(where: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}

/** The weights of the scores, then those of the axes, one per row. */
function outputsOf(
  { coef, intercept, scalings, means, xbar }: FittedLinearDiscriminantAnalysis<number>,
  centred: boolean,
): { w: Matrix; offsets: Float64Array } {
  const { rows: d, cols: axes } = scalings;
  const w = Matrix.zeros(coef.rows + axes, d);
  w.data.set(coef.data);
  const offsets = new Float64Array(w.rows);
  offsets.set(intercept);
  for (let a = 0; a < axes; a++) {
    const axis = Float64Array.from({ length: d }, (_, j) => scalings.data[j * axes + a]!);
    const along = (v: Float64Array) => axis.reduce((sum, value, j) => sum + value * v[j]!, 0);
    const centre = along(xbar);
    const places = Float64Array.from({ length: means.rows }, (_, k) => along(means.row(k)) - centre);
    const sign = signOf(places);
    w.data.set(
      axis.map((value) => sign * value),
      (coef.rows + a) * d,
    );
    if (centred) offsets[coef.rows + a] = -sign * centre;
  }
  return { w, offsets };
}

/** Class means closer to the centre than this fraction of the furthest one do not determine a sign. */
const NEAR = 1e-6;

/** The sign of an axis is arbitrary: chosen so that the last class lies on the positive side. */
function signOf(places: Float64Array): number {
  const furthest = places.reduce((most, p) => Math.max(most, Math.abs(p)), 0);
  const last = places.findLast((p) => Math.abs(p) > NEAR * furthest);
  return last !== undefined && last < 0 ? -1 : 1;
}

export class FittedKernelFisherDiscriminant<
  L extends Label = Label,
> extends FittedProbabilisticKernelClassifier<L> {
  constructor(
    state: KernelClassifierState<L>,
    /** Fraction of the between-class variance that each axis explains. */
    readonly explainedVarianceRatio: Float64Array,
  ) {
    super(state);
  }

  override [structure](): Structure {
    const transform = [{ kind: "project" as const, scores: this.expansion.described(this.outputs) }];
    return { ...(super[structure]() as ClassifierStructure), transform };
  }

  /** Projects rows onto the discriminant axes, best axis first. */
  transform(x: MatrixLike): Matrix {
    const all = this.expansion.scores(`${this.id}.transform`, x);
    return columns(all, this.outputs, all.cols);
  }

  protected override learned(): Learned {
    return { ...super.learned(), explainedVarianceRatio: this.explainedVarianceRatio };
  }
}
