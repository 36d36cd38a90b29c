import type { Capabilities, FitOptions, FittedModel, MatrixLike, RestorePart } from "../core/contract.js";
import { ParameterError, ShapeError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { ParamSpec, Params, ParamsTable, ParamValues } from "../core/params/params.js";
import { choice, classWeight, invalid, readParams } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { classifierStructure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type Design, requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { BernoulliNB, bernoulliNBParams, FittedBernoulliNB, learnBernoulli } from "./bernoulli-nb.js";
import {
  CategoricalNB,
  categoricalNBParams,
  FittedCategoricalNB,
  learnCategorical,
} from "./categorical-nb.js";
import { type BetaCounts, classPriorParams, type PseudoCounts } from "./class-priors.js";
import type { EventRows } from "./feature-rows.js";
import { added, bayesCapabilities, classCounts, fitRows, partialFitRows } from "./feature-rows.js";
import type { ClassScores, ClassState } from "./fitted-naive-bayes.js";
import { classState, FittedNaiveBayes, readClassSums } from "./fitted-naive-bayes.js";
import { FittedGaussianNB, GaussianNB, gaussianNBParams, learnGaussian } from "./gaussian-nb.js";
import {
  FittedMultinomialNB,
  learnMultinomial,
  MultinomialNB,
  multinomialNBParams,
} from "./multinomial-nb.js";

/** Columns, their event model and its parameters. A multinomial block is one event. */
export type EventBlock =
  | { readonly model: "gaussian"; readonly columns: readonly number[]; readonly varSmoothing?: number }
  | {
      readonly model: "bernoulli";
      readonly columns: readonly number[];
      readonly alpha?: PseudoCounts | BetaCounts | undefined;
      readonly binarize?: number | null | undefined;
    }
  | {
      readonly model: "categorical";
      readonly columns: readonly number[];
      readonly alpha?: number | readonly (readonly number[])[] | undefined;
      readonly minCategories?: PseudoCounts | null | undefined;
    }
  | { readonly model: "multinomial"; readonly columns: readonly number[]; readonly alpha?: PseudoCounts };
type EventModel = EventBlock["model"];

const models = ["gaussian", "bernoulli", "categorical", "multinomial"] as const;

/** Parameters of a block besides its model and columns. */
const tables: Readonly<Record<EventModel, ParamsTable>> = {
  gaussian: { varSmoothing: gaussianNBParams.varSmoothing },
  bernoulli: { alpha: bernoulliNBParams.alpha, binarize: bernoulliNBParams.binarize },
  categorical: { alpha: categoricalNBParams.alpha, minCategories: categoricalNBParams.minCategories },
  multinomial: { alpha: multinomialNBParams.alpha },
};

const blocks: ParamSpec<readonly EventBlock[]> = {
  kind: "blocks",
  default: Object.freeze([]),
  doc: 'Groups of columns and the event model of each, e.g. { model: "categorical", columns: [0, 3] }.',
  expected: "a list of { model, columns, … }",
  read: (value) => {
    if (!Array.isArray(value)) return invalid;
    const fine = value.every(
      (block) =>
        block !== null && typeof block === "object" && Array.isArray(block.columns) && "model" in block,
    );
    return fine
      ? Object.freeze(
          value.map((block) => Object.freeze({ ...block, columns: Object.freeze([...block.columns]) })),
        )
      : invalid;
  },
};

export const mixedNBParams = {
  blocks,
  rest: choice(models, { default: "gaussian", doc: "The event model of the columns that no block names." }),
  ...classPriorParams,
  classWeight: classWeight(),
};
type Values = ParamValues<typeof mixedNBParams>;

/**
 * Naive Bayes for rows of mixed kinds: every group of columns has an event model of its own.
 *
 *   log P(x | y = k) = Σ over blocks b of log P_b(x_b | y = k)
 *
 * P_b is the density of GaussianNB, BernoulliNB, CategoricalNB or MultinomialNB on the columns of the block: the same numbers as
 * that model fitted to those columns alone. ε of a Gaussian block is that of the block's columns.
 */
export class MixedNB extends Estimator<typeof mixedNBParams> {
  static readonly id = "MixedNB";
  static readonly table = mixedNBParams;
  static readonly capabilities: Capabilities = { ...bayesCapabilities, sparse: false };

  constructor(params: Params<typeof mixedNBParams> = {}) {
    super(params);
    checkBlocks(this.params.blocks);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedMixedNB<L> {
    return learnMixed(this.params, fitRows(this, x, y, options), null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedMixedNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedMixedNB<L> {
    const rows = partialFitRows(this, model, FittedMixedNB, x, y, options);
    if (model !== null) requireSameBlocks(rows.where, model.blocks, this.params);
    return learnMixed(this.params, rows, model);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedMixedNB {
    const { reader, params, ...sums } = readClassSums(mixedNBParams, state);
    checkBlocks(params.blocks);
    const nFeatures = reader.count("nFeatures");
    const parts = (state.parts ?? []).map(restorePart);
    // Before any list of so many columns is made.
    const total = parts.reduce((sum, part) => sum + part.nFeatures, 0);
    if (total !== nFeatures) reader.fail("nFeatures", `${total}, as its parts have`, String(nFeatures));
    const all = allBlocks(reader.where, params, nFeatures);
    const fits = (part: FittedModel | undefined, { model, columns }: EventBlock) =>
      part instanceof partClasses[model] &&
      part.nFeatures === columns.length &&
      part.classes.length === sums.classes.length;
    if (parts.length !== all.length || !all.every((block, b) => fits(parts[b], block)))
      reader.fail("parts", "one model for each block", `${parts.length} others`);
    const known = { ...sums, featureNamesIn: readFeatureNames(reader, nFeatures) };
    return new FittedMixedNB(classState(known, params), nFeatures, all, parts as FittedNaiveBayes[]);
  }
}

const partClasses = {
  gaussian: FittedGaussianNB,
  bernoulli: FittedBernoulliNB,
  categorical: FittedCategoricalNB,
  multinomial: FittedMultinomialNB,
} as const;

/** Throws on unknown models, columns that are not whole or in two blocks, and parameters that the model does not have. */
function checkBlocks(list: readonly EventBlock[]): void {
  const taken = new Set<number>();
  list.forEach(({ model, columns, ...own }, b) => {
    const where = `MixedNB, blocks[${b}]`;
    if (!models.includes(model))
      throw new ParameterError(where, "model", `one of ${models.join(", ")}`, show(model));
    readParams(where, tables[model], own);
    const wrong = columns.find((j) => !Number.isSafeInteger(j) || j < 0 || taken.has(j));
    if (columns.length === 0 || wrong !== undefined || new Set(columns).size < columns.length) {
      const expected = "whole numbers ≥ 0, each in one block and once";
      const received = wrong === undefined ? show(columns) : show(wrong);
      throw new ParameterError(where, "columns", expected, received);
    }
    for (const j of columns) taken.add(j);
  });
}

/** The blocks, and one more for the columns that none of them names. */
export function allBlocks(
  where: string,
  { blocks: given, rest }: Pick<Values, "blocks" | "rest">,
  d: number,
): readonly EventBlock[] {
  const named = new Set(given.flatMap(({ columns }) => columns));
  const beyond = [...named].find((j) => j >= d);
  if (beyond !== undefined) {
    throw new ShapeError(where, "X", `${beyond + 1} columns wide or more, as blocks require`, `${d} columns`);
  }
  const others = Array.from({ length: d }, (_, j) => j).filter((j) => !named.has(j));
  return others.length === 0 ? given : [...given, { model: rest, columns: others }];
}

/** Sums of other columns, or of another event model, would be added to those of a block silently. */
function requireSameBlocks(where: string, known: readonly EventBlock[], params: Values): void {
  const described = (blocks: readonly EventBlock[]) =>
    blocks.map(({ model, columns }) => `${model} [${columns.join(", ")}]`).join("; ");
  const d = known.reduce((sum, { columns }) => sum + columns.length, 0);
  const own = described(allBlocks(where, params, d));
  if (described(known) === own) return;
  throw new ParameterError(where, "the model", `one of the blocks ${own}`, described(known));
}

/** Rows → one model per block, each going on from the block's model so far. */
function learnMixed<L extends Label>(
  params: Values,
  rows: EventRows<L>,
  from: FittedMixedNB<L> | null,
): FittedMixedNB<L> {
  const { where } = rows;
  requireFinite(where, rows.x);
  const x = rows.x as Matrix;
  const all = allBlocks(where, params, x.cols);
  const parts = all.map((block, b) => {
    const { columns } = block;
    const part = { ...rows, x: x.selectColumns(columns), columns, featureNamesIn: undefined };
    return learnBlock(block, part, (from?.parts[b] ?? null) as FittedNaiveBayes<L> | null);
  });
  const sums = { ...rows, classCount: added(from?.classCount, classCounts(rows)) };
  return new FittedMixedNB(classState(sums, params), x.cols, all, parts);
}

function learnBlock<L extends Label>(
  { model, columns: _, ...own }: EventBlock,
  rows: EventRows<L>,
  from: FittedNaiveBayes<L> | null,
): FittedNaiveBayes<L> {
  // The blocks of a model that learns on have been compared: `from` is of the block's kind.
  switch (model) {
    case "gaussian":
      return learnGaussian(new GaussianNB(own as object).params, rows, from as FittedGaussianNB<L> | null);
    case "bernoulli":
      return learnBernoulli(new BernoulliNB(own as object).params, rows, from as FittedBernoulliNB<L> | null);
    case "categorical":
      return learnCategorical(
        new CategoricalNB(own as object).params,
        rows,
        from as FittedCategoricalNB<L> | null,
      );
    case "multinomial":
      return learnMultinomial(
        new MultinomialNB(own as object).params,
        rows,
        from as FittedMultinomialNB<L> | null,
      );
  }
}

const estimators = {
  gaussian: GaussianNB,
  bernoulli: BernoulliNB,
  categorical: CategoricalNB,
  multinomial: MultinomialNB,
} as const;

/** The estimator of a block, fitted to the columns of the block alone. */
export function blockEstimator({ model, columns: _, ...own }: EventBlock) {
  return new estimators[model](own as object);
}

export class FittedMixedNB<L extends Label = Label> extends FittedNaiveBayes<L> {
  protected readonly id = MixedNB.id;
  protected readonly takesSparse = false;

  constructor(
    state: ClassState<L>,
    readonly nFeatures: number,
    /** The blocks, with one for the rest at the end if there is a rest. */
    readonly blocks: readonly EventBlock[],
    /** The fitted model of each block. */
    readonly parts: readonly FittedNaiveBayes<L>[],
  ) {
    super(state);
  }

  get nParameters(): number {
    const priors = this.classes.length - 1;
    return this.parts.reduce((sum, part) => sum + part.nParameters - priors, priors);
  }

  override rowLikelihood(where: string, x: Design): Matrix {
    requireFinite(where, x);
    const scores = Matrix.zeros(x.rows, this.classes.length);
    if (x.rows === 0) return scores;
    this.blocks.forEach(({ columns }, b) => {
      const { data } = this.parts[b]!.rowLikelihood(where, (x as Matrix).selectColumns(columns), columns);
      for (let e = 0; e < data.length; e++) scores.data[e]! += data[e]!;
    });
    return scores;
  }

  override toState(): ModelState {
    return { ...super.toState(), parts: this.parts.map((part) => part.toState()) };
  }

  override scoresWith(constant: Float64Array): ClassScores {
    const members = this.parts.map((part, b) => ({
      structure: classifierStructure(part, part.scoresWith(new Float64Array(constant.length)).scores, null, {
        steps: part.scoresWith(constant).steps,
      }),
      columns: this.blocks[b]!.columns,
    }));
    const outputs = constant.length;
    return { scores: { kind: "composite", members, rule: { kind: "sum", constant }, outputs }, steps: [] };
  }

  protected learned(): Learned {
    return { nFeatures: this.nFeatures };
  }
}
