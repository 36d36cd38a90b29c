import type { FitReport, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { restoreParams } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { ClassWeight, ParamsTable, ParamValues } from "../core/params/params.js";
import { readReport } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { classificationSet, regressionSet } from "../data/training-set.js";
import {
  inValidation,
  requireEarlyStopping,
  type ValidationRows,
  validationClasses,
  validationTargets,
} from "../data/validation-rows.js";
import { type Shape, sizeOf } from "./autodiff/shape.js";
import { type FittedNetwork, type NetworkState, requireSameImages } from "./fitted-network.js";
import type { Network } from "./network/network.js";
import type { NetworkFitOptions } from "./network-params.js";
import { classTask, type NetworkSteps, networkSteps, numberTask } from "./network-steps.js";
import { crossEntropy, type NetworkLoss } from "./training/losses.js";
import { requireSameClasses, requireSameNetwork } from "./training/plan.js";
import { readTraining } from "./training/state.js";
import type { TrainingPlan, TrainingRows, TrainingStart, TrainingState } from "./training/task.js";

/** Columns are found by the names that the model to go on from knows. */
const rulesFor = ({ fitOptions }: NetworkRecipe, options: NetworkFitOptions<FittedNetwork>) => ({
  sparse: true,
  keepSingles: true,
  deferFiniteCheck: true,
  options: fitOptions,
  ...(options?.resume && { like: options.resume }),
});

/** What an estimator says of its network. */
export interface NetworkRecipe {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly plan: TrainingPlan;
  readonly fitOptions: ParamsTable;
  /** The first parameters, instead of drawn ones. */
  start?(where: string, network: Network): Float64Array | undefined;
  /** The shape of one row of X as given; `design` are the rows to learn from. */
  inputShape(where: string, x: MatrixLike, design: Design): Shape;
}

export interface ClassifierRecipe extends NetworkRecipe {
  /** What the report says besides: filled by `inputShape`. */
  readonly warnings?: readonly string[];
  readonly classWeight: ClassWeight;
  readonly loss?: NetworkLoss;
  network(where: string, input: Shape, classes: number): Network;
}

export interface RegressorRecipe extends NetworkRecipe {
  readonly loss: NetworkLoss;
  network(where: string, input: Shape): Network;
}

/** Outputs of a network that decides between classes: one decides between two. */
export const classOutputs = (classes: number): number => (classes === 2 ? 1 : classes);

/** What a network learns with, besides its rows. */
interface Learning extends TrainingStart {
  readonly where: string;
  readonly network: Network;
}

/** The training of a classifier, an epoch per step. */
export function learnClassifier<L extends Label, M extends FittedNetwork>(
  where: string,
  recipe: ClassifierRecipe,
  x: MatrixLike,
  y: Labels<L>,
  options: NetworkFitOptions<M>,
  snapshots: boolean,
  make: (state: NetworkState, classes: readonly L[]) => M,
): NetworkSteps<M> {
  const set = classificationSet(where, x, y, options, rulesFor(recipe, options), recipe.classWeight);
  const { classes } = set;
  if (options.resume !== undefined) requireSameClasses(where, options.resume, classes);
  const network = recipe.network(where, recipe.inputShape(where, x, set.x), classes.length);
  const validation = validationOf(recipe, options, where, (given) => {
    const own = validationClasses(where, given, classes, readerFor(network, set));
    return classTask({ ...own, classes }).rows;
  });
  const begin = beginningOf(where, recipe, network, options);
  return trainClassifier(recipe, set, { where, network, ...begin, validation, snapshots }, make);
}

/** The same for rows that are read already. */
export function trainClassifier<L extends Label, M extends FittedNetwork>(
  recipe: ClassifierRecipe,
  set: ClassificationSet<L>,
  learning: Learning,
  make: (state: NetworkState, classes: readonly L[]) => M,
): NetworkSteps<M> {
  const { plan, loss = crossEntropy, warnings = [] } = recipe;
  return networkSteps({ ...learning, plan, loss, ...classTask(set) }, (training, report) => {
    const all = { ...report, warnings: [...warnings, ...report.warnings] };
    return make(stateOf(recipe, learning.network, training, all, set.featureNamesIn), set.classes);
  });
}

/** The training of a regressor, an epoch per step. */
export function learnRegressor<M extends FittedNetwork>(
  where: string,
  recipe: RegressorRecipe,
  x: MatrixLike,
  y: NumberArray,
  options: NetworkFitOptions<M>,
  snapshots: boolean,
  make: (state: NetworkState) => M,
): NetworkSteps<M> {
  const set = regressionSet(where, x, y, options, rulesFor(recipe, options));
  const network = recipe.network(where, recipe.inputShape(where, x, set.x));
  const validation = validationOf(recipe, options, where, (given) => {
    const own = validationTargets(where, given, readerFor(network, set));
    requireSpread(where, own.y);
    return numberTask(own).rows;
  });
  const begin = beginningOf(where, recipe, network, options);
  return trainRegressor(recipe, set, { where, network, ...begin, validation, snapshots }, make);
}

/** The same for rows that are read already. */
export function trainRegressor<M extends FittedNetwork>(
  recipe: RegressorRecipe,
  set: RegressionSet,
  learning: Learning,
  make: (state: NetworkState) => M,
): NetworkSteps<M> {
  const { plan, loss } = recipe;
  return networkSteps({ ...learning, plan, loss, ...numberTask(set) }, (training, report) =>
    make(stateOf(recipe, learning.network, training, report, set.featureNamesIn)),
  );
}

/** `partialFit` as one more epoch of the training of `model`, or the first one of a new model. */
export function oneEpoch<R extends NetworkRecipe>(
  where: string,
  recipe: R,
  network: Network,
  model: FittedNetwork | null,
  resume: TrainingState | undefined,
): { readonly recipe: R; readonly learning: Learning } {
  if (model) requireSameNetwork(where, model.network, network);
  const plan = { ...recipe.plan, maxIter: (resume?.epoch ?? 0) + 1, onePass: true };
  return { recipe: { ...recipe, plan }, learning: { where, network, resume, snapshots: false } };
}

/** The rows that `fit` was given for early stopping, if any. */
function validationOf(
  { plan }: NetworkRecipe,
  { validation }: NetworkFitOptions<FittedNetwork>,
  where: string,
  read: (given: ValidationRows) => TrainingRows,
): TrainingRows | undefined {
  if (validation === undefined) return undefined;
  requireEarlyStopping(where, plan.earlyStopping);
  return read(validation);
}

/** R² of equal targets is not defined. */
function requireSpread(where: string, y: Float64Array): void {
  if (y.some((value) => value !== y[0])) return;
  const expected = "of two different numbers or more, since R² of the rows is compared";
  throw new DataError(inValidation(where), "y", expected, `only ${show(y[0])}`);
}

/** Reads rows as the model will at predict time. */
const readerFor =
  (
    network: Network,
    { x, featureNamesIn }: { readonly x: Design; readonly featureNamesIn?: readonly string[] | undefined },
  ) =>
  (where: string, given: MatrixLike): Design => {
    requireSameImages(where, given, network.input);
    const like = { nFeatures: x.cols, featureNamesIn };
    return readMatrix(where, given, { like, sparse: true, keepSingles: true });
  };

function beginningOf(
  where: string,
  recipe: NetworkRecipe,
  network: Network,
  { resume }: NetworkFitOptions<FittedNetwork>,
) {
  if (resume !== undefined) requireSameNetwork(where, resume.network, network);
  return { start: recipe.start?.(where, network), resume: resume?.training };
}

const stateOf = (
  { id, params, plan }: NetworkRecipe,
  network: Network,
  training: TrainingState,
  report: FitReport,
  featureNamesIn: readonly string[] | undefined,
): NetworkState => ({ id, params, network, dtype: plan.dtype, training, report, featureNamesIn });

const isShape = (value: unknown): value is Shape =>
  Array.isArray(value) && value.length > 0 && value.every((size) => Number.isSafeInteger(size) && size >= 1);

/** A saved classifier, which was fitted with parameters of `table`. */
export function restoredClassifier<T extends ParamsTable, M>(
  state: ModelState,
  table: T,
  recipeOf: (params: ParamValues<T>) => ClassifierRecipe,
  Fitted: new (state: NetworkState, classes: readonly Label[]) => M,
): M {
  const reader = new StateReader(state);
  const recipe = recipeOf(restoreParams(table, reader));
  const classes = reader.labels("classes", 2);
  const input = reader.value("inputShape", "the sizes of a row", isShape);
  const network = recipe.network(reader.where, input, classes.length);
  const outputs = sizeOf(network.output);
  if (outputs !== classes.length && !(outputs === 1 && classes.length === 2))
    reader.fail("classes", `as many as the network has outputs, ${outputs}`, `${classes.length}`);
  return new Fitted(restored(reader, recipe, network), classes);
}

/** A saved regressor. */
export function restoredRegressor<T extends ParamsTable, M>(
  state: ModelState,
  table: T,
  recipeOf: (params: ParamValues<T>) => RegressorRecipe,
  Fitted: new (state: NetworkState) => M,
): M {
  const reader = new StateReader(state);
  const recipe = recipeOf(restoreParams(table, reader));
  const input = reader.value("inputShape", "the sizes of a row", isShape);
  return new Fitted(restored(reader, recipe, recipe.network(reader.where, input)));
}

function restored(reader: StateReader, recipe: NetworkRecipe, network: Network): NetworkState {
  const training = readTraining(reader, network, recipe.plan.dtype);
  const featureNamesIn = readFeatureNames(reader, sizeOf(network.input));
  return stateOf(recipe, network, training, readReport(reader), featureNamesIn);
}
