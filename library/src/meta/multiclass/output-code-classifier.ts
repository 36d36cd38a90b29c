import type { FitOptions, FittedClassifier, MatrixLike, RestorePart } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import type { Label, Labels } from "../../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../../core/model-on.js";
import { Random } from "../../core/numbers/random.js";
import { argmax } from "../../core/numbers/scores.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { refuseOptions } from "../../core/params/options.js";
import type { ParamSpec, Params, ParamValues } from "../../core/params/params.js";
import { invalid, optional, randomState, real } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import type { Structure } from "../../core/structure.js";
import { classifierStructure, memberOutput, membersOf, structure } from "../../core/structure.js";
import { Matrix } from "../../data/matrix.js";
import type { ClassifierMember } from "../../ensembles/class-votes.js";
import type { MembersState } from "../../ensembles/fitted-members.js";
import type { LogisticRegression } from "../../linear/index.js";
import { composedClassifier } from "../named-estimators.js";
import {
  BinaryReduction,
  binaryEstimator,
  binaryScores,
  FittedLabelReduction,
  readReduction,
} from "./binary-members.js";

type Codes = readonly (readonly (0 | 1)[])[];

const codeBook: ParamSpec<Codes> = {
  kind: "matrix",
  default: [],
  doc: "A code of one's own: one row of zeros and ones per class, in sorted order. null: it is drawn at random.",
  expected: "two or more different rows of zeros and ones, of one length, no column of which is constant",
  read: (value) => {
    const rows = isArrayLike(value) ? Array.from(value) : [];
    if (rows.length < 2 || !rows.every(isArrayLike)) return invalid;
    const codes = rows.map((row) => Object.freeze(Array.from(row as ArrayLike<0 | 1>)));
    const fine = codes.every(
      (row) => row.length === codes[0]!.length && row.every((b) => b === 0 || b === 1),
    );
    return fine && isUseful(codes) ? Object.freeze(codes) : invalid;
  },
};

export const outputCodeClassifierParams = {
  estimator: binaryEstimator,
  codeSize: real({
    above: 0,
    atMost: 1000,
    default: 1.5,
    doc: "Number of classifiers, as a multiple of the number of classes. Not used with a codeBook.",
  }),
  codeBook: optional(codeBook),
  randomState: randomState(),
};

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<FittedOutputCodeClassifier<L>, SamplesOf<E>>;

/**
 * Error-correcting output codes [Dietterich & Bakiri 1995]. Each class k has a code cₖ of B bits; classifier b is fitted to the classes whose
 * bit is 1 against those whose bit is 0.
 *
 *   prediction:   argminₖ ‖f(x) − cₖ‖²
 *
 * f are the decision functions, with bits −1 and 1, or without any the probabilities, with bits 0 and 1.
 * Parity: scikit-learn's OutputCodeClassifier. Its random codes may have equal rows and constant columns; here they are drawn again. It takes no
 * `codeBook`. Weights are passed on.
 */
export class OutputCodeClassifier<E extends AnyClassifier = LogisticRegression> extends BinaryReduction<
  typeof outputCodeClassifierParams,
  E
> {
  static readonly id = "OutputCodeClassifier";
  static readonly table = outputCodeClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier({ probabilities: false, decisionFunction: false });

  constructor(params: Params<typeof outputCodeClassifierParams, { estimator: E }> = {}) {
    super(params);
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    let book: Codes = [];
    const [state, classes] = this.fitAll(x, y, options, (codes, K) => {
      book = codesOf(this.where("fit"), this.params, K);
      return book[0]!.map((_, b) => ({ y: Array.from(codes, (k) => book[k]![b]!) }));
    });
    return new FittedOutputCodeClassifier(state, classes, Matrix.fromRows(book)) as Fitted<E, L>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedOutputCodeClassifier {
    const { reader, members, classes } = readReduction(state, restorePart, () => undefined);
    const book = reader.floats("codeBook", [classes.length, members.models.length]);
    if (!book.every((bit) => bit === 0 || bit === 1)) reader.fail("codeBook", "zeros and ones", "others");
    const matrix = new Matrix(book, classes.length, members.models.length);
    return new FittedOutputCodeClassifier(members, classes, matrix);
  }
}

/** Random codes are redrawn this often at most; a half of all draws is useful where codes are not as short as possible. */
const TRIES = 1000;

/** One code per class. */
function codesOf(
  where: string,
  { codeSize, codeBook, randomState }: ParamValues<typeof outputCodeClassifierParams>,
  K: number,
): Codes {
  if (codeBook !== null) {
    if (codeBook.length === K) return codeBook;
    throw new DataError(where, "codeBook", `one row per class (${K})`, `${codeBook.length} rows`);
  }
  const size = Math.floor(K * codeSize);
  const random = new Random(randomState);
  for (let t = 0; 2 ** size >= K && t < TRIES; t++) {
    const codes = distinctCodes(K, size, random);
    if (isUseful(codes)) return codes;
  }
  const expected = `larger, so that ${K} classes have different codes`;
  throw new DataError(where, "codeSize", expected, `${codeSize}`);
}

/** Random codes, each drawn until it differs from those before it. */
function distinctCodes(K: number, size: number, random: Random): Codes {
  const drawn = new Map<string, readonly (0 | 1)[]>();
  while (drawn.size < K) {
    const code = Array.from({ length: size }, () => random.below(2) as 0 | 1);
    if (!drawn.has(code.join(""))) drawn.set(code.join(""), code);
  }
  return [...drawn.values()];
}

/** Equal codes cannot be told apart, and a constant column teaches nothing. */
const isUseful = (codes: Codes): boolean =>
  new Set(codes.map((row) => row.join(""))).size === codes.length &&
  codes[0]!.length > 0 &&
  codes[0]!.every((_, b) => new Set(codes.map((row) => row[b])).size === 2);

export class FittedOutputCodeClassifier<L extends Label = Label>
  extends FittedLabelReduction<L>
  implements FittedClassifier<L>
{
  constructor(
    state: MembersState<ClassifierMember>,
    classes: readonly L[],
    /** One row of zeros and ones per class, one column per classifier. */
    readonly codeBook: Matrix<Float64Array>,
  ) {
    super(state, classes);
  }

  predict(x: MatrixLike): L[];
  predict(x: MatrixLike, ...given: readonly unknown[]): L[] {
    refuseOptions(`${this.id}.predict`, given);
    const rows = this.read(`${this.id}.predict`, x);
    const { data: book, rows: K, cols: B } = this.codeBook;
    if (rows.rows === 0) return [];
    const nearness = new Float64Array(rows.rows * K);
    this.models.forEach((model, b) => {
      // ‖f − c‖² = ‖f‖² − 2 Σ f c + ‖c‖². The first term is the same for all classes, and so is the last for bits −1 and 1.
      const signed = model.decisionFunction !== undefined;
      binaryScores(model, rows).forEach((f, i) => {
        for (let k = 0; k < K; k++) {
          const bit = book[k * B + b]!;
          nearness[i * K + k]! += signed ? f * (2 * bit - 1) : bit * (f - 0.5);
        }
      });
    });
    return Array.from({ length: rows.rows }, (_, i) => this.classes[argmax(nearness, i * K, K)]!);
  }

  [structure](): Structure {
    const rule = { kind: "codes", book: this.codeBook, outputs: this.models.map(memberOutput) } as const;
    const members = membersOf(this.models);
    return classifierStructure(
      this,
      { kind: "composite", members, rule, outputs: this.classes.length },
      null,
    );
  }

  override toState(): ModelState {
    return this.stateWith({ codeBook: this.codeBook });
  }
}
