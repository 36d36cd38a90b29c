import type { CascadeStage } from "../cascade/index.js";
import { ColumnTransformer } from "../compose/column-transformer.js";
import type { tableVectorizerParams } from "../compose/table-vectorizer.js";
import { columnChoices, rowNames, TableVectorizer } from "../compose/table-vectorizer.js";
import { changed, partsOf } from "../core/composite.js";
import type { Classifier, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf, classFacts } from "../core/estimator.js";
import type { AnyRegressor } from "../core/model-on.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import type { Params, TableOf } from "../core/params/params.js";
import { isTable } from "../data/feature-names-in.js";
import { countRows, readSamples } from "../data/select-rows.js";
import type { DataWarning } from "../data/table/data-warning.js";
import { TransformedTargetRegressor } from "../meta/index.js";
import { Pipeline, type PipelineStep } from "../pipeline/index.js";
import { SimpleImputer, StandardScaler } from "../preprocessing/index.js";
import type { Learner } from "../selection/index.js";
import { TfidfVectorizer } from "../text/index.js";

/** An estimator of the library. */
export type Unprepared = PipelineStep & { readonly id: string };

/** What X needs before an estimator can read it. */
export interface Needs {
  readonly rows: number;
  /** A table with columns that are not numbers. */
  readonly mixed: boolean;
  readonly missing: boolean;
  /** Documents: an array of texts. */
  readonly documents?: boolean | undefined;
  /** Parameters of the TableVectorizer. */
  readonly vectorizer?: VectorizerParams | undefined;
}

export type VectorizerParams = Params<typeof tableVectorizerParams>;

/** The estimator behind the steps that X needs. */
export function prepared(estimator: Unprepared, needs: Needs): Learner {
  if (needs.documents) return preparedForDocuments(estimator, needs);
  const steps: PipelineStep[] = [];
  const last = withScales(estimator, needs);
  const { sparse, missing } = capabilitiesOf(last) ?? {};
  if (needs.mixed)
    steps.push(
      new TableVectorizer({
        // Words of free text make sparse rows, for models that take them.
        ...(sparse ? {} : { sparseThreshold: 0 }),
        ...(classFacts(estimator).manyColumns ? {} : { maxTerms: FEW_TERMS }),
        ...needs.vectorizer,
      }),
    );
  else if (needs.missing && !missing) steps.push(new SimpleImputer({ strategy: "median" }));
  // TableVectorizer scales.
  if (classFacts(estimator).scale && !needs.mixed) steps.push(new StandardScaler());
  if (steps.length === 0) return last as Learner;
  return new Pipeline({ steps: [...steps, last] });
}

/** Words of documents, weighted by tf–idf: rows of length 1, which need no scaling. Estimators that take no sparse rows get dense ones. */
function preparedForDocuments(estimator: Unprepared, needs: Needs): Learner {
  const last = withScales(estimator, { ...needs, mixed: true });
  const { maxTerms, minDf, ngramRange } = needs.vectorizer ?? {};
  const words = new TfidfVectorizer({
    maxFeatures: maxTerms ?? (classFacts(estimator).manyColumns ? null : FEW_TERMS),
    ...(minDf !== undefined && { minDf }),
    ...(ngramRange !== undefined && { ngramRange }),
  });
  const dense = new ColumnTransformer({
    transformers: { words: ["passthrough", "numeric"] },
    sparseThreshold: 0,
  });
  const steps = capabilitiesOf(last)?.sparse ? [words, last] : [words, dense, last];
  return new Pipeline({ steps: steps as readonly PipelineStep[] });
}

/** The estimator with scaled targets where it needs them, and with each estimator that it is made of scaled as that one needs. */
function withScales(estimator: Unprepared, needs: Needs): PipelineStep {
  if (classFacts(estimator).targetScale) return withScaledTarget(estimator);
  if (!classFacts(estimator).composite) return estimator;
  const { params } = estimator as Unprepared & Composed;
  const changes = new Map<string, unknown>();
  for (const [name, part] of partsOf(estimator)) {
    const scaled = scaledPart(name, part as Unprepared, params, needs);
    if (scaled !== part) changes.set(name, scaled);
  }
  const stages = params.stages?.map(({ estimator: own, ...stage }) => ({
    ...stage,
    estimator: scaledPart("stages", own as Classifier & Unprepared, params, needs),
  }));
  if (stages?.some((stage, s) => (stage.estimator as object) !== params.stages![s]!.estimator))
    changes.set("stages", stages);
  return changed("preparedFor", estimator, changes) as PipelineStep;
}

/** What decides how the parts of an estimator are scaled. */
interface Composed {
  readonly params: { readonly passthrough?: boolean; readonly stages?: readonly CascadeStage[] };
}

