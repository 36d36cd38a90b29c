import type { FitOptions, MatrixLike, Progress } from "../../core/contract.js";
import { Estimator, runSteps } from "../../core/estimator.js";
import { type Label, type Labels, readWeights } from "../../core/labels.js";
import { pow } from "../../core/numbers/elementary.js";
import type { Params, ParamValues } from "../../core/params/params.js";
import { choice, either, flag, integer, numbers, optional } from "../../core/params/params.js";
import { positiveLabelParam } from "../../core/positive-label.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { mapSteps } from "../../core/steps.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../../data/training-set.js";
import { classificationScorers, requirePositive, scorers } from "../../metrics/scorers.js";
import { SharedRows } from "../../solvers/shared-rows.js";
import { linearClassifier } from "../fits/capabilities.js";
import { classifierSetSteps } from "../fits/linear-fit.js";
import { type LinearState, readLinearState } from "../fitted-classifier.js";
import {
  FittedLogisticRegression,
  logisticParts,
  logisticRegressionParams,
  requireLogisticSolver,
} from "../logistic-regression.js";
import { FoldRows, firstLargest, foldsOf, foldsParam, requireCandidates } from "./cross-validation.js";
import { FittedLogisticRegressionCV } from "./fitted-logistic-regression-cv.js";
import {
  type Chosen,
  coefsOf,
  type FoldPath,
  hessianFor,
  meanState,
  packed,
  problemsOf,
  readSearch,
  rowsOf,
  stackedState,
} from "./logistic-cv-paths.js";

const { fitIntercept, classWeight, multiClass, solver, tol, maxIter } = logisticRegressionParams;

export const logisticRegressionCVParams = {
  Cs: either(
    integer({
      atLeast: 1,
      default: 10,
      doc: "The values of C to choose from, or how many between 1e-4 and 1e4, equally spaced in log C.",
    }),
    numbers({ above: 0, default: [], doc: "" }),
  ),
  cv: foldsParam("Number of folds, or how to make them; null: five stratified folds."),
  scoring: optional(
    choice(classificationScorers, {
      default: "accuracy",
      doc: "What to compare, larger is better; null: accuracy.",
    }),
  ),
  positiveLabel: positiveLabelParam('Which of two labels is "positive", for scorers that ask.'),
  refit: flag({
    default: true,
    doc: "Fit all rows with the best C; when false, the coefficients are means over the folds, each at its own best C.",
  }),
  penalty: choice(["l2", "l1", "elasticnet"], { default: "l2", doc: "Penalty on the coefficients." }),
  l1Ratios: numbers({
    atLeast: 0,
    atMost: 1,
    default: [0.5],
    doc: "The mixing parameters of the elastic net to choose from; other penalties ignore them.",
  }),
  fitIntercept,
  classWeight,
  multiClass,
  solver,
  tol,
  maxIter,
};

type Values = ParamValues<typeof logisticRegressionCVParams>;

/**
 * Logistic regression whose C, and l1Ratio of the elastic net, have the best mean score over stratified folds. The fits of a fold
 * start from each other's solution in the order of `Cs`. With multiClass "ovr" every class has its own C.
 *
 * Parity: scikit-learn's LogisticRegressionCV (lbfgs); here scores are weighted like the rows, and l1Ratios has
 * a default.
 */
export class LogisticRegressionCV extends Estimator<typeof logisticRegressionCVParams> {
  static readonly id = "LogisticRegressionCV";
  static readonly table = logisticRegressionCVParams;
  static readonly capabilities = linearClassifier({ probabilities: true, manyColumns: false });

