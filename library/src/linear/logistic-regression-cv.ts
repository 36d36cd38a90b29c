import type { Capabilities, FitOptions, MatrixLike, Progress } from "../core/contract.js";
import { pow } from "../core/elementary.js";
import { Estimator, runSteps } from "../core/estimator.js";
import { type Label, type Labels, readWeights } from "../core/labels.js";
import {
  choice,
  either,
  flag,
  integer,
  numbers,
  optional,
  type Params,
  type ParamValues,
} from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { Matrix } from "../data/matrix.js";
import type { Fold } from "../data/splitters.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { scorers } from "../metrics/scorers.js";
import { linearClassifierCapabilities } from "./capabilities.js";
import { firstLargest, foldsOf, foldsParam, requireCandidates } from "./cross-validation.js";
import { type LinearState, readLinearState } from "./fitted-classifier.js";
import { classifierSetSteps } from "./linear-fit.js";
import {
  FittedLogisticRegression,
  logisticParts,
  logisticRegressionParams,
  requireLogisticSolver,
} from "./logistic-regression.js";

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
    choice(
      [
        "accuracy",
        "balancedAccuracy",
        "precision",
        "precisionMacro",
        "recall",
        "recallMacro",
        "f1",
        "f1Macro",
        "f1Weighted",
        "negLogLoss",
      ],
      { default: "accuracy", doc: "What to compare, larger is better; null: accuracy." },
    ),
  ),
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
 * Parity: scikit-learn's LogisticRegressionCV (lbfgs), without coefs_paths_; here scores are weighted like the rows, and l1Ratios has
 * a default.
 */
export class LogisticRegressionCV extends Estimator<typeof logisticRegressionCVParams> {
  static readonly id = "LogisticRegressionCV";
  static readonly table = logisticRegressionCVParams;
  static readonly capabilities: Capabilities = { ...linearClassifierCapabilities, probabilities: true };

  constructor(params: Params<typeof logisticRegressionCVParams> = {}) {
    super(LogisticRegressionCV.id, logisticRegressionCVParams, params);
    requireCandidates(LogisticRegressionCV.id, "Cs", strengthsOf(this.params));
    requireCandidates(LogisticRegressionCV.id, "l1Ratios", this.params.l1Ratios);
    requireLogisticSolver(LogisticRegressionCV.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedLogisticRegressionCV<L> {
    return runSteps(
      "LogisticRegressionCV.fit",
      this.#learn("LogisticRegressionCV.fit", x, y, options),
      options,
    );
  }

  static restore(state: ModelState): FittedLogisticRegressionCV {
    const own = readLinearState(state);
    const K = own.classes.length;
    return new FittedLogisticRegressionCV(own, readSearch(new StateReader(state), K === 2 ? 1 : K));
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
    const labels = Array.from(set.codes, (k) => set.classes[k]!);
    const folds = foldsOf(where, params.cv, labels, labels);
    const problems = problemsOf(set, params.multiClass);
    const total = problems.length * (folds.length + 1);
    const found: Chosen[] = [];
    for (const [p, problem] of problems.entries()) {
      const scored: FoldPath[] = [];
      for (const [f, fold] of folds.entries()) {
        const iteration = p * (folds.length + 1) + f;
        const path = this.#path(where, problem, fold, sampleWeight);
        scored.push(yield* mapSteps(path, () => ({ iteration, total })));
      }
      const iteration = (p + 1) * (folds.length + 1);
      found.push(yield* mapSteps(this.#choose(where, problem, scored), () => ({ iteration, total })));
    }
    return this.#model(set, found);
  }

  /** The fits of one fold for all l1Ratios and Cs, with their scores. */
  *#path(
    where: string,
    problem: ClassificationSet<Label>,
    fold: Fold,
    sampleWeight: Float64Array | undefined,
  ): Generator<Progress, FoldPath, void> {
    const train = rowsOf(problem, fold.train);
    const test = rowsOf(problem, fold.test);
    const truth = Array.from(test.codes, (k) => problem.classes[k]!);
    const weights = sampleWeight && Float64Array.from(fold.test, (i) => sampleWeight[i]!);
    const scorer = scorers[this.params.scoring ?? "accuracy"];
    const states: LinearState<Label>[] = [];
    const scores: number[] = [];
    for (const l1Ratio of ratiosOf(this.params)) {
      let start: Float64Array | undefined;
      for (const C of strengthsOf(this.params)) {
        const state = yield* this.#fit(where, train, { C, l1Ratio }, start);
        start = packed(state);
        states.push(state);
        scores.push(scorer(new FittedLogisticRegression(state), test.x, truth, { sampleWeight: weights }));
      }
    }
    return { states, scores: Float64Array.from(scores) };
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
      return { state: means, scores, C, l1Ratio };
    }
    const C = Cs[best[0]! % Cs.length]!;
    const l1Ratio = ratios[Math.floor(best[0]! / Cs.length)]!;
    const state = yield* this.#fit(where, problem, { C, l1Ratio }, packed(means));
    return { state, scores, C, l1Ratio };
  }

  #fit(
    where: string,
    set: ClassificationSet<Label>,
    strength: { readonly C: number; readonly l1Ratio: number },
    start: Float64Array | undefined,
  ): Generator<Progress, LinearState<Label>, void> {
    const parts = logisticParts({ ...this.params, ...strength }, set.x, set.classes.length);
    return classifierSetSteps(where, this, { ...parts, start }, set, (state) => state);
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
    });
  }
}