/** A part of an estimator, by the name of its parameter or its own. Its scaler learns from the rows that it is fitted to. */
function scaledPart(
  name: string,
  part: Unprepared,
  { passthrough }: Composed["params"],
  needs: Needs,
): PipelineStep {
  // TransformedTargetRegressor: the caller has chosen the scale of the targets.
  if (name === "transformer") return part;
  const inner = name === "regressor" && classFacts(part).targetScale ? part : withScales(part, needs);
  // The final estimator of a stack learns from predictions, which are of one scale.
  const readsX = name !== "finalEstimator" || passthrough === true || classFacts(part).targetScale;
  if (needs.mixed || !readsX || !classFacts(part).scale) return inner;
  return new Pipeline({ steps: [new StandardScaler(), inner] });
}

const withScaledTarget = (estimator: PipelineStep): PipelineStep =>
  new TransformedTargetRegressor({
    regressor: estimator as PipelineStep & AnyRegressor,
    transformer: new StandardScaler(),
  });

/**
 * Words of free text for estimators that do not declare `manyColumns`: forests, boosting, networks, distances and penalties chosen by
 * cross-validation would take minutes and gigabytes with 50,000 columns. Measured: 20,000 words of 1,500 texts take RidgeCV 84 s,
 * LassoCV 29 s.
 */
const FEW_TERMS = 300;

/**
 * An estimator behind the steps that X needs: documents go through `TfidfVectorizer`, a table with categories, dates or text goes through `TableVectorizer`, gaps are filled and
 * columns scaled where the estimator needs it; so is y for `SVR`, `LinearSVR`, `MLPRegressor` and `NeuralRegressor`. Of an estimator made of others, such as
 * `VotingClassifier`, those are scaled that need it, inside it. The estimator itself, if nothing is needed. `compare` treats its models
 * like this.
 *
 * Linear models of a given penalty, SVC, SVR and naive Bayes read all words of free text (up to `maxTerms` of TableVectorizer), others the 300 most
 * frequent ones; `vectorizer` has other parameters of TableVectorizer: `{ vectorizer: { maxTerms: 2000, ngramRange: [1, 2] } }`.
 */
export function preparedFor(estimator: PipelineStep, x: Samples, options: PreparationOptions = {}): Learner {
  const where = "preparedFor";
  const { vectorizer } = readOptions(where, preparationOptions, options);
  const id = (estimator as { readonly id?: unknown } | null | undefined)?.id;
  if (typeof id !== "string")
    throw new ParameterError(where, "the estimator", "an estimator of the library", show(estimator));
  const rows = countRows(where, readSamples(where, x));
  return prepared(estimator as Unprepared, { ...needsOf(x, rows), vectorizer });
}

export interface PreparationOptions {
  /** Parameters of the TableVectorizer, where X is a table that needs one. */
  readonly vectorizer?: VectorizerParams | undefined;
}

/** The parameters themselves are checked by TableVectorizer. */
export const vectorizerOption = option<VectorizerParams>(
  "union",
  "Parameters of the TableVectorizer, where X is a table that needs one.",
  "an object of parameters of TableVectorizer",
  (value) => typeof value === "object" && value !== null && !isArrayLike(value),
);

export const preparationOptions = { vectorizer: vectorizerOption } satisfies TableOf<PreparationOptions>;

/** What should be known of the columns of X before models are compared on it. */
export function warningsAbout(x: Samples, vectorizer: VectorizerParams | undefined): readonly DataWarning[] {
  if (!isTable(x)) return [];
  const { warnings = [] } = x as { readonly warnings?: readonly DataWarning[] };
  if (!needsOf(x, x.rows).mixed) return warnings;
  const found = columnChoices(x, vectorizer).flatMap(({ column, treatment, reason }): DataWarning[] => {
    const name = String(column);
    if (treatment === "drop" && reason.startsWith("names the rows")) return [rowNames(name, reason)];
    if (treatment !== "texts" || vectorizer?.maxTerms !== undefined || vectorizer?.texts) return [];
    return [
      {
        code: "limited-words",
        column: name,
        message:
          `${show(name)} is free text, whose words are all read by linear models of a given penalty, SVC and SVR; other models read the ` +
          `${FEW_TERMS} most frequent ones, unless maxTerms of the vectorizer is given.`,
      },
    ];
  });
  return [...warnings, ...found];
}

/** What the columns of X need. */
export function needsOf(x: Samples, rows: number): Needs {
  if (isDocuments(x)) return { rows, mixed: false, missing: false, documents: true };
  if (!isTable(x)) return { rows, mixed: false, missing: hasNaN(x) };
  const columns = x.columnNames.map((name) => x.column(name));
  return {
    rows,
    mixed: columns.some(({ kind }) => kind !== "numeric" && kind !== "boolean"),
    missing: columns.some(({ missing }) => missing > 0),
  };
}

const isDocuments = (x: Samples): boolean => Array.isArray(x) && x.length > 0 && typeof x[0] === "string";

function hasNaN(x: Samples): boolean {
  const isNaNs = (list: unknown) => ArrayBuffer.isView(list) && (list as Float64Array).some(Number.isNaN);
  const { data, values } = x as { readonly data?: unknown; readonly values?: unknown };
  if (isNaNs(data) || isNaNs(values)) return true;
  return Array.isArray(x) && x.some((row) => (Array.isArray(row) ? row.some(Number.isNaN) : isNaNs(row)));
}
