import type { FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { Params } from "../core/params/params.js";
import { joinReports, reportJson } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { Matrix } from "../data/matrix.js";
import { signsOf } from "../data/training-set.js";
import { expansionOver } from "../kernel-functions/expansion.js";
import { kernelOf, kernelParams } from "../kernel-functions/kernel-params.js";
import { mistakeParams } from "../linear/perceptron.js";
import type { Mistakes, PerceptronSolution } from "./dual-perceptron.js";
import { KernelRowBlocks, perceptronEpochs } from "./dual-perceptron.js";
import type { ReportedState } from "./fitted-kernel-classifier.js";
import { FittedKernelClassifier, outputsFor, readReportedClassifier } from "./fitted-kernel-classifier.js";
import type { KernelClassificationSet } from "./kernel-classification-set.js";
import { kernelClassificationSet, kernelClassifier } from "./kernel-classification-set.js";

export const kernelPerceptronParams = { ...kernelParams, ...mistakeParams };

/**
 * Rosenblatt's perceptron in the feature space of a kernel [Aizerman et al. 1964]. It counts the mistakes mᵢ per row:
 *
 *   f(x) = Σₜ η sₜ yₜ mₜ k(xₜ, x) + b;      for every row with yᵢ f(xᵢ) ≤ 0:   mᵢ ← mᵢ + 1,   b ← b + η sᵢ yᵢ
 *
 * It accepts any kernel; with a positive definite one it converges to zero mistakes if the classes are separable in its feature
 * space. With the linear kernel it makes the same mistakes as Perceptron (on dense X of up to 2 MB, whose rows Perceptron visits in
 * the same order). More than two classes: one against the rest.
 */
export class KernelPerceptron extends Estimator<typeof kernelPerceptronParams> {
  static readonly id = "KernelPerceptron";
  static readonly table = kernelPerceptronParams;
  static readonly capabilities = kernelClassifier();

  constructor(params: Params<typeof kernelPerceptronParams> = {}) {
    super(params);
    kernelOf(this.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedKernelPerceptron<L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, epoch by epoch: each step has its progress and the model as it stands. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Steps<FittedKernelPerceptron<L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState): FittedKernelPerceptron {
    const read = readReportedClassifier(state);
    const { rows, cols } = read.expansion.parts.coef;
    const counts = new StateReader(state).integers("mistakes", [rows, cols]);
    return new FittedKernelPerceptron(read, rowsOf(counts, rows, cols));
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Steps<FittedKernelPerceptron<L>> {
    const { params } = this;
    const kernel = kernelOf(this.id, params);
    const given = kernelClassificationSet(where, kernel, x, y, options, params.classWeight);
    const { set, training } = given;
    const outputs = outputsFor(set.classes.length);
    const rows = new KernelRowBlocks(where, training);
    const solutions: PerceptronSolution[] = [];
    const modelOf = (known: readonly Mistakes[], report: FitReport) =>
      assemble(given, params, known, outputs, report);
    for (let k = 0; k < outputs; k++) {
      const signs = signsOf(set.codes, outputs === 1 ? 1 : k);
      const run = perceptronEpochs(rows, signs, set.weights, params);
      const before = solutions.map(({ state }) => state);
      const solution = yield* mapSteps(run, ({ iteration, objective, state }) => ({
        iteration,
        total: params.maxIter,
        objective,
        model: () => modelOf([...before, state], unfinished(iteration, objective)),
      }));
      solutions.push(solution);
    }
    const known = solutions.map(({ state }) => state);
    return modelOf(known, reportOf(solutions, params.maxIter));
  }
}

/** The expansion over rows with mistakes. Classes that are not trained yet have none. */
function assemble<L extends Label>(
  { set, training }: KernelClassificationSet<L>,
  params: { readonly eta0: number },
  known: readonly Mistakes[],
  outputs: number,
  report: FitReport,
): FittedKernelPerceptron<L> {
  const support = Int32Array.from(set.codes.keys()).filter((i) => known.some(({ counts }) => counts[i]! > 0));
  const coef = Matrix.zeros(outputs, support.length);
  const intercept = new Float64Array(outputs);
  const mistakes = Array.from({ length: outputs }, () => new Int32Array(support.length));
  for (const [k, { counts, b }] of known.entries()) {
    const positive = outputs === 1 ? 1 : k;
    intercept[k] = b;
    for (const [s, i] of support.entries()) {
      const sign = set.codes[i] === positive ? 1 : -1;
      mistakes[k]![s] = counts[i]!;
      coef.data[k * support.length + s] = params.eta0 * sign * (set.weights?.[i] ?? 1) * counts[i]!;
    }
  }
  const expansion = expansionOver(training, support, coef, intercept);
  const { id } = KernelPerceptron;
  return new FittedKernelPerceptron(
    { id, params: { ...params }, classes: set.classes, expansion, report },
    mistakes,
  );
}

const unfinished = (iterations: number, objective: number): FitReport => ({
  converged: false,
  iterations,
  objective,
  gradientNorm: Number.NaN,
  solver: "perceptron",
  warnings: [],
});

function reportOf(solutions: readonly PerceptronSolution[], maxIter: number): FitReport {
  const stopped = `Stopped after maxIter = ${maxIter} epochs: raise maxIter, or scale the columns.`;
  return joinReports(
    solutions.map(({ state: _, ...solution }) => ({
      ...solution,
      solver: "perceptron",
      warnings: solution.converged ? [] : [stopped],
    })),
  );
}

const rowsOf = (data: Int32Array, rows: number, cols: number): Int32Array[] =>
  Array.from({ length: rows }, (_, k) => data.slice(k * cols, (k + 1) * cols));

export class FittedKernelPerceptron<L extends Label = Label> extends FittedKernelClassifier<L> {
  readonly report: FitReport;

  constructor(
    state: ReportedState<L>,
    /** The number of mistakes on each of `points`, one list per score. */
    readonly mistakes: readonly Int32Array[],
  ) {
    super(state);
    this.report = state.report;
  }

  protected override learned(): Learned {
    const cols = this.rows.length;
    const data = new Int32Array(this.mistakes.length * cols);
    for (const [k, counts] of this.mistakes.entries()) data.set(counts, k * cols);
    const report = reportJson(this.report);
    return { ...super.learned(), report, mistakes: { shape: [this.mistakes.length, cols], data } };
  }
}