/** One fold: a fit and a score per l1Ratio and C, the Cs of an l1Ratio next to each other. */
interface FoldPath {
  readonly states: readonly LinearState<Label>[];
  readonly scores: Float64Array;
}

interface Chosen {
  readonly state: LinearState<Label>;
  readonly scores: Matrix;
  readonly C: number;
  readonly l1Ratio: number;
}

function strengthsOf({ Cs }: Values): readonly number[] {
  if (typeof Cs !== "number") return Cs;
  if (Cs === 1) return [1e-4];
  return Array.from({ length: Cs }, (_, c) => pow(10, -4 + (8 * c) / (Cs - 1)));
}

const ratiosOf = ({ penalty, l1Ratios }: Values): readonly number[] =>
  penalty === "elasticnet" ? l1Ratios : [l1Ratios[0]!];

/** One problem, or with "ovr" one per class: that class (true) against the rest. */
function problemsOf(
  set: ClassificationSet<Label>,
  multiClass: "multinomial" | "ovr",
): ClassificationSet<Label>[] {
  if (set.classes.length === 2 || multiClass === "multinomial") return [set];
  return set.classes.map((_, k) => ({
    ...set,
    classes: [false, true],
    codes: set.codes.map((code) => (code === k ? 1 : 0)),
  }));
}

function rowsOf(set: ClassificationSet<Label>, rows: ArrayLike<number>): ClassificationSet<Label> {
  const list = Int32Array.from(rows);
  const { x, codes, weights } = set;
  return {
    ...set,
    x: x.selectRows(list),
    codes: list.map((i) => codes[i]!),
    weights: weights && Float64Array.from(list, (i) => weights[i]!),
  };
}

/** [w, b] per output. */
function packed({ coef, intercept }: LinearState<Label>): Float64Array {
  const theta = new Float64Array(coef.data.length + intercept.length);
  for (let k = 0; k < coef.rows; k++) {
    theta.set(coef.row(k), k * (coef.cols + 1));
    theta[k * (coef.cols + 1) + coef.cols] = intercept[k]!;
  }
  return theta;
}

const MEANS = "refit is false: the coefficients are means over the folds, which minimise no objective.";

