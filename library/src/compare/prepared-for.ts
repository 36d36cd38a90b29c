import type { CascadeStage } from "../cascade/index.js";
import { TableVectorizer } from "../compose/index.js";
import { changed, partsOf } from "../core/composite.js";
import type { Regressor, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { isTable } from "../data/feature-names-in.js";
import { countRows, readSamples } from "../data/select-rows.js";
import { TransformedTargetRegressor } from "../meta/index.js";
import { Pipeline, type PipelineStep } from "../pipeline/index.js";
import { SimpleImputer, StandardScaler } from "../preprocessing/index.js";
import type { Learner } from "../selection/index.js";

/** An estimator of the library. */
export type Unprepared = PipelineStep & { readonly id: string };

/** What X needs before an estimator can read it. */
export interface Needs {
  readonly rows: number;
  /** A table with columns that are no numbers. */
  readonly mixed: boolean;
  readonly missing: boolean;
}

/** The estimator behind the steps that X needs. */
export function prepared(estimator: Unprepared, needs: Needs): Learner {
  const steps: PipelineStep[] = [];
  const last = withScales(estimator, needs);
  const { sparse, missing } = capabilitiesOf(last) ?? {};
  // Words of free text make sparse rows, for models that take them.
  const dense = sparse ? {} : { sparseThreshold: 0 };
  if (needs.mixed) steps.push(new TableVectorizer(dense));
  else if (needs.missing && !missing) steps.push(new SimpleImputer({ strategy: "median" }));
  // TableVectorizer scales.
  if (scaleSensitive.test(estimator.id) && !needs.mixed) steps.push(new StandardScaler());
  if (steps.length === 0) return last as Learner;
  return new Pipeline({ steps: [...steps, last] }) as unknown as Learner;
}

/** The estimator with scaled targets where it needs them, and with each estimator that it is made of scaled as that one needs. */
function withScales(estimator: Unprepared, needs: Needs): PipelineStep {
  if (scaleOfTarget.test(estimator.id)) return withScaledTarget(estimator);
  if (!madeOfOthers.test(estimator.id)) return estimator;
  const { params } = estimator as unknown as Composed;
  const changes = new Map<string, unknown>();
  for (const [name, part] of partsOf(estimator)) {
    const scaled = scaledPart(name, part as Unprepared, params, needs);
    if (scaled !== part) changes.set(name, scaled);
  }
  const stages = params.stages?.map(({ estimator: own, ...stage }) => ({
    ...stage,
    estimator: scaledPart("stages", own as unknown as Unprepared, params, needs),
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
  const inner = name === "regressor" && scaleOfTarget.test(part.id) ? part : withScales(part, needs);
  // The final estimator of a stack learns from predictions, which are of one scale.
  const readsX = name !== "finalEstimator" || passthrough === true || scaleOfTarget.test(part.id);
  if (needs.mixed || !readsX || !scaleSensitive.test(part.id)) return inner;
  return new Pipeline({ steps: [new StandardScaler(), inner] }) as unknown as PipelineStep;
}

/** Estimators that fit others to the columns of X. */
const madeOfOthers =
  /^(Bagging|AdaBoost|Voting|Stacking|OneVs|OutputCode|Calibrated|Threshold|MultiOutput|RegressorChain|TransformedTarget|Cascade)/;

/**
 * Regressors whose defaults are for targets of about unit variance: the tube and C of an SVR, and the first weights of a network. Prices in
 * thousands would otherwise have an R² of 0 or far below.
 */
const scaleOfTarget = /^(SVR|LinearSVR|MLPRegressor)$/;

const withScaledTarget = (estimator: PipelineStep): PipelineStep =>
  new TransformedTargetRegressor({
    regressor: estimator as unknown as Regressor,
    transformer: new StandardScaler(),
  }) as unknown as PipelineStep;

/** Estimators that work with distances or penalties on coefficients: columns must be of one scale. */
const scaleSensitive =
  /^(Logistic|Softmax|Ridge|Lasso|ElasticNet|Constrained|Huber|Poisson|Linear(SV|Class|Regr)|SGD|Perceptron|SV[CR]$|Kernel|KNeighbors|Radius|NearestCentroid|KMeans|MLP|Neural)/;

/**
 * An estimator behind the steps that X needs: a table with categories, dates or text goes through `TableVectorizer`, gaps are filled and
 * columns scaled where the estimator needs it; so is y for `SVR`, `LinearSVR` and `MLPRegressor`. Of an estimator made of others, such as
 * `VotingClassifier`, those are scaled that need it, inside it. The estimator itself, if nothing is needed. `compare` treats its models
 * like this.
 */
export function preparedFor(estimator: PipelineStep, x: Samples): Learner {
  const where = "preparedFor";
  const id = (estimator as { readonly id?: unknown } | null | undefined)?.id;
  if (typeof id !== "string")
    throw new ParameterError({
      where,
      subject: "the estimator",
      expected: "an estimator of the library",
      received: show(estimator),
    });
  const rows = countRows(where, readSamples(where, x));
  return prepared(estimator as Unprepared, needsOf(x, rows));
}

/** What the columns of X need. */
export function needsOf(x: Samples, rows: number): Needs {
  if (!isTable(x)) return { rows, mixed: false, missing: hasNaN(x) };
  const columns = x.columnNames.map((name) => x.column(name));
  return {
    rows,
    mixed: columns.some(({ kind }) => kind !== "numeric" && kind !== "boolean"),
    missing: columns.some(({ missing }) => missing > 0),
  };
}

function hasNaN(x: Samples): boolean {
  const isNaNs = (list: unknown) => ArrayBuffer.isView(list) && (list as Float64Array).some(Number.isNaN);
  const { data, values } = x as { readonly data?: unknown; readonly values?: unknown };
  if (isNaNs(data) || isNaNs(values)) return true;
  return Array.isArray(x) && x.some((row) => (Array.isArray(row) ? row.some(Number.isNaN) : isNaNs(row)));
}
