import type { FitReport } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression/regression.js";
import { trainNetwork } from "./training/plan.js";
import type { TrainingRows, TrainingState, TrainingTask } from "./training/task.js";

/** A step of a network's training: one epoch. */
export interface NetworkStep<M> extends Step<M> {
  /** Mean loss of the epoch, penalties included. */
  readonly loss: number;
  /** Accuracy or R² of the held-out rows, with early stopping. */
  readonly validationScore: number | undefined;
}
export type NetworkSteps<M> = Generator<NetworkStep<M>, M, void>;

type CodedRows = Pick<ClassificationSet<Label>, "x" | "codes" | "classes" | "weights">;

/** Runs a training; `make` makes models of its states. */
export function* networkSteps<M>(
  task: TrainingTask,
  make: (training: TrainingState, report: FitReport) => M,
): NetworkSteps<M> {
  const epochs = trainNetwork(task);
  const solver = task.plan.optimizer.name;
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

/** The rows of a classifier's task, and their score. */
export const classTask = ({ x, codes, classes, weights }: CodedRows) => ({
  rows: { x, targets: { kind: "classes", codes, classes: classes.length }, weights } as const,
  score: accuracyOf,
});

/** The same of a regressor. */
export const numberTask = ({ x, y, weights }: Pick<RegressionSet, "x" | "y" | "weights">) => ({
  rows: { x, targets: { kind: "numbers", values: y }, weights } as const,
  score: determinationOf,
});

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