/** Means of the coefficients. */
function meanState(states: readonly LinearState<Label>[]): LinearState<Label> {
  const mean = (of: (state: LinearState<Label>) => Float64Array) =>
    of(states[0]!).map((_, e) => states.reduce((sum, state) => sum + of(state)[e]! / states.length, 0));
  const { coef, report } = states[0]!;
  return {
    ...states[0]!,
    coef: new Matrix(
      mean((state) => state.coef.data),
      coef.rows,
      coef.cols,
    ),
    intercept: mean((state) => state.intercept),
    report: {
      ...report,
      converged: states.every((state) => state.report.converged),
      iterations: Math.max(...states.map((state) => state.report.iterations)),
      objective: Number.NaN,
      gradientNorm: Number.NaN,
      warnings: [MEANS, ...new Set(states.flatMap((state) => state.report.warnings))],
    },
  };
}

/** One binary model per class as one model. */
function stackedState(states: readonly LinearState<Label>[]): LinearState<Label> {
  const d = states[0]!.coef.cols;
  const reports = states.map(({ report }) => report);
  return {
    ...states[0]!,
    coef: new Matrix(Float64Array.from(states.flatMap(({ coef }) => [...coef.data])), states.length, d),
    intercept: Float64Array.from(states, ({ intercept }) => intercept[0]!),
    report: {
      ...reports[0]!,
      converged: reports.every(({ converged }) => converged),
      iterations: Math.max(...reports.map(({ iterations }) => iterations)),
      objective: reports.reduce((sum, { objective }) => sum + objective, 0),
      gradientNorm: Math.max(...reports.map(({ gradientNorm }) => gradientNorm)),
      warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
    },
  };
}

interface StrengthSearch {
  readonly Cs: Float64Array;
  readonly C: Float64Array;
  readonly l1Ratio: Float64Array | undefined;
  /** One matrix per class: one row per fold. */
  readonly scores: readonly Matrix[];
}

function readSearch(reader: StateReader, count: number): StrengthSearch {
  const { tensors } = reader.state;
  const data = reader.floats("scores", [count, -1, -1]);
  const [, folds, candidates] = tensors["scores"]!.shape as [number, number, number];
  const Cs = reader.floats("Cs", [-1]);
  if (Cs.length === 0 || candidates % Cs.length !== 0)
    reader.fail("Cs", "one per column of scores", `${Cs.length}`);
  const size = folds * candidates;
  return {
    Cs,
    C: reader.floats("C", [count]),
    l1Ratio: Object.hasOwn(tensors, "l1Ratio") ? reader.floats("l1Ratio", [count]) : undefined,
    scores: Array.from(
      { length: count },
      (_, k) => new Matrix(data.slice(k * size, (k + 1) * size), folds, candidates),
    ),
  };
}

export class FittedLogisticRegressionCV<L extends Label = Label> extends FittedLogisticRegression<L> {
  readonly #search: StrengthSearch;

  constructor(state: LinearState<L>, search: StrengthSearch) {
    super(state);
    this.#search = search;
  }

  /** The values of C that were compared. */
  get Cs(): Float64Array {
    return this.#search.Cs;
  }

  /** The chosen C of each class; one for two classes. */
  get C(): Float64Array {
    return this.#search.C;
  }

  /** The chosen l1Ratio of each class; undefined unless the penalty is the elastic net. */
  get l1Ratio(): Float64Array | undefined {
    return this.#search.l1Ratio;
  }

  /**
   * Scores by class (of two classes, by the second): one row per fold, one column per C; with several l1Ratios, all Cs of the first
   * one come first.
   */
  get scores(): ReadonlyMap<L, Matrix> {
    const labels = this.classes.length === 2 ? this.classes.slice(1) : this.classes;
    return new Map(labels.map((label, k) => [label, this.#search.scores[k]!]));
  }

  override toState(): ModelState {
    const state = super.toState();
    const { Cs, C, l1Ratio, scores } = this.#search;
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    const shape = [scores.length, scores[0]!.rows, scores[0]!.cols];
    const data = Float64Array.from(scores.flatMap((matrix) => [...matrix.data]));
    return {
      ...state,
      tensors: {
        ...state.tensors,
        Cs: vector(Cs),
        C: vector(C),
        ...(l1Ratio && { l1Ratio: vector(l1Ratio) }),
        scores: { shape, data },
      },
    };
  }
}