  constructor(params: Params<typeof logisticRegressionCVParams> = {}) {
    super(params);
    requireCandidates(this.id, "Cs", strengthsOf(this.params));
    requireCandidates(this.id, "l1Ratios", this.params.l1Ratios);
    requireLogisticSolver(this.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedLogisticRegressionCV<L> {
    return runSteps(this.where("fit"), this.#learn(this.where("fit"), x, y, options), options);
  }

  static restore(state: ModelState): FittedLogisticRegressionCV {
    const own = readLinearState(state);
    const K = own.classes.length;
    return new FittedLogisticRegressionCV(
      own,
      readSearch(
        new StateReader(state),
        K === 2 ? 1 : K,
        own.coef.cols + (state.params["fitIntercept"] === false ? 0 : 1),
      ),
    );
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Progress, FittedLogisticRegressionCV<L>, void> {
    const { params } = this;
    const set = classificationSet(where, x, y, options, { sparse: true }, params.classWeight);
    const given = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
    const sampleWeight = given && Float64Array.from(set.codes, (_, i) => given[set.kept ? set.kept[i]! : i]!);
    requirePositive(where, [params.scoring], set.classes, params.positiveLabel);
    const labels = Array.from(set.codes, (k) => set.classes[k]!);
    const folds = foldsOf(where, params.cv, labels, labels);
    const problems = problemsOf(set, params.multiClass);
    const candidates = strengthsOf(params).length * ratiosOf(params).length;
    const total = problems.length * (folds.length * candidates + 1);
    let iteration = 0;
    const paths: FoldPath[][] = problems.map(() => []);
    const rows = new FoldRows(set.x);
    for (const fold of folds) {
      const [train, test] = [rows.train(fold), rows.test(fold)];
      const weights = sampleWeight && Float64Array.from(fold.test, (i) => sampleWeight[i]!);
      for (const [p, problem] of problems.entries()) {
        const held = {
          x: test,
          truth: Array.from(fold.test, (i) => problem.classes[problem.codes[i]!]!),
          weights,
        };
        const path = this.#path(where, rowsOf(problem, fold.train, train), held);
        paths[p]!.push(
          yield* mapSteps(path, (step) => ({ iteration: step ? ++iteration : iteration, total })),
        );
      }
    }
    const found: Chosen[] = [];
    for (const [p, problem] of problems.entries()) {
      found.push(yield* mapSteps(this.#choose(where, problem, paths[p]!), () => ({ iteration, total })));
      yield { iteration: ++iteration, total };
    }
    return this.#model(set, found);
  }

  /** The fits of one fold for all l1Ratios and Cs, with their scores. Yields true after each fit, false within. */
  *#path(
    where: string,
    train: ClassificationSet<Label>,
    test: { readonly x: Design; readonly truth: Label[]; readonly weights: Float64Array | undefined },
  ): Generator<boolean, FoldPath, void> {
    const scorer = scorers[this.params.scoring ?? "accuracy"];
    // One class against the rest is positive where it is true.
    const positiveLabel =
      typeof train.classes[0] === "boolean" ? undefined : (this.params.positiveLabel ?? undefined);
    const states: LinearState<Label>[] = [];
    const scores: number[] = [];
    const shared = new SharedRows(train.x);
    try {
      for (const l1Ratio of ratiosOf(this.params)) {
        let start: Float64Array | undefined;
        for (const C of strengthsOf(this.params)) {
          const fit = this.#fit(where, train, { C, l1Ratio }, start, shared);
          const state = yield* mapSteps(fit, () => false);
          start = packed(state);
          states.push(state);
          const model = new FittedLogisticRegression(state);
          scores.push(scorer(model, test.x, test.truth, { sampleWeight: test.weights, positiveLabel }));
          yield true;
        }
      }
      return { states, scores: Float64Array.from(scores), rows: train.x.rows, hessian: shared.hessian };
    } finally {
      shared.close();
    }
  }

  *#choose(
    where: string,
    problem: ClassificationSet<Label>,
    folds: readonly FoldPath[],
  ): Generator<Progress, Chosen, void> {
    const { refit } = this.params;
    const Cs = strengthsOf(this.params);
    const ratios = ratiosOf(this.params);
    const scores = Matrix.zeros(folds.length, Cs.length * ratios.length);
    for (const [f, fold] of folds.entries()) scores.row(f).set(fold.scores);
    const sums = folds[0]!.scores.map((_, e) => folds.reduce((sum, fold) => sum + fold.scores[e]!, 0));
    const best = folds.map((fold) => firstLargest(refit ? sums : fold.scores));
    const means = meanState(folds.map(({ states }, f) => states[best[f]!]!));
    const mean = (of: (e: number) => number) => best.reduce((sum, e) => sum + of(e) / best.length, 0);
    if (!refit) {
      const C = mean((e) => Cs[e % Cs.length]!);
      const l1Ratio = mean((e) => ratios[Math.floor(e / Cs.length)]!);
      return { state: means, scores, C, l1Ratio, folds };
    }
    const C = Cs[best[0]! % Cs.length]!;
    const l1Ratio = ratios[Math.floor(best[0]! / Cs.length)]!;
    const shared = new SharedRows(problem.x, hessianFor(problem.x.rows, folds.at(-1)!));
    try {
      const state = yield* this.#fit(where, problem, { C, l1Ratio }, packed(means), shared);
      return { state, scores, C, l1Ratio, folds };
    } finally {
      shared.close();
    }
  }

  #fit(
    where: string,
    set: ClassificationSet<Label>,
    strength: { readonly C: number; readonly l1Ratio: number },
    start: Float64Array | undefined,
    shared: SharedRows,
  ): Generator<Progress, LinearState<Label>, void> {
    const parts = logisticParts({ ...this.params, ...strength }, set.x, set.classes.length);
    return classifierSetSteps(where, this, { ...parts, start, shared }, set, (state) => state);
  }

  #model<L extends Label>(
    set: ClassificationSet<L>,
    found: readonly Chosen[],
  ): FittedLogisticRegressionCV<L> {
    const { id, params } = this;
    const { classes, featureNamesIn } = set;
    const K = classes.length;
    const each = K > 2 && params.multiClass === "ovr";
    const state: LinearState<L> = {
      ...(each ? stackedState(found.map((one) => one.state)) : found[0]!.state),
      id,
      params,
      classes,
      featureNamesIn,
      link: each ? "ovr" : found[0]!.state.link,
    };
    // With softmax, all classes share one search, which scikit-learn lists once per class.
    const perClass = K > 2 && !each ? classes.map(() => found[0]!) : found;
    return new FittedLogisticRegressionCV(state, {
      Cs: Float64Array.from(strengthsOf(params)),
      C: Float64Array.from(perClass, ({ C }) => C),
      l1Ratio:
        params.penalty === "elasticnet" ? Float64Array.from(perClass, (one) => one.l1Ratio) : undefined,
      scores: perClass.map(({ scores }) => scores),
      coefsPaths: perClass.map(({ folds }, k) => coefsOf(folds, each ? 0 : k, params.fitIntercept)),
    });
  }
}

function strengthsOf({ Cs }: Values): readonly number[] {
  if (typeof Cs !== "number") return Cs;
  if (Cs === 1) return [1e-4];
  return Array.from({ length: Cs }, (_, c) => pow(10, -4 + (8 * c) / (Cs - 1)));
}

const ratiosOf = ({ penalty, l1Ratios }: Values): readonly number[] =>
  penalty === "elasticnet" ? l1Ratios : [l1Ratios[0]!];
