import type {
  Capabilities,
  FitOptions,
  FittedClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import { codeLabels, type Label, type Labels, readWeights } from "../core/labels.js";
import { choice, classWeight, flag, type Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { FittedSupport, gather, readSupport, type SupportState, type Trained } from "./fitted-support.js";
import { checkKernel, kernelCode } from "./kernel-function.js";
import { denseOf, solveSupport, supportParams } from "./support-machine.js";

export const svcParams = {
  ...supportParams,
  multiClass: choice(["ovo", "ovr"], {
    default: "ovo",
    doc: '"ovo": a machine for every pair of classes, which vote; "ovr": one for each class, the highest margin wins.',
  }),
  decisionFunctionShape: choice(["ovr", "ovo"], {
    default: "ovr",
    doc: 'What decisionFunction gives with "ovo" machines: a column a class, or one a pair.',
  }),
  breakTies: flag({
    default: false,
    doc: "Of classes with equally many votes take the one with the larger margins, and not the first.",
  }),
  classWeight: classWeight(),
};

/**
 * Support vector classifier with a kernel: the widest margin between two classes in the space of the kernel, rows inside it
 * at a cost of C each.
 *
 *   minimise over α:   ½ Σ_st α_s α_t y_s y_t k(x_s, x_t) − Σ_t α_t     subject to   0 ≤ α_t ≤ C s_t,   Σ_t y_t α_t = 0
 *   decide by the sign of   Σ_t y_t α_t k(x_t, x) + b
 *
 * Parity: scikit-learn's SVC (LIBSVM), without probabilities; kernel values are kept in 32 bits while learning, as there.
 */
export class SVC extends Estimator<typeof svcParams> {
  static readonly id = "SVC";
  static readonly table = svcParams;
  static readonly capabilities: Capabilities = {
    task: "classification",
    sparse: true,
    missing: false,
    categorical: false,
    multiclass: true,
    probabilities: false,
    decisionFunction: true,
    sampleWeight: true,
    partialFit: false,
  };

  constructor(params: Params<typeof svcParams> = {}) {
    super(SVC.id, svcParams, params);
    checkKernel(SVC.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedSVC<L> {
    const where = "SVC.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  static restore(state: ModelState): FittedSVC {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const shape = reader.value("multiClass", '"ovo" or "ovr"', isShape);
    const decision = reader.value("decisionFunctionShape", '"ovr" or "ovo"', isShape);
    const breakTies = reader.value("breakTies", "true or false", (v): v is boolean => typeof v === "boolean");
    const K = classes.length;
    const machines = K === 2 ? 1 : shape === "ovo" ? (K * (K - 1)) / 2 : K;
    return new FittedSVC(readSupport(reader, machines), classes, {
      multiClass: shape,
      shape: decision,
      breakTies,
    });
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Omit<Step<never>, "model">, FittedSVC<L>, void> {
    const { params } = this;
    const set = classificationSet(where, x, y, options, { sparse: true }, params.classWeight);
    const design = denseOf(where, set.x);
    // Weights of classes say nothing about how far rows spread.
    const all = denseOf(where, readMatrix(where, x, { sparse: true }));
    const kernel = kernelCode(params, all, readWeights(where, options.sampleWeight, all.rows));
    const trained: Trained[] = [];
    for (const problem of problemsOf(set, params.multiClass)) {
      const part = problem.rows ? design.selectRows(problem.rows) : design;
      const { C } = params;
      const weightOf = (e: number) => set.weights?.[problem.rows ? problem.rows[e]! : e] ?? 1;
      const steps = solveSupport(
        where,
        {
          x: part,
          kernel,
          halves: 1,
          y: problem.y,
          upper: Float64Array.from(problem.y, (_, e) => C * weightOf(e)),
          p: new Float64Array(problem.y.length).fill(-1),
        },
        params,
      );
      trained.push({ ...(yield* steps), rows: problem.rows });
    }
    const state = gather(SVC.id, params, kernel, design, trained);
    const { multiClass, decisionFunctionShape: shape, breakTies } = params;
    return new FittedSVC(state, set.classes, { multiClass, shape, breakTies });
  }
}

const isShape = (value: unknown): value is "ovo" | "ovr" => value === "ovo" || value === "ovr";

/** How many machines make one answer. */
interface VotingRule {
  readonly multiClass: "ovo" | "ovr";
  readonly shape: "ovr" | "ovo";
  readonly breakTies: boolean;
}

interface BinaryProblem {
  /** Of the rows that take part; absent: all. */
  readonly rows: Int32Array | undefined;
  /** ±1. */
  readonly y: Float64Array;
}

/** Two classes are one problem (+1: the second); more are one for each pair (+1: the first of it), or one a class. */
function* problemsOf(
  { classes, codes }: ClassificationSet<Label>,
  shape: "ovo" | "ovr",
): Generator<BinaryProblem> {
  const K = classes.length;
  const signs = (k: number) => Float64Array.from(codes, (code) => (code === k ? 1 : -1));
  if (K === 2) yield { rows: undefined, y: signs(1) };
  else if (shape === "ovr") for (let k = 0; k < K; k++) yield { rows: undefined, y: signs(k) };
  else {
    for (let a = 0; a < K; a++) {
      for (let b = a + 1; b < K; b++) {
        const rows = Int32Array.from(codes.keys()).filter((i) => codes[i] === a || codes[i] === b);
        yield { rows, y: Float64Array.from(rows, (i) => (codes[i] === a ? 1 : -1)) };
      }
    }
  }
}

export class FittedSVC<L extends Label = Label> extends FittedSupport implements FittedClassifier<L> {
  constructor(
    state: SupportState,
    readonly classes: readonly L[],
    private readonly rule: VotingRule,
  ) {
    super(state);
  }

  get intercept(): Float64Array {
    return this.learned.intercept;
  }

  /**
   * Two classes: Σ y α k + b, positive for the second. More: one column a class, or one a pair (positive for its first class)
   * with decisionFunctionShape "ovo".
   */
  decisionFunction(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.decisionFunction", x);
    const pairs = this.classes.length > 2 && this.rule.multiClass === "ovo";
    return pairs && this.rule.shape === "ovr" ? this.#perClass(scores) : scores;
  }

  /** Pairs of classes vote; of classes with equally many votes the first wins, unless `breakTies` was asked for. */
  predict(x: MatrixLike): L[] {
    const scores = this.scores("SVC.predict", x);
    const { data, rows, cols } = scores;
    const K = this.classes.length;
    if (K === 2) return Array.from(data, (z) => this.classes[z > 0 ? 1 : 0]!);
    const ranking =
      this.rule.multiClass === "ovr"
        ? scores
        : this.rule.breakTies
          ? this.#perClass(scores)
          : this.#votes(scores);
    return Array.from({ length: rows }, (_, i) => {
      let best = 0;
      for (let k = 1; k < K; k++) if (ranking.data[i * K + k]! > ranking.data[i * K + best]!) best = k;
      return this.classes[cols > 0 ? best : 0]!;
    });
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  /** 2/‖w‖ of each machine, w in the space of the kernel: the width of the street between its margins. */
  get marginWidths(): Float64Array {
    const { supportVectors, dualCoef, intercept } = this.learned;
    // ‖w‖² = Σ y α (w·x), and w·x is the score less b.
    const z = this.scores("SVC.marginWidths", supportVectors);
    const m = supportVectors.rows;
    return Float64Array.from(intercept, (b, k) => {
      let square = 0;
      for (let s = 0; s < m; s++) square += dualCoef.data[k * m + s]! * (z.data[s * z.cols + k]! - b);
      return 2 / Math.sqrt(Math.max(0, square));
    });
  }

  /** y (w·x + b) of labelled rows, and the same divided by ‖w‖. Two classes only. */
  margins(
    x: MatrixLike,
    y: Labels<L>,
  ): { readonly functional: Float64Array; readonly geometric: Float64Array } {
    const where = "SVC.margins";
    if (this.classes.length > 2) {
      throw new DataError({
        where,
        subject: "the model",
        expected: "of two classes, since each pair has margins of its own",
        received: `${this.classes.length} classes`,
      });
    }
    const z = this.scores(where, x);
    const codes = codeLabels(where, y, z.rows, this.classes);
    const functional = z.data.map((score, i) => (codes[i] === 1 ? score : -score));
    const half = this.marginWidths[0]! / 2;
    return { functional, geometric: functional.map((m) => m * half) };
  }

  /** How far each labelled row is on the wrong side of its margin: max(0, 1 − functional margin). Two classes only. */
  slacks(x: MatrixLike, y: Labels<L>): Float64Array {
    return this.margins(x, y).functional.map((m) => Math.max(0, 1 - m));
  }

  toState(): ModelState {
    const values = {
      classes: [...this.classes],
      multiClass: this.rule.multiClass,
      decisionFunctionShape: this.rule.shape,
      breakTies: this.rule.breakTies,
    };
    return this.stateWith(values);
  }

  #votes(scores: Matrix): Matrix {
    const votes = Matrix.zeros(scores.rows, this.classes.length);
    this.#overPairs(scores, (i, a, b, z) => {
      votes.data[i * votes.cols + (z > 0 ? a : b)]!++;
    });
    return votes;
  }

  /** Votes, and the sum of a class's margins to tell equal ones apart: at most a third of a vote, as scikit-learn has it. */
  #perClass(scores: Matrix): Matrix {
    const out = this.#votes(scores);
    const sums = Matrix.zeros(out.rows, out.cols);
    this.#overPairs(scores, (i, a, b, z) => {
      sums.data[i * sums.cols + a]! += z;
      sums.data[i * sums.cols + b]! -= z;
    });
    for (let e = 0; e < out.data.length; e++)
      out.data[e]! += sums.data[e]! / (3 * (Math.abs(sums.data[e]!) + 1));
    return out;
  }

  #overPairs(
    { data, rows, cols }: Matrix,
    visit: (i: number, a: number, b: number, z: number) => void,
  ): void {
    const K = this.classes.length;
    for (let i = 0; i < rows; i++) {
      let at = i * cols;
      for (let a = 0; a < K; a++) for (let b = a + 1; b < K; b++, at++) visit(i, a, b, data[at]!);
    }
  }
}
