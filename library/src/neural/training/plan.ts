import { DataError, ParameterError, show } from "../../core/errors.js";
import type { Label } from "../../core/labels.js";
import { Random } from "../../core/numbers/random.js";
import { requireFinite } from "../../data/input.js";
import { inValidation } from "../../data/validation-rows.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import type { Network } from "../network/network.js";
import { holdOut } from "./hold-out.js";
import { trainLbfgs } from "./lbfgs.js";
import type { NetworkLoss } from "./losses.js";
import type { Optimizer } from "./optimizers.js";
import type { EpochStep, TrainingResult, TrainingRows, TrainingState } from "./task.js";
import { train } from "./trainer.js";

/** How to train, as the parameters of an estimator state it. */
export interface TrainingPlan {
  readonly optimizer: Optimizer;
  readonly dtype: Dtype;
  readonly batchSize: number | "auto";
  readonly maxIter: number;
  /** One epoch was asked for (`partialFit`): that it was the last one is no reason to raise maxIter. */
  readonly onePass?: boolean;
  readonly shuffle: boolean;
  readonly l1: number;
  readonly l2: number;
  readonly clipNorm: number | null;
  readonly tol: number;
  readonly nIterNoChange: number;
  readonly adaptive: boolean;
  readonly earlyStopping: boolean;
  readonly validationFraction: number;
  readonly randomState: number;
}

/** What to train. */
export interface TrainingJob {
  readonly where: string;
  readonly network: Network;
  readonly loss: NetworkLoss;
  readonly rows: TrainingRows;
  /** Accuracy or R² of outputs for these rows. */
  readonly score: (rows: TrainingRows, outputs: Float64Array) => number;
  /** The first parameters, instead of drawn ones. */
  readonly start?: Float64Array | undefined;
  /** Where an earlier training stopped. */
  readonly resume?: TrainingState | undefined;
  /** Rows for early stopping; a fraction of `rows` unless given. */
  readonly validation?: TrainingRows | undefined;
  /** Whether steps keep their state; see `train`. */
  readonly snapshots: boolean;
}

/** Rows per batch unless given: scikit-learn's choice. */
const AUTO_BATCH = 200;

/** Trains a network as the plan says: an epoch per step. */
export function* trainNetwork(
  plan: TrainingPlan,
  job: TrainingJob,
): Generator<EpochStep, TrainingResult, void> {
  const { where, network, loss, resume } = job;
  if (plan.optimizer.name === "lbfgs") requireBatchPlan(where, plan, network);
  network.requireTrainable(where);
  loss.check(where, network.output, job.rows.targets);
  const seeds = new Random(plan.randomState);
  const starts = seeds.split();
  const held = seeds.split();
  const order = seeds.split();
  // Before rows are held out, while they have the numbers that an error names.
  if (plan.earlyStopping) requireFinite(where, job.rows.x);
  if (job.validation) loss.check(inValidation(where), network.output, job.validation.targets);
  const { train: rows, validation } =
    plan.earlyStopping && job.validation === undefined
      ? holdOut(where, job.rows, plan.validationFraction, held)
      : { train: job.rows, validation: job.validation };
  const { rows: scaled, meanWeight } = withMeanOne(rows);
  const task = {
    where,
    network,
    loss,
    rows: scaled,
    validation,
    score: validation && ((outputs: Float64Array) => job.score(validation, outputs)),
    optimizer: plan.optimizer,
    dtype: plan.dtype,
    batchSize: plan.batchSize === "auto" ? AUTO_BATCH : plan.batchSize,
    maxEpochs: plan.maxIter,
    onePass: plan.onePass ?? false,
    shuffle: plan.shuffle,
    l1: plan.l1 / meanWeight,
    l2: plan.l2 / meanWeight,
    clipNorm: plan.clipNorm,
    stopping: { tol: plan.tol, patience: plan.nIterNoChange },
    adaptive: plan.adaptive,
  };
  const start = { theta: job.start ?? network.start(starts), buffers: network.startBuffers() };
  if (resume !== undefined) requireSameOptimizer(where, plan.optimizer, resume);
  if (plan.dtype === "float32") requireSingles(where, start.theta);
  if (plan.optimizer.name === "lbfgs") {
    const { memory } = plan.optimizer.toJSON() as { memory: number };
    return yield* trainLbfgs(task, start, memory, plan.tol);
  }
  const random = resume === undefined ? order : (Random.resume(resume.random) ?? order);
  return yield* train(task, start, random, resume, job.snapshots);
}

