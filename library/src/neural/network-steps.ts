import type { FitReport } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression/regression.js";
import type { Network } from "./network/network.js";
import { crossEntropy, type NetworkLoss } from "./training/losses.js";
import { type TrainingPlan, trainNetwork } from "./training/plan.js";
import type { EpochStep, TrainingResult, TrainingRows, TrainingState } from "./training/task.js";

/** A step of a network's training: one epoch. */
export interface NetworkStep<M> extends Step<M> {
  /** Mean loss of the epoch, penalties included. */
  readonly loss: number;
  /** Accuracy or R² of the held-out rows, with early stopping. */
  readonly validationScore: number | undefined;
}
export type NetworkSteps<M> = Generator<NetworkStep<M>, M, void>;

/** What a fit begins with, besides the plan and the rows. */
export interface Beginning {
  readonly start?: Float64Array | undefined;
  readonly resume?: TrainingState | undefined;
  readonly snapshots: boolean;
  /** Rows for early stopping that `fit` was given. */
  readonly validation?: TrainingRows | undefined;
  /** Of a classifier: cross-entropy unless given. */
  readonly loss?: NetworkLoss | undefined;
}

/** Trains a classifier; `make` builds its model from a state of the training. */
export function classifierSteps<L extends Label, M>(
  where: string,
  plan: TrainingPlan,
  network: Network,
  set: ClassificationSet<L>,
  { loss = crossEntropy, ...beginning }: Beginning,
  make: (training: TrainingState, report: FitReport) => M,
): NetworkSteps<M> {
  const { x, codes, classes, weights } = set;
  const rows: TrainingRows = { x, targets: { kind: "classes", codes, classes: classes.length }, weights };
  const steps = trainNetwork(plan, {
    where,
    network,
    loss,
    rows,
    score: accuracyOf,
    ...beginning,
  });
  return modelSteps(plan, steps, make);
}

/** The same for a regressor. */
export function regressorSteps<M>(
  where: string,
  plan: TrainingPlan,
  network: Network,
  loss: NetworkLoss,
  set: RegressionSet,
  beginning: Beginning,
  make: (training: TrainingState, report: FitReport) => M,
): NetworkSteps<M> {
  const { x, y, weights } = set;
  const rows: TrainingRows = { x, targets: { kind: "numbers", values: y }, weights };
  const steps = trainNetwork(plan, { ...beginning, where, network, loss, rows, score: determinationOf });
  return modelSteps(plan, steps, make);
}

function* modelSteps<M>(
  plan: TrainingPlan,
  epochs: Generator<EpochStep, TrainingResult, void>,
  make: (training: TrainingState, report: FitReport) => M,
): NetworkSteps<M> {
  const solver = plan.optimizer.name;
  const report = (
    state: TrainingState,
    rest: Pick<FitReport, "converged" | "gradientNorm" | "warnings">,
    objective?: number,
  ) => ({
    ...rest,
    iterations: state.epoch,
    objective: objective ?? epochLoss(state),
    solver,
  });
  try {
    for (;;) {
      const next = epochs.next();
      if (next.done) {
        const { state, converged, gradientNorm, warnings, objective } = next.value;
        return make(state, report(state, { converged, gradientNorm, warnings }, objective));
      }
      const step = next.value;
      const model = () => {
        const state = step.state();
        return make(state, report(state, { converged: false, gradientNorm: Infinity, warnings: [] }));
      };
      const { iteration, total, objective, gradientNorm, loss, validationScore } = step;
      yield { iteration, total, objective, gradientNorm, loss, validationScore, model };
    }
  } finally {
    epochs.return(undefined as never);
  }
}

/** The training loss of the epoch whose weights the model has: that of the best validation score, or the last one. */
function epochLoss({ lossCurve, validationScores, best }: TrainingState): number {
  const watched = best ? lossCurve.slice(-validationScores.length) : lossCurve;
  return watched.at(best ? argmax(validationScores) : -1) ?? Infinity;
}

/** Fraction of rows whose class has the largest output; one output: its sign. */
function accuracyOf({ targets, weights }: TrainingRows, outputs: Float64Array): number {
  if (targets.kind !== "classes") return 0;
  const { codes } = targets;
  const units = outputs.length / codes.length;
  let right = 0;
  let total = 0;
  for (let i = 0; i < codes.length; i++) {
    const weight = weights ? weights[i]! : 1;
    const k = units === 1 ? (outputs[i]! > 0 ? 1 : 0) : argmax(outputs, i * units, units);
    if (k === codes[i]) right += weight;
    total += weight;
  }
  return right / total;
}

/** R², as far as it is defined: outputs that are not finite count as the worst. */
function determinationOf({ targets, weights }: TrainingRows, outputs: Float64Array): number {
  if (targets.kind !== "numbers" || !outputs.every(Number.isFinite)) return -Number.MAX_VALUE;
  return r2Score(targets.values, outputs, weights ? { sampleWeight: weights } : {});
}
