import { transformer } from "../core/capabilities.js";
import type { EstimatorClass, FitOptions, FittedModel, Unlabelled } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { beginUnweightedFit } from "../core/params/options.js";
import type { ParamSpec, Params, ParamValues } from "../core/params/params.js";
import { flag, integer, invalid, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { type AnyTable, listNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import type { CellsLike } from "../data/table/cells.js";
import type { Column } from "../data/table/column.js";
import type { DataWarning } from "../data/table/data-warning.js";
import { OnePassEstimator, type Transformed } from "../fitted/transformers.js";
import { Pipeline, pipeline } from "../pipeline/index.js";
import { DateParts } from "../preprocessing/encoders/date-parts.js";
import { OneHotEncoder } from "../preprocessing/encoders/one-hot-encoder.js";
import { OrdinalEncoder } from "../preprocessing/encoders/ordinal-encoder.js";
import { TargetEncoder } from "../preprocessing/encoders/target-encoder.js";
import { SimpleImputer } from "../preprocessing/imputers/simple-imputer.js";
import { StandardScaler } from "../preprocessing/scalers/standard-scaler.js";
import { FittedTfidfVectorizer, TfidfVectorizer } from "../text/index.js";
import { analyzerParams, vocabularyParams } from "../text/params.js";
import { byName } from "./by-name.js";
import { ColumnTransformer } from "./column-transformer.js";
import { type ChosenTreatment, type ColumnChoice, type Treatment, treatmentOf } from "./column-treatments.js";
import type { FittedColumnTransformer } from "./fitted-column-transformer.js";
import { FittedTableVectorizer, partOf } from "./fitted-table-vectorizer.js";
import { type Frame, readFrame } from "./frame.js";
import { isTreatment } from "./parts.js";
import type { ColumnPart, PartTransformer, Remainder } from "./types.js";

/** A treatment that the user may replace. */
const treatment = (doc: string): ParamSpec<Remainder | null> => ({
  kind: "estimator",
  default: null,
  doc,
  expected: '"drop", "passthrough", a transformer, or null for the usual',
  choices: [null, "drop", "passthrough"],
  read: (value) => (value === null || isTreatment(value) ? value : invalid),
});

const columns = byName<Remainder>(
  'What to do with certain columns, by name: a transformer, "drop" or "passthrough".',
  'an object of transformers, "drop" or "passthrough" by name of column',
  (_, treatment) => isTreatment(treatment),
);

export const tableVectorizerParams = {
  columns,
  maxCategories: integer({
    atLeast: 1,
    default: 40,
    doc: "Categories up to so many are one-hot encoded; a column of free text never is.",
  }),
  minFrequency: real({
    atLeast: 0,
    below: 1,
    default: 0.005,
    doc: "Categories with a smaller fraction of the rows share one column; 0 for none.",
  }),
  maxTerms: integer({
    atLeast: 1,
    default: 50_000,
    doc: "Most words (or n-grams) of a column of free text; the most frequent ones are kept, and a warning says so.",
  }),
  minDf: {
    ...vocabularyParams.minDf,
    doc: "Words of free text in fewer rows than this are ignored: a count, or a fraction below 1.",
  },
  ngramRange: {
    ...analyzerParams.ngramRange,
    doc: "Least and greatest number of words in a term of free text: [1, 2] is words and pairs of words.",
  },
  scale: flag({
    default: true,
    doc: "Numbers, dates and encodings scaled to mean 0 and variance 1; trees do not need it.",
  }),
  sparseThreshold: real({
    atLeast: 0,
    atMost: 1,
    default: 0.1,
    doc: "The output is sparse if less than this fraction of its entries is stored; 0 for always dense. Tables without long text are dense, which most models are faster on.",
  }),
  numbers: treatment("Columns of numbers. Usual: gaps filled with the median, then scaled."),
  booleans: treatment("Columns of true and false. Usual: 0 and 1, gaps filled with the more frequent one."),
  categories: treatment(
    "Categories, at most `maxCategories`. Usual: one-hot, missing as a category, rare ones together.",
  ),
  manyCategories: treatment(
    "More categories. Usual: the mean target of each, by folds; without y, a number for each.",
  ),
  dates: treatment(
    "Columns of dates. Usual: the parts that differ between rows, gaps filled with the median, then scaled.",
  ),
  texts: treatment("Columns of free text. Usual: tf-idf of their words."),
};

/**
 * A table as numbers, each column treated as its content asks for: numbers filled and scaled, few categories one-hot, many by target
 * means, dates by parts, free text by tf-idf. Constant columns and those that only number or name the rows are dropped. What a column
 * holds is decided on the whole table: rows selected from it, as the folds of a cross-validation are, are treated alike. The fitted
 * vectorizer prints what it does with every column and why, and has `warnings` about what it leaves out; each treatment can be
 * replaced, for a kind or a column:
 *
 *   tableVectorizer({ columns: { id: "drop", postcode: new TargetEncoder() }, categories: new OrdinalEncoder() })
 *
 * Categories that fit has not seen count as rare, or as nothing where there are no rare ones.
 */
export class TableVectorizer extends OnePassEstimator<
  typeof tableVectorizerParams,
  CellsLike,
  FittedTableVectorizer,
  Design
> {
  static readonly id = "TableVectorizer";
  static readonly table = tableVectorizerParams;
  static readonly capabilities = transformer({ missing: true, categorical: true });
  static readonly madeOf: readonly EstimatorClass[] = [
    ColumnTransformer,
    Pipeline,
    DateParts,
    OneHotEncoder,
    OrdinalEncoder,
    SimpleImputer,
    StandardScaler,
    TargetEncoder,
    TfidfVectorizer,
  ];

  /** `fit(x, y)` and what it makes of its own rows, where target means are of other folds. */
  fitAndTransform(
    x: CellsLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): Transformed<FittedTableVectorizer, Design> {
    const where = this.where("fit");
    const own = beginUnweightedFit(where, y, options);
    // Every entry of a column is looked at, so that sparse rows have to be dense.
    if (x !== null && typeof x === "object" && "indptr" in x) readMatrix(where, x, { sparse: false });
    const frame = readFrame(where, x);
    const targets = y === own || y === undefined || y === null ? undefined : y;
    const { choices, warnings } = vectorizerChoices(where, frame, this.params, (j) => {
      const column = frame.column(j);
      return { kind: column.kind, chosen: () => treatmentOf(column, this.params.maxCategories) };
    });
    const canTarget = targets !== undefined && !isTargetMatrix(targets);
    const { sparseThreshold } = this.params;
    const transformers = vectorizerParts(this.params, frame.names, choices, canTarget);
    const inner = new ColumnTransformer({ transformers, sparseThreshold });
    const { model, X } = inner.fitAndTransform(x, targets, own);
    if (X.cols === 0) refuseAll(where, choices);
    const found = [...warnings, ...droppedWords(choices, model)];
    for (const { message } of found) own.onWarning?.(message);
    return { model: new FittedTableVectorizer(this.params, choices, model, found), X };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedTableVectorizer {
    return FittedTableVectorizer.restore(state, restorePart);
  }
}

type VectorizerValues = ParamValues<typeof tableVectorizerParams>;

/** What is known of a column: `chosen` decides what to do with it, unless the parameters say it. */
interface KnownColumn {
  readonly kind: Column["kind"];
  chosen(): ChosenTreatment;
}

/** What is done with every column, and why; and warnings about those that name rows. */
export function vectorizerChoices(
  where: string,
  { cols, names }: Pick<Frame, "cols" | "names">,
  { columns }: Pick<VectorizerValues, "columns">,
  columnAt: (j: number) => KnownColumn,
): { choices: ColumnChoice[]; warnings: DataWarning[] } {
  const nameOf = (j: number) => names?.[j] ?? j;
  const known = new Set(Array.from({ length: cols }, (_, j) => String(nameOf(j))));
  const unknown = Object.keys(columns).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const expected = `columns of X, which has ${listNames([...known])}`;
    throw new DataError(where, "the names in columns", expected, show(unknown));
  }
  const warnings: DataWarning[] = [];
  const choices = Array.from({ length: cols }, (_, j): ColumnChoice => {
    const { namesRows, ...choice } = choiceOf(nameOf(j), columnAt(j), columns);
    if (namesRows) warnings.push(rowNames(String(nameOf(j)), choice.reason));
    return choice;
  });
  return { choices, warnings };
}

/** The transformers by name: one per treatment, and one per column of text and per column with a treatment of its own. */
export function vectorizerParts(
  params: VectorizerValues,
  names: readonly string[] | undefined,
  choices: readonly ColumnChoice[],
  canTarget: boolean,
): Record<string, ColumnPart> {
  const parts: Record<string, ColumnPart> = {};
  const at = (list: readonly number[]) => (names ? list.map((j) => names![j]!) : list);
  const chosen = (treatment: ColumnChoice["treatment"]) =>
    choices.flatMap((choice, j) => (choice.treatment === treatment ? [j] : []));
  for (const treatment of ["numbers", "booleans", "categories", "manyCategories", "dates"] as const) {
    const list = chosen(treatment);
    if (list.length > 0)
      parts[treatment] = [params[treatment] ?? usual(treatment, params, canTarget), at(list)];
  }
  // A part is named like its column, unless that is the name of a treatment.
  const add = (j: number, part: Remainder) => {
    let name = String(choices[j]!.column);
    while (Object.hasOwn(parts, name) || name === "remainder" || name === "") name += "_";
    parts[name] = [part, at([j])];
  };
  for (const j of chosen("texts")) add(j, params.texts ?? usual("texts", params, canTarget));
  for (const j of chosen("given")) add(j, params.columns[String(choices[j]!.column)]!);
  return parts;
}

function usual(
  treatment: Exclude<Treatment, "drop">,
  params: VectorizerValues,
  canTarget: boolean,
): PartTransformer {
  const { scale, minFrequency, maxTerms, minDf, ngramRange } = params;
  const median = new SimpleImputer({ strategy: "median", keepEmptyFeatures: true });
  const scaler = new StandardScaler();
  switch (treatment) {
    case "numbers":
      return scale ? pipeline(median, scaler) : median;
    case "booleans":
      return new SimpleImputer({ strategy: "mostFrequent" });
    case "categories":
      return new OneHotEncoder({
        drop: "ifBinary",
        handleUnknown: "infrequentIfExist",
        minFrequency: minFrequency === 0 ? null : minFrequency,
      });
    case "manyCategories": {
      const encoder = canTarget
        ? new TargetEncoder()
        : new OrdinalEncoder({
            handleUnknown: "useEncodedValue",
            unknownValue: -1,
            encodedMissingValue: -2,
          });
      return scale ? pipeline(encoder, scaler) : encoder;
    }
    case "dates":
      return scale ? pipeline(new DateParts(), median, scaler) : pipeline(new DateParts(), median);
    case "texts":
      return new TfidfVectorizer({ maxFeatures: maxTerms, minDf, ngramRange });
  }
}

/** What a TableVectorizer of these parameters does with every column of a table: without fitting it, for programs that show it. */
export function columnChoices(
  table: AnyTable,
  params: Params<typeof tableVectorizerParams> = {},
): readonly ColumnChoice[] {
  const read = new TableVectorizer(params).params;
  return table.columnNames.map((name): ColumnChoice => {
    const column = table.column(name);
    const chosen = () => treatmentOf(column, read.maxCategories);
    const { namesRows: _, ...choice } = choiceOf(name, { kind: column.kind, chosen }, read.columns);
    return choice;
  });
}

/** What is done with a column, and whether it is dropped since it names the rows. */
function choiceOf(
  name: string | number,
  { kind, chosen }: KnownColumn,
  columns: VectorizerValues["columns"],
): ColumnChoice & { readonly namesRows?: true } {
  const known = { column: name, kind } as const;
  if (Object.hasOwn(columns, String(name))) return { ...known, treatment: "given", reason: "as given" };
  return { ...known, ...chosen() };
}

export const rowNames = (column: string, reason: string): DataWarning => ({
  code: "row-names",
  column,
  message: `${show(column)} is left out: it ${reason}. columns: { ${show(column)}: … } of tableVectorizer encodes it.`,
});

/** A warning per text column whose vocabulary is larger than the limit. */
function droppedWords(choices: readonly ColumnChoice[], model: FittedColumnTransformer): DataWarning[] {
  return choices.flatMap(({ column, treatment }) => {
    const part = treatment === "texts" ? partOf(model, column) : undefined;
    if (!(part instanceof FittedTfidfVectorizer) || part.termsFound === part.nFeatures) return [];
    const message =
      `Of the ${part.termsFound} words of ${show(column)} the ${part.nFeatures} most frequent ones are used: ` +
      "maxTerms of tableVectorizer is the limit.";
    return { code: "dropped-words", column: String(column), message };
  });
}

export function refuseAll(where: string, choices: readonly ColumnChoice[]): never {
  throw new DataError({
    where,
    subject: "X",
    expected: "a table with a column to learn from",
    received: `only columns that are dropped: ${choices.map(({ column, reason }) => `${show(column)} (${reason})`).join(", ")}`,
    advice: 'columns: { name: "passthrough" } keeps one.',
  });
}

/** `tableVectorizer()`: a table as numbers, each column treated as its content asks for. */
export const tableVectorizer = (params: Params<typeof tableVectorizerParams> = {}): TableVectorizer =>
  new TableVectorizer(params);