/** A training goes on only with the optimiser whose vectors it has. */
function requireSameOptimizer(where: string, { name }: Optimizer, state: TrainingState): void {
  if (name !== "lbfgs" && name === state.optimizer) return;
  throw new ParameterError({
    where,
    subject: "resume",
    expected:
      name === "lbfgs"
        ? "absent with lbfgs, whose steps depend on all steps before them"
        : `a model trained by ${name}`,
    received: `a model trained by ${state.optimizer}`,
  });
}

/** Given weights can be larger than 32 bits hold. */
function requireSingles(where: string, theta: Float64Array): void {
  const large = theta.find((entry) => !Number.isFinite(Math.fround(entry)));
  if (large === undefined) return;
  throw new DataError({
    where,
    subject: "every first weight",
    expected: "at most 3.4e38, since networks work in 32 bits",
    received: show(large),
    advice: 'Set dtype: "float64".',
  });
}

/** L-BFGS compares a smooth function at several points: it must be the same function, and has no epochs to stop early. */
function requireBatchPlan(where: string, plan: TrainingPlan, { varies }: Network): void {
  const refuse = (subject: string, expected: string, received: string, advice: string): never => {
    throw new ParameterError({ where, subject, expected, received, advice });
  };
  if (varies !== undefined)
    refuse(
      "optimizer",
      `a stochastic one, since layer ${varies} (dropout or batch norm) changes the function in every step`,
      "lbfgs",
      "Use adam, or leave the layer out.",
    );
  if (plan.l1 > 0)
    refuse("l1", "0 with lbfgs, which needs a smooth penalty", `${plan.l1}`, "Use alpha, or adam.");
  if (plan.clipNorm !== null)
    refuse("clipNorm", "null with lbfgs, which takes whole gradients", `${plan.clipNorm}`, "Use adam.");
  if (plan.earlyStopping)
    refuse("earlyStopping", "false with lbfgs, which has no epochs", "true", "Use adam, or alpha.");
}

/**
 * Weights with a mean of 1, so that learning rates mean the same with weights and without. Penalties are divided by the mean: a row of
 * weight 2 counts as two rows there, too.
 */
function withMeanOne(rows: TrainingRows): { readonly rows: TrainingRows; readonly meanWeight: number } {
  const { weights } = rows;
  if (weights === undefined) return { rows, meanWeight: 1 };
  const meanWeight = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return { rows: { ...rows, weights: weights.map((weight) => weight / meanWeight) }, meanWeight };
}

/** Throws unless a model to resume is of this network. */
export function requireSameNetwork(where: string, given: Network, network: Network): void {
  const list = ({ parameters }: Network) =>
    parameters.map(({ name, shape }) => `${name} ${shape}`).join(", ");
  const [own, other] = [describe(network), describe(given)];
  if (list(given) === list(network) && own === other) return;
  const same = list(given) === list(network);
  throw new ParameterError({
    where,
    subject: "the model to resume",
    expected: `of the same network (${same ? own : list(network)})`,
    received: same ? other : list(given),
  });
}

/** What the network computes: its layers without how they start, and without what may change between two trainings. */
function describe({ layer }: Network): string {
  const changeable = new Set(["start", "biasStart", "factor", "trainable", "rate", "dropout"]);
  return JSON.stringify(layer, (key, value) => (changeable.has(key) ? undefined : value));
}

/** Throws unless y has the classes of the model: output k stands for class k. */
export function requireSameClasses(where: string, model: object, classes: readonly Label[]): void {
  const { classes: given = [] } = model as { readonly classes?: readonly Label[] };
  if (given.length === classes.length && classes.every((label, k) => label === given[k])) return;
  throw new DataError({
    where,
    subject: "y",
    expected: `labels of the classes of the model to resume, ${show(given)}`,
    received: show(classes),
  });
}
