import { classifier } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { argmax } from "../core/numbers/scores.js";
import { beginFit } from "../core/params/options.js";
import type { ParamSpec, Params, ParamValues } from "../core/params/params.js";
import { choice, invalid, optional, randomState } from "../core/params/params.js";
import type { NoReject, ProbaOptions } from "../core/params/predict-options.js";
import { acceptedLabels, readPredictOptions } from "../core/params/predict-options.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { Structure } from "../core/structure.js";
import { classifierStructure, probabilityLink, structure, undescribed } from "../core/structure.js";
import { readColumns } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";
import { ProbabilityClassifier } from "../fitted/classifiers.js";
import { anyRows } from "./capabilities.js";

const label: ParamSpec<Label> = {
  kind: "label",
  default: 0,
  doc: 'The label that the strategy "constant" predicts.',
  expected: "a string, a number or a boolean",
  read: (value) =>
    ["string", "boolean"].includes(typeof value) || Number.isFinite(value) ? (value as Label) : invalid,
};

export const dummyClassifierParams = {
  strategy: choice(["prior", "mostFrequent", "stratified", "uniform", "constant"], {
    default: "prior",
    doc: "The most frequent class with the classes' frequencies as probabilities, or with probability 1; classes drawn by their frequencies, or uniformly; one label.",
  }),
  constant: optional(label),
  randomState: randomState(),
};
type Values = ParamValues<typeof dummyClassifierParams>;

/**
 * Predicts without a look at X: what a classifier has to beat.
 *
 *   P(k | x) = nₖ / n   ("prior"), where nₖ is the weight of the rows of class k
 *
 * Drawn predictions depend on `randomState` and the number of the row. Parity: scikit-learn's DummyClassifier, with other random
 * numbers.
 */
export class DummyClassifier extends Estimator<typeof dummyClassifierParams> {
  static readonly id = "DummyClassifier";
  static readonly table = dummyClassifierParams;
  static readonly capabilities = classifier({ ...anyRows, probabilities: true });

  constructor(params: Params<typeof dummyClassifierParams> = {}) {
    super(params);
    if (this.params.strategy !== "constant" || this.params.constant !== null) return;
    throw new ParameterError(this.id, "constant", 'a label for the strategy "constant"', "null");
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedDummyClassifier<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const set = classificationSet(where, x, y, options, { sparse: true, missing: true }, null);
    const { classes, codes, weights } = set;
    const priors = new Float64Array(classes.length);
    for (let i = 0; i < codes.length; i++) priors[codes[i]!]! += weights ? weights[i]! : 1;
    const total = priors.reduce((sum, w) => sum + w, 0);
    const { strategy, constant } = this.params;
    if (strategy === "constant" && !classes.includes(constant as L)) {
      const expected = `one of the labels of y (${classes.slice(0, 8).map(show).join(", ")})`;
      throw new DataError(where, "constant", expected, show(constant));
    }
    const { params } = this;
    const { cols } = set.x;
    return new FittedDummyClassifier(
      params,
      classes,
      priors.map((w) => w / total),
      cols,
      set.featureNamesIn,
    );
  }

  static restore(state: ModelState): FittedDummyClassifier {
    const { reader, params } = restoring(dummyClassifierParams, state);
    const classes = reader.labels("classes", 2);
    const priors = reader.floats("priors", [classes.length]);
    if (!priors.every((p) => p >= 0 && p <= 1)) reader.fail("priors", "in [0, 1]", "others");
    if (params.strategy === "constant" && !classes.includes(params.constant as Label))
      reader.fail("constant", "one of the classes", show(params.constant));
    const { nFeatures, featureNamesIn } = readColumns(reader);
    return new FittedDummyClassifier(params, classes, priors, nFeatures, featureNamesIn);
  }
}

export class FittedDummyClassifier<L extends Label = Label> extends ProbabilityClassifier<L> {
  protected readonly id = DummyClassifier.id;
  readonly #params: Values;

  constructor(
    params: Values,
    readonly classes: readonly L[],
    /** Weight of each class in fit, of sum 1. */
    readonly priors: Float64Array,
    readonly nFeatures: number,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#params = params;
  }

  override predict(x: MatrixLike, options?: NoReject<ProbaOptions>): L[];
  override predict(x: MatrixLike, options: ProbaOptions): (L | undefined)[];
  override predict(x: MatrixLike, options?: ProbaOptions): (L | undefined)[] {
    if (this.#params.strategy !== "uniform") return super.predict(x, options as ProbaOptions);
    const where = "DummyClassifier.predict";
    const p = this.scoreRows(where, x);
    const probabilities = () => p.data;
    const given = readPredictOptions(where, options, p.cols, { probabilities });
    const random = new Random(this.#params.randomState);
    const codes = Int32Array.from({ length: p.rows }, () => random.below(p.cols));
    return acceptedLabels(this.classes, codes, given, () => Infinity, probabilities);
  }

  [structure](): Structure {
    const { strategy } = this.#params;
    if (strategy === "uniform" || strategy === "stratified") return undescribed("its predictions are drawn");
    const values = new Float64Array(this.classes.length);
    this.#rowInto(new Random(0), 0, values);
    return classifierStructure(this, { kind: "constant", values }, probabilityLink);
  }

  toState(): ModelState {
    const { classes, priors, nFeatures, featureNamesIn } = this;
    return stateOf(this.id, { params: this.#params, featureNamesIn }, { classes, nFeatures, priors });
  }

  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const { rows } = readMatrix(where, x, { like: this, sparse: true, missing: true });
    const K = this.classes.length;
    const out = new Float64Array(rows * K);
    const random = new Random(this.#params.randomState);
    for (let i = 0; i < rows; i++) this.#rowInto(random, i * K, out);
    return new Matrix(out, rows, K);
  }

  #rowInto(random: Random, at: number, out: Float64Array): void {
    const { strategy, constant } = this.#params;
    const { priors, classes } = this;
    if (strategy === "prior") out.set(priors, at);
    else if (strategy === "uniform") out.fill(1 / classes.length, at, at + classes.length);
    else if (strategy === "mostFrequent") out[at + argmax(priors)] = 1;
    else if (strategy === "constant") out[at + classes.indexOf(constant as L)] = 1;
    else out[at + drawFrom(priors, random.uniform())] = 1;
  }
}

/** The class in whose part of [0, 1) the number is. */
function drawFrom(priors: Float64Array, u: number): number {
  let sum = 0;
  for (let k = 0; k < priors.length; k++) {
    sum += priors[k]!;
    if (u < sum) return k;
  }
  return argmax(priors);
}
