import { AdaBoostClassifier, AdaBoostRegressor } from "../adaboost/index.js";
import { GaussianNB } from "../bayes/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "../boosting/index.js";
import type { CascadeStage } from "../cascade/index.js";
import { TableVectorizer } from "../compose/index.js";
import { changed, partsOf } from "../core/composite.js";
import type { Regressor, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { isTable } from "../data/feature-names-in.js";
import { countRows, readSamples } from "../data/select-rows.js";
import { LinearDiscriminantAnalysis } from "../discriminant/index.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../forests/index.js";
import {
  ElasticNet,
  LassoCV,
  LinearRegression,
  LinearSVC,
  LogisticRegression,
  RidgeCV,
} from "../linear/index.js";
import { TransformedTargetRegressor } from "../meta/index.js";
import { KNeighborsClassifier, KNeighborsRegressor } from "../neighbors/index.js";
import { MLPClassifier, MLPRegressor } from "../neural/index.js";
import { Pipeline, type PipelineStep } from "../pipeline/index.js";
import { SimpleImputer, StandardScaler } from "../preprocessing/index.js";
import type { Learner } from "../selection/index.js";
import { SVC, SVR } from "../svm/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";

/** A model to be compared. */
export interface Entrant {
  readonly name: string;
  readonly estimator: Learner;
}

/** A model that is left out, and why. */
export interface LeftOut {
  readonly name: string;
  readonly because: string;
}

interface Candidate {
  readonly estimator: PipelineStep & { readonly id: string };
  /** The time of a fit grows with the square of the rows or worse: not above this many. */
  readonly mostRows?: number;
}

// Those that take long come first, so that at the end no worker waits long for another.

const classifiers = (randomState: number): readonly Candidate[] => [
  { estimator: new MLPClassifier({ randomState }) },
  { estimator: new HistGradientBoostingClassifier({ randomState }) },
  { estimator: new AdaBoostClassifier({ randomState }) },
  { estimator: new ExtraTreesClassifier({ randomState }) },
  { estimator: new RandomForestClassifier({ randomState }) },
  { estimator: new DecisionTreeClassifier({ maxDepth: 6, randomState }) },
  { estimator: new SVC(), mostRows: 20_000 },
  { estimator: new KNeighborsClassifier(), mostRows: 50_000 },
  { estimator: new GaussianNB() },
  { estimator: new LinearDiscriminantAnalysis() },
  { estimator: new LinearSVC({ randomState }) },
  { estimator: new LogisticRegression() },
];

const regressors = (randomState: number): readonly Candidate[] => [
  { estimator: new MLPRegressor({ randomState }) },
  { estimator: new HistGradientBoostingRegressor({ randomState }) },
  { estimator: new AdaBoostRegressor({ randomState }) },
  { estimator: new ExtraTreesRegressor({ randomState }) },
  { estimator: new RandomForestRegressor({ randomState }) },
  { estimator: new DecisionTreeRegressor({ maxDepth: 6, randomState }) },
  { estimator: new SVR(), mostRows: 20_000 },
  { estimator: new KNeighborsRegressor(), mostRows: 50_000 },
  { estimator: new ElasticNet() },
  { estimator: new LassoCV(), mostRows: 100_000 },
  { estimator: new RidgeCV(), mostRows: 100_000 },
  { estimator: new LinearRegression() },
];

/** What X needs before an estimator can read it. */
interface Needs {
  readonly rows: number;
  /** A table with columns that are no numbers. */
  readonly mixed: boolean;
  readonly missing: boolean;
}

/** The models for a task, each with the steps that X needs; inside cross-validation these learn from training rows only. */
export function defaultModels(
  task: "classification" | "regression",
  needs: Needs,
  randomState: number,
): { readonly entrants: readonly Entrant[]; readonly leftOut: readonly LeftOut[] } {
  const all = task === "classification" ? classifiers(randomState) : regressors(randomState);
  const slow = all.filter(({ mostRows = Infinity }) => needs.rows > mostRows);
  return {
    entrants: all
      .filter((candidate) => !slow.includes(candidate))
      .map((candidate) => ({ name: candidate.estimator.id, estimator: prepared(candidate, needs) })),
    leftOut: slow.map(({ estimator, mostRows }) => ({
      name: estimator.id,
      because: `its time grows faster than the rows, of which there are more than ${mostRows}`,
    })),
  };
}

function prepared({ estimator }: Candidate, needs: Needs): Learner {
  const steps: PipelineStep[] = [];
  // TableVectorizer scales.
  const last = withScales(estimator, !needs.mixed);
  const { sparse, missing } = capabilitiesOf(last) ?? {};
  // Words of free text make sparse rows, for models that take them.
  const dense = sparse ? {} : { sparseThreshold: 0 };
  if (needs.mixed) steps.push(new TableVectorizer(dense));
  else if (needs.missing && !missing) steps.push(new SimpleImputer({ strategy: "median" }));
  if (scaleSensitive.test(estimator.id) && !needs.mixed) steps.push(new StandardScaler());
  if (steps.length === 0) return last as Learner;
  return new Pipeline({ steps: [...steps, last] }) as unknown as Learner;
}

/**
 * The estimator with scaled targets where it needs them. Each estimator that it is made of is scaled in its own right, with X where
 * `scaled`: a nearest-neighbour member has its scaler in front, a tree beside it has none.
 */
function withScales(estimator: PipelineStep & { readonly id: string }, scaled: boolean): PipelineStep {
  if (scaleOfTarget.test(estimator.id)) return withScaledTarget(estimator);
  if (!madeOfOthers.test(estimator.id)) return estimator;
  const { params } = estimator as unknown as { readonly params: Readonly<Record<string, unknown>> };
  const scaledPart = (name: string, part: PipelineStep & { readonly id: string }): PipelineStep => {
    // A transformer of the target is no learner.
    if (name === "transformer") return part;
    const ownTarget = name === "regressor" && scaleOfTarget.test(part.id);
    const inner = ownTarget ? part : withScales(part, scaled);
    // The final estimator of a stack learns from predictions, which are of one scale.
    const sees = name !== "finalEstimator" || params["passthrough"] === true || scaleOfTarget.test(part.id);
    if (!scaled || !sees || !scaleSensitive.test(part.id)) return inner;
    return new Pipeline({ steps: [new StandardScaler(), inner] }) as unknown as PipelineStep;
  };
  const changes = new Map<string, unknown>();
  const note = (name: string, part: object, fresh: object) => {
    if (fresh !== part) changes.set(name, fresh);
  };
  for (const [name, part] of partsOf(estimator))
    note(name, part, scaledPart(name, part as Candidate["estimator"]));
  const { stages } = params as { readonly stages?: readonly CascadeStage[] };
  if (stages !== undefined) {
    const fresh = stages.map((stage) => {
      const own = stage.estimator as unknown as Candidate["estimator"];
      return { ...stage, estimator: scaledPart("stage", own) };
    });
    if (fresh.some((stage, s) => (stage.estimator as object) !== stages[s]!.estimator))
      changes.set("stages", fresh);
  }
  return changed("preparedFor", estimator, changes) as PipelineStep;
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
  return prepared({ estimator: estimator as Candidate["estimator"] }, needsOf(x, rows));
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
