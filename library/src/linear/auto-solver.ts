import { ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import {
  dualLosses,
  type Loss,
  type LossName,
  piecewiseLinearLosses,
  type SmoothLossName,
  smoothLosses,
} from "../losses/loss.js";
import type { Penalty, PenaltyName } from "../penalties/penalties.js";
import { coordinateDescent } from "../solvers/coordinate-descent.js";
import { dualCoordinateDescent } from "../solvers/dual-coordinate-descent.js";
import { interiorPoint } from "../solvers/interior-point.js";
import { lbfgs } from "../solvers/lbfgs.js";
import { newton } from "../solvers/newton.js";
import { proximal } from "../solvers/proximal.js";
import { sgd } from "../solvers/sgd.js";
import type { AnySolver } from "../solvers/solver.js";

/** The fastest solver for a loss, a penalty and the shape of the data; null when nothing minimises their sum. */
export function autoSolver(
  loss: Loss,
  penalty: Penalty["name"],
  x: Design,
  classes: number,
): AnySolver | null {
  const smooth = (smoothLosses as readonly string[]).includes(loss.name);
  const outputs = loss.name === "softmax" ? classes : 1;
  switch (penalty) {
    case "none":
    case "l2":
      if (smooth) return smoothSolver(x, outputs);
      return kinkedSolver(loss, penalty, x);
    case "l1":
    case "elasticNet":
      if (!smooth) return sgd();
      return outputs * (x.cols + 1) <= MAX_JOINT_COEFFICIENTS || outputs === 1
        ? coordinateDescent()
        : proximal();
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

/** The same for JSON. */
export function requireSolvable(where: string, loss: Loss, penalty: Penalty): void {
  const ball = penalty.name === "l1Ball" || penalty.name === "l2Ball";
  if (!ball || (smoothLosses as readonly string[]).includes(loss.name)) return;
  throw new ParameterError({
    where,
    subject: "penalty",
    expected: `none, l1, l2 or elasticNet with the ${loss.name} loss, since no solver minimises it inside a ball`,
    received: penalty.name,
  });
}

/** Above this the joint Hessian of all classes costs more than many cheap proximal steps. */
const MAX_JOINT_COEFFICIENTS = 300;

/** Newton where its Hessian is cheap, else L-BFGS. */
export function smoothSolver(x: Design, outputs: number): AnySolver {
  return prefersNewton(x, outputs) ? newton() : lbfgs();
}

/**
 * Newton's Hessian of side p = outputs · (d + 1) costs n·p²/2 to build and p³/3 to factor. With one output the kernels
 * build it fast and rarely; with several it must be small. With fewer rows than columns it is singular without its
 * penalty, and large for what it tells.
 */
function prefersNewton(x: Design, outputs: number): boolean {
  if (outputs > 1) return x.rows * (outputs * (x.cols + 1)) ** 2 <= 4e6;
  if (x instanceof CsrMatrix) return x.cols <= 100;
  return x.cols <= 30 || (x.cols <= 1000 && x.cols <= 2 * x.rows);
}

function kinkedSolver(loss: Loss, penalty: "none" | "l2", x: Design): AnySolver {
  const linear = (piecewiseLinearLosses as readonly string[]).includes(loss.name);
  if (linear && fitsInteriorPoint(x)) return interiorPoint();
  const dual = penalty === "l2" && (dualLosses as readonly string[]).includes(loss.name);
  return dual ? dualCoordinateDescent() : sgd();
}

/** The interior point factors a matrix of side min(n, d) in every step and wants its rows dense. */
function fitsInteriorPoint(x: Design): boolean {
  const side = Math.min(x.rows, x.cols);
  return x instanceof CsrMatrix ? side <= 500 && x.rows * x.cols <= 2e7 : side <= 1000;
}
