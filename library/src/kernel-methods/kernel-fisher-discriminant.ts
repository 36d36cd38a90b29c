import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { ArgmaxError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { beginFit } from "../core/options.js";
import { classWeight, integer, optional, type Params, real } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import {
  type FittedLinearDiscriminantAnalysis,
  LinearDiscriminantAnalysis,
} from "../discriminant/linear-discriminant-analysis.js";
import { checkPriors, priorsParam } from "../discriminant/priors.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { featureMap } from "./feature-map.js";
import {
  columns,
  FittedProbabilisticKernelClassifier,
  type KernelClassifierState,
  readKernelClassifier,
} from "./fitted-kernel-classifier.js";
import { kernelClasses, kernelClassifierCapabilities } from "./kernel-classes.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const kernelFisherDiscriminantParams = {
  ...kernelParams,
  shrinkage: real({
    atLeast: 0,
    atMost: 1,
    default: 0.1,
    doc: "Pull of the covariance within classes towards a multiple of the identity.",
  }),
  priors: priorsParam,
  nComponents: optional(
    integer({ atLeast: 1, default: 1, doc: "Axes that `transform` keeps; null for classes − 1." }),
  ),
  classWeight: classWeight(),
};

/** What the kernel matrix may lose of its trace: rounding. */
const TOL = 1e-12;

/**
 * Fisher's discriminant in the space of a kernel: axes v = Σ cₜ φ(xₜ) along which class means lie apart and classes are narrow,
 *
 *   maximise over v:   (v·Σ_B v) / (v·Σ_W v),      Σ_W = Σ πₖ ((1 − s) Σₖ + s tr(Σₖ)/r · I)
 *
 * and the classes as Gaussians with that Σ_W. It is LinearDiscriminantAnalysis on the r columns of KernelMap; without shrinkage s
 * classes that the kernel separates have no width left, and directions without any are left out, as its solver "svd" does.
 * With the linear kernel and independent columns it is LinearDiscriminantAnalysis [Mika et al. 1999].
 */
export class KernelFisherDiscriminant extends Estimator<typeof kernelFisherDiscriminantParams> {
  static readonly id = "KernelFisherDiscriminant";
  static readonly table = kernelFisherDiscriminantParams;
  static readonly capabilities: Capabilities = {
    ...kernelClassifierCapabilities,
    probabilities: true,
    transforms: true,
  };

  constructor(params: Params<typeof kernelFisherDiscriminantParams> = {}) {
    super(KernelFisherDiscriminant.id, kernelFisherDiscriminantParams, params);
    const { id } = KernelFisherDiscriminant;
    requirePositiveDefinite(id, kernelOf(id, this.params));
    checkPriors(id, this.params.priors);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedKernelFisherDiscriminant<L> {
    const where = "KernelFisherDiscriminant.fit";
    beginFit(where, options);
    const { params } = this;
    const { shrinkage, priors, nComponents } = params;
    const kernel = kernelOf(this.id, params);
    const { set, learning } = kernelClasses(where, kernel, x, y, options, params.classWeight);
    const found = pivotedFeatures(where, learning, kernel, TOL);
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
        expansion: featureMap(learning, found).expansion(w, offsets),
      },
      learned.explainedVarianceRatio,
    );
  }

  static restore(state: ModelState): FittedKernelFisherDiscriminant {
    const reader = new StateReader(state);
    const ratio = reader.floats("explainedVarianceRatio", [-1]);
    if (!ratio.every(Number.isFinite)) reader.fail("explainedVarianceRatio", "finite", "±∞");
    return new FittedKernelFisherDiscriminant(readKernelClassifier(state, ratio.length), ratio);
  }
}

/** A complaint of the linear method says whose it is. */
function inside<R>(where: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}

/** Margins and axes, one below the other. */
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

/** Class means this much nearer to the centre than the furthest one do not tell a side. */
const NEAR = 1e-6;

/** Nothing determines an axis's sign, and its entries depend on the order of rows: the last class lies on the positive side. */
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
    /** Share of the variance between classes that each axis explains. */
    readonly explainedVarianceRatio: Float64Array,
  ) {
    super(state);
  }

  /** Rows on the discriminant axes, best axis first. */
  transform(x: MatrixLike): Matrix {
    const all = this.state.expansion.scores(`${this.state.id}.transform`, x);
    return columns(all, this.outputs, all.cols);
  }

  override toState(): ModelState {
    const { tensors, ...rest } = super.toState();
    const data = this.explainedVarianceRatio;
    return { ...rest, tensors: { ...tensors, explainedVarianceRatio: { shape: [data.length], data } } };
  }
}
