import type { FittedProbabilisticClassifier, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import { classWeight, type Params } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { openTable } from "../data/table/table-columns.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { type ResumeOptions, requireSameClasses } from "../ensembles/resume.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { treeClassifier } from "../trees/decision-tree-classifier.js";
import { classCriterion, treeRows } from "../trees/growth.js";
import { classCriteria } from "../trees/impurities.js";
import type { ForestDefaults, ForestState, Splitter } from "./forest.js";
import { checkForest, FittedForest, forestParams, forestSteps, readForest } from "./forest.js";
import { forestFitOptions, resumedTrees } from "./resumed-trees.js";
import { forestSpace } from "./search-space.js";

/** The params table of forest classifiers. */
export function forestClassifierParams(defaults: ForestDefaults) {
  const shared = forestParams(defaults);
  return {
    criterion: classCriterion,
    ...shared,
    maxFeatures: { ...shared.maxFeatures, default: "sqrt" as const },
    classWeight: classWeight(),
  };
}
type ForestClassifierTable = ReturnType<typeof forestClassifierParams>;

/** What a forest classifier has learned. */
export interface ForestClassifierState<L extends Label> {
  readonly state: ForestState;
  readonly classes: readonly L[];
}

/** The fit of forest classifiers, which differ in their splitter, their defaults and the class of their models. */
export abstract class ForestClassifier extends Estimator<ForestClassifierTable> {
  static readonly capabilities = treeClassifier({ step: "tree", form: "ensemble" });
  static readonly searchSpace = forestSpace;
  static readonly fitOptions = forestFitOptions;

  constructor(params: Params<ForestClassifierTable> = {}) {
    super(params);
    checkForest(this.id, this.params);
  }

  protected fitForest<L extends Label, M>(
    splitter: Splitter,
    Model: new (forest: ForestClassifierState<L>) => M,
    x: MatrixLike,
    y: Labels<L>,
    options: ResumeOptions<FittedForestClassifier<L>>,
  ): M {
    return runSteps(this.where("fit"), this.growForest("fit", splitter, Model, x, y, options), options);
  }

  /** The fit, tree by tree. */
  protected *growForest<L extends Label, M>(
    call: "fit" | "steps",
    splitter: Splitter,
    Model: new (forest: ForestClassifierState<L>) => M,
    x: MatrixLike,
    y: Labels<L>,
    options: ResumeOptions<FittedForestClassifier<L>>,
  ): Steps<M> {
    const { id, params } = this;
    const where = this.where(call);
    const opened = openTable(where, x);
    const rules = { sparse: true, missing: true, options: forestFitOptions };
    const set = classificationSet(where, opened.x, y, options, rules, params.classWeight);
    const { codes, classes, weights } = set;
    const rows = treeRows(where, set.x, opened, params.categoricalFeatures);
    if (options.resume) requireSameClasses(where, options.resume.classes, classes);
    const task = {
      id,
      where,
      params,
      splitter,
      criterion: classCriteria[params.criterion],
      rows,
      ...resumedTrees({ id, where, params, rows }, options.resume, classes.length),
      targets: { codes, classes: classes.length },
      weights,
      uncentred: (proportion: number) => proportion,
      score: (proportions: Float64Array) => outOfBagAccuracy(proportions, set),
    };
    return yield* forestSteps(task, (state) => new Model({ state, classes }));
  }
}

/** Accuracy over the rows that at least one tree has not drawn; undefined if there is none. */
function outOfBagAccuracy<L extends Label>(
  proportions: Float64Array,
  { codes, classes, weights }: ClassificationSet<L>,
): number | undefined {
  const K = classes.length;
  let right = 0;
  let all = 0;
  for (let i = 0; i < codes.length; i++) {
    if (Number.isNaN(proportions[i * K]!)) continue;
    const w = weights ? weights[i]! : 1;
    all += w;
    if (argmax(proportions, i * K, K) === codes[i]) right += w;
  }
  return all > 0 ? right / all : undefined;
}

/** The inverse of `FittedForestClassifier.toState`. */
export function readForestClassifier(state: ModelState): ForestClassifierState<Label> {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  return { state: readForest(reader, classes.length), classes };
}

export class FittedForestClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedForest)<L>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];

  constructor({ state, classes }: ForestClassifierState<L>) {
    super(state);
    this.classes = classes;
  }

  /** Class probabilities: the mean over the trees of the class proportions in each row's leaf. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const means = this.means(where, x);
    const K = this.classes.length;
    return new Matrix(means, means.length / K, K);
  }

  toState(): ModelState {
    return this.stateWith({ classes: [...this.classes] });
  }
}
