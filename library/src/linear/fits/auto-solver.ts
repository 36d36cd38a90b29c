import { ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import type { Loss, LossName, SmoothLossName } from "../../losses/loss.js";
import { dualLosses, isSmooth, piecewiseLinearLosses } from "../../losses/loss.js";
import type { Penalty, PenaltyName } from "../../penalties/penalties.js";
import { coordinateDescent } from "../../solvers/coordinate-descent.js";
import { dualCoordinateDescent } from "../../solvers/dual-coordinate-descent.js";
import { interiorPoint } from "../../solvers/interior-point.js";
import { proximal } from "../../solvers/proximal.js";
import { sgd } from "../../solvers/sgd.js";
import type { AnySolver } from "../../solvers/solver.js";
import { prefersCoordinates, smoothSolver } from "./choose-smooth-solver.js";
import { checkCombination } from "./parts.js";

/** The fastest solver for a loss, a penalty and the shape of the data; null when nothing minimises their sum. */
export function autoSolver(
  loss: Loss,
  penalty: Penalty["name"],
  x: Design,
  classes: number,
): AnySolver | null {
  const smooth = isSmooth(loss);
  const outputs = loss.targets === "classes" ? classes : 1;
  switch (penalty) {
    case "none":
    case "l2":
      if (penalty === "l2" && prefersDual(loss, x)) return dualCoordinateDescent();
      if (smooth) return smoothSolver(x, outputs);
      return kinkedSolver(loss, penalty, x);
    case "l1":
    case "elasticNet":
      if (!smooth) return sgd();
      return prefersCoordinates(x, outputs) ? coordinateDescent() : proximal();
    default:
      return smooth ? proximal() : null;
  }
}

/** For typed callers: a loss with kinks inside a ball has no solver. */
export type Solvable<LN extends LossName, PN extends PenaltyName> = [LN] extends [SmoothLossName]
  ? unknown
  : [PN] extends ["l1Ball" | "l2Ball"]
    ? { readonly penalty: "no solver minimises a loss with kinks inside a ball" }
    : unknown;

/** The legality of a combination at run time, for JSON; null chooses the solver from the rows. */
export function requireLegal(
  where: string,
  {
    loss,
    penalty,
    solver,
  }: { readonly loss: Loss; readonly penalty: Penalty; readonly solver: AnySolver | null },
): void {
  if (solver) {
    checkCombination(where, loss, penalty, solver);
    return;
  }
  const ball = penalty.name === "l1Ball" || penalty.name === "l2Ball";
  if (!ball || isSmooth(loss)) return;
  throw new ParameterError({
    where,
    subject: "penalty",
    expected: `none, l1, l2 or elasticNet with the ${loss.name} loss, since no solver minimises it inside a ball`,
    received: penalty.name,
  });
}

/**
 * Sparse rows in more columns than rows: a sweep over the dual variables costs one pass and gains far more than a step
 * of L-BFGS (text of 11,000 × 130,000, squared hinge: 30 sweeps instead of 133 steps, a seventh of the time).
 */
function prefersDual(loss: Loss, x: Design): boolean {
  const dual = (dualLosses as readonly string[]).includes(loss.name);
  return dual && x instanceof CsrMatrix && x.cols >= x.rows;
}

function kinkedSolver(loss: Loss, penalty: "none" | "l2", x: Design): AnySolver {
  const linear = (piecewiseLinearLosses as readonly string[]).includes(loss.name);
  if (linear && fitsInteriorPoint(x)) return interiorPoint();
  const dual = penalty === "l2" && (dualLosses as readonly string[]).includes(loss.name);
  return dual ? dualCoordinateDescent() : sgd();
}

/** The interior-point method factors a matrix of side min(n, d) in every step and requires dense rows. */
function fitsInteriorPoint(x: Design): boolean {
  const side = Math.min(x.rows, x.cols);
  return x instanceof CsrMatrix ? side <= 500 && x.rows * x.cols <= 2e7 : side <= 1000;
}
