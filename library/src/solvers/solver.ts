import type { LossName } from "../losses/loss.js";
import type { MinimiserStep } from "../minimisers/smooth-function.js";
import type { PenaltyName } from "../penalties/penalties.js";
import type { Solution } from "./objective.js";
import type { Problem } from "./problem.js";

/** The state of a solver between two steps: its progress and coefficients. */
export type SolverStep = MinimiserStep;

/**
 * An optimiser. `L` and `P` are the losses and penalties that it can minimise. They are contravariant: a solver that supports
 * more is accepted where fewer are required, and an illegal combination does not compile.
 */
export interface Solver<L extends LossName = never, P extends PenaltyName = never> {
  readonly name: string;
  readonly losses: readonly LossName[];
  readonly penalties: readonly PenaltyName[];
  /** Yields after every step; returns the solution. Closing the generator frees the memory that it holds. */
  minimise(problem: Problem): Generator<SolverStep, Solution, void>;
  /** Whether far columns of X must not be centred beforehand: the solver does it itself, or its path depends on the origin. */
  keepsOrigin?(problem: Problem): boolean;
  /** Whether NaN and ±∞ in X make the solver throw or end with an objective of NaN, so that X need not be checked beforehand. */
  findsNonFinite?(problem: Pick<Problem, "loss">): boolean;
  /** Whether `converged` means the solver's own stopping rule, which its file states, and not a distance from the minimum. */
  readonly ownStoppingRule?: boolean;
  /** Whether its `gradientNorm` is a duality gap, or is computed from one. */
  readonly reportsGap?: boolean;
  /** The solver to try, in better coordinates, when this one's solution does not pass the check of `verified.ts`. */
  retry?(problem: Problem): AnySolver;
  /** How many more iterations cost less than one of `retry`'s: they are tried first where maxIter was the only reason to stop. */
  worthContinuing?(problem: Problem): number;
  toJSON(): { readonly name: string; readonly [key: string]: string | number | boolean };
  /** Types only: carries L and P. */
  readonly legal?: (loss: L, penalty: P) => void;
}

/** Any solver, where the combination has been checked already. */
export type AnySolver = Solver<never, never>;
