import { classifier } from "../core/capabilities.js";
import type {
  Capabilities,
  Classifier,
  FitOptions,
  MatrixLike,
  Progress,
  RestorePart,
} from "../core/contract.js";
import { ArgmaxError, DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { fitOptions, option, readOptions } from "../core/params/options.js";
import type { ParamSpec, ParamsWith, ParamValues } from "../core/params/params.js";
import { flag, integer, optional, randomState, real } from "../core/params/params.js";
import { positiveIndex, positiveLabelParam } from "../core/positive-label.js";
import type { ModelState } from "../core/state/state.js";
import type { Matrix } from "../data/matrix.js";
import { StratifiedKFold } from "../data/splitters/k-fold.js";
import { classificationSet } from "../data/training-set.js";
import { memberParam, nameOf, takesWeights } from "../ensembles/members.js";
import { trainTestSplit } from "../selection/train-test-split.js";
import { fitStages } from "./cascade-fit.js";
import type { Fitting, LabelledRows, ScoreSource } from "./cascade-scores.js";
import { foldScores, heldOutScores } from "./cascade-scores.js";
import { type CascadeStage, checkScored, checkStages, stagesParam } from "./cascade-stage.js";
import { FittedCascade, type HeldOutRows, labelledRows, readCascade } from "./fitted-cascade.js";

export const cascadeParams = {
  stages: stagesParam,
  sensitivity: real({
    above: 0,
    atMost: 1,
    default: 0.98,
    doc: "Sensitivity of the whole cascade on new rows.",
  }),
  confidence: optional(
    real({
      above: 0,
      below: 1,
      default: 0.9,
      doc: "Probability that the sensitivity is reached; null for on average.",
    }),
  ),
  positiveLabel: positiveLabelParam("The positive class, whose rows the cascade is to find."),
  cumulative: flag({
    default: true,
    doc: "Whether stages also use the columns of earlier stages, which are already paid for.",
  }),
  survivors: flag({
    default: true,
    doc: "Whether a stage is fitted to the rows that pass earlier stages, or to all rows.",
  }),
  folds: integer({
    atLeast: 2,
    default: 5,
    doc: "Folds of the cross-validated scores that thresholds are chosen on; fewer if a class is rare.",
  }),
  heldOut: optional(
    real({
      above: 0,
      below: 1,
      default: 0.3,
      doc: "Proportion of rows held out to choose thresholds on, instead of folds.",
    }),
  ),
  single: optional(
    memberParam<Classifier | null>(
      null,
      "The classifier on all columns to compare with; null for that of the last stage.",
    ),
  ),
  randomState: randomState(),
};

export interface CascadeFitOptions<L extends Label> extends FitOptions {
  /** Rows to choose thresholds on, instead of training rows. */
  readonly heldOut?: HeldOutRows<L> | undefined;
}

const isRows = (value: unknown): boolean =>
  value !== null && typeof value === "object" && "X" in value && "y" in value;

const cascadeFitOptions = {
  ...fitOptions,
  heldOut: option(
    "rows",
    "Rows to choose thresholds on, instead of training rows.",
    "labelled rows { X, y, sampleWeight? }",
    isRows,
  ),
} satisfies Record<keyof CascadeFitOptions<Label>, ParamSpec<unknown>>;

/**
 * A cascade of classifiers with feature costs. A sample that a stage classifies as negative leaves; the columns of the next stage are
 * acquired only for the others. The expected cost of a sample is Σ_s cost_s × proportion of samples that reach stage s.
 *
 * Thresholds t₁ … t_S are chosen one after the other on P positives that the models were not fitted to, each as high as allowed:
 *
 *   maximise t_s   subject to   B₁ + … + B_s ≤ (1 − max(s, r₁ r₂ … r_s)) (P + 1)
 *
 * B_s counts the positives that reach stage s and score at most t_s, the one on the threshold included; s is `sensitivity`, r_s that of
 * the stage or s^(1/S), rounded to whole positives; the last stage may use the remainder. So early stages are sensitive, later ones
 * specific, and a new positive from the same distribution passes the whole cascade with probability ≥ s, over the draw of it and of the
 * P (see `cascade-blocks.ts`). With `confidence` c, B is the largest sum for which the sensitivity of the fitted cascade is ≥ s with
 * probability c over the draw of the P.
 *
 * This is exact for held-out rows (`heldOut`, or those given to fit). With `folds`, P is the number of all positives, and the guarantee
 * is approximate: the models of the folds are fitted to one fold less than those of the stages.
 * With weights, P is (Σ w)²/Σ w² of the positives. Too few positives for any threshold are an error with `confidence`, else a warning.
 */
export class Cascade extends Estimator<typeof cascadeParams> {
  static readonly id = "Cascade";
  static readonly table = cascadeParams;
  static readonly capabilities = classifier({ multiclass: false, composite: true, form: "ensemble" });
  static readonly fitOptions = cascadeFitOptions;

  constructor(params: ParamsWith<typeof cascadeParams, { stages: readonly CascadeStage[] }>) {
    super(params);
    checkStages(this.id, this.params.stages);
    if (this.params.single) checkScored(this.id, "single", this.params.single);
  }

  /** Sample weights require that every stage takes them. */
  get capabilities(): Capabilities {
    const estimators = [...this.params.stages.map(({ estimator }) => estimator), this.#reference];
    return { ...Cascade.capabilities, sampleWeight: estimators.every(takesWeights) };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: CascadeFitOptions<L> = {}): FittedCascade<L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedCascade {
    return readCascade(state, restorePart);
  }

  get #reference(): Classifier {
    const { stages, single } = this.params;
    return single ?? stages.at(-1)!.estimator;
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: CascadeFitOptions<L>,
  ): Generator<Progress, FittedCascade<L>, void> {
    const { params } = this;
    readOptions(where, cascadeFitOptions, options);
    const weighted = options.sampleWeight !== undefined;
    if (weighted && !this.capabilities.sampleWeight) this.#refuseWeights(where);
    const set = classificationSet(where, x, y, options, { options: cascadeFitOptions }, null);
    const { classes, featureNamesIn } = set;
    if (classes.length > 2) throw notTwoClasses(where, classes.length);
    const positive = classes[positiveIndex(where, classes, params.positiveLabel)]!;
    const all: LabelledRows<L> = {
      x: set.x as Matrix,
      y: Array.from(set.codes, (k) => classes[k]!),
      weights: set.weights ?? new Float64Array(set.codes.length).fill(1),
      weighted,
    };
    const nFeatures = all.x.cols;
    requireColumns(where, params.stages, nFeatures);
    const held =
      options.heldOut && labelledRows(where, options.heldOut, classes, { nFeatures, featureNamesIn });
    const random = new Random(params.randomState);
    const fitting = { positive, next: () => random.uint32(), options };
    const source = held ? heldOutScores(all, held, fitting) : scoresFrom(where, all, params, fitting);
    const rules = { ...params, positive, reference: this.#reference };
    const learned = yield* fitStages(where, source, rules, random.split());
    return new FittedCascade({ params, classes, positive, nFeatures, featureNamesIn, ...learned });
  }

  #refuseWeights(where: string): never {
    const { stages } = this.params;
    const without = [...stages.map(({ estimator }) => estimator), this.#reference].find(
      (e) => !takesWeights(e),
    )!;
    const expected = `absent, since ${nameOf(without)} does not take weights`;
    throw new ParameterError(where, "sampleWeight", expected, "weights");
  }
}

const notTwoClasses = (where: string, found: number): DataError =>
  new DataError(where, "y", "labels of two classes", `${found} classes`);

function requireColumns(where: string, stages: readonly CascadeStage[], nFeatures: number): void {
  for (const [s, { features }] of stages.entries()) {
    const outside = features.find((j) => j >= nFeatures);
    if (outside === undefined) continue;
    const expected = `columns of X, which has ${nFeatures}`;
    throw new ShapeError(where, `stages[${s}].features`, expected, show(outside));
  }
}

/** Cross-validated scores, or scores of held-out rows; both stratified. */
function scoresFrom<L extends Label>(
  where: string,
  all: LabelledRows<L>,
  { heldOut, folds, randomState: seed }: ParamValues<typeof cascadeParams>,
  fitting: Fitting<L>,
): ScoreSource<L> {
  const labelled = ({ X, y, indices }: { X: Matrix; y: L[]; indices: Int32Array }): LabelledRows<L> => ({
    x: X,
    y,
    weights: Float64Array.from(indices, (i) => all.weights[i]!),
    weighted: all.weighted,
  });
  try {
    if (heldOut !== null) {
      const params = { testSize: heldOut, stratify: true, randomState: seed };
      const { train, test } = trainTestSplit(all.x, all.y as L[], params);
      return heldOutScores(labelled(train), labelled(test), fitting);
    }
    const positives = all.y.filter((label) => label === fitting.positive).length;
    const rarest = Math.min(positives, all.y.length - positives);
    const splitter = new StratifiedKFold({
      nSplits: Math.max(2, Math.min(folds, rarest)),
      shuffle: true,
      randomState: seed,
    });
    return foldScores(all, splitter.split(all.x, all.y), fitting);
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}
