import { DataError, ParameterError, show } from "../../core/errors.js";
import type { Label } from "../../core/labels.js";
import { Random } from "../../core/numbers/random.js";
import { requireFinite } from "../../data/input.js";
import { inValidation } from "../../data/validation-rows.js";
import type { Network } from "../network/network.js";
import { holdOut } from "./hold-out.js";
import { trainLbfgs } from "./lbfgs.js";
import type { Optimizer } from "./optimizers.js";
import type { EpochStep, TrainingPlan, TrainingResult, TrainingState, TrainingTask } from "./task.js";
import { train } from "./trainer.js";

/** Trains a network as its plan says: an epoch per step. */
export function* trainNetwork(given: TrainingTask): Generator<EpochStep, TrainingResult, void> {
  const { where, network, loss, resume, plan } = given;
  if (plan.optimizer.name === "lbfgs") requireBatchPlan(where, plan, network);
  network.requireTrainable(where);
  loss.check(where, network.output, given.rows.targets);
  const seeds = new Random(plan.randomState);
  const starts = seeds.split();
  const held = seeds.split();
  const order = seeds.split();
  // Before rows are held out, while they have the numbers that an error names.
  if (plan.earlyStopping) requireFinite(where, given.rows.x);
  if (given.validation) loss.check(inValidation(where), network.output, given.validation.targets);
  const drawn = plan.earlyStopping && given.validation === undefined;
  const task = withMeanOne(
    drawn ? { ...given, ...holdOut(where, given.rows, plan.validationFraction, held) } : given,
  );
  const start = { theta: given.start ?? network.start(starts), buffers: network.startBuffers() };
  if (resume !== undefined) requireSameOptimizer(where, plan.optimizer, resume);
  if (plan.dtype === "float32") requireSingles(where, start.theta);
  if (plan.optimizer.name === "lbfgs") {
    const { memory } = plan.optimizer.toJSON() as { memory: number };
    return yield* trainLbfgs(task, start, memory);
  }
  const random = resume === undefined ? order : (Random.resume(resume.random) ?? order);
  return yield* train(task, start, random);
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
  const expected = "at most 3.4e38, since networks work in 32 bits";
  const advice = 'Set dtype: "float64".';
  throw new DataError(where, "every first weight", expected, show(large), advice);
}

/** L-BFGS compares a smooth function at several points: it must be the same function, and has no epochs to stop early. */
function requireBatchPlan(where: string, plan: TrainingPlan, { varies }: Network): void {
  const refuse = (subject: string, expected: string, received: string, advice: string): never => {
    throw new ParameterError(where, subject, expected, received, advice);
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
function withMeanOne(task: TrainingTask): TrainingTask {
  const { rows, plan } = task;
  const { weights } = rows;
  if (weights === undefined) return task;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return {
    ...task,
    rows: { ...rows, weights: weights.map((weight) => weight / mean) },
    plan: { ...plan, l1: plan.l1 / mean, l2: plan.l2 / mean },
  };
}

/** Throws unless a model to resume is of this network. */
export function requireSameNetwork(where: string, given: Network, network: Network): void {
  const list = ({ parameters }: Network) =>
    parameters.map(({ name, shape }) => `${name} ${shape}`).join(", ");
  const [own, other] = [describe(network), describe(given)];
  if (list(given) === list(network) && own === other) return;
  const same = list(given) === list(network);
  const expected = `of the same network (${same ? own : list(network)})`;
  const received = same ? other : list(given);
  throw new ParameterError(where, "the model to resume", expected, received);
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
  const expected = `labels of the classes of the model to resume, ${show(given)}`;
  throw new DataError(where, "y", expected, show(classes));
}
