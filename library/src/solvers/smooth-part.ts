import type { Minimiser, TwiceSmoothFunction } from "../minimisers/smooth-function.js";
import { dot } from "../minimisers/vectors.js";
import { evaluateSmooth, isolate, type Objective, requireFiniteSquares } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";

/** Runs a general minimiser on F + ½ l2 ‖w‖², which is all of J without l1 and ball. */
export function* minimiseSmooth(
  problem: Problem,
  minimise: (f: TwiceSmoothFunction, start: Float64Array) => Minimiser,
): Minimiser {
  const objective = openObjective(problem);
  try {
    return yield* minimise(smoothPart(objective), startOf(problem));
  } finally {
    objective.close();
  }
}

/** F + ½ l2 ‖w‖² as a function of θ alone. */
export function smoothPart(objective: Objective): TwiceSmoothFunction {
  const { size, cols, outputs, l2, intercept, hessianCost, scale, floor } = objective;
  const { majorise, preconditioner, renewPreconditioner, warmStarts, borrowHessian } = objective;
  const addPenaltyInto = (out: Float64Array) => {
    requireFiniteSquares(objective, out);
    for (let k = 0; k < outputs; k++) {
      const from = k * (cols + 1);
      for (let j = from; j < from + cols; j++) out[j * size + j]! += l2;
      if (!intercept) isolate(out, size, from + cols);
    }
  };
  return {
    size,
    scale,
    floor,
    hessianCost,
    evaluate: (theta, gradientOut) => evaluateSmooth(objective, theta, gradientOut),
    hessianInto: (out) => {
      objective.hessianInto(out);
      addPenaltyInto(out);
    },
    ...(borrowHessian && {
      borrowHessianInto: (out: Float64Array) => {
        const hessian = borrowHessian();
        if (hessian === undefined) return false;
        out.set(hessian);
        addPenaltyInto(out);
        return true;
      },
    }),
    hessianVectorInto: (v, out) => {
      objective.hessianVectorInto(v, out);
      for (let e = 0; e < size; e++) {
        if (e % (cols + 1) !== cols) out[e]! += l2 * v[e]!;
        else if (!intercept) out[e] = 0;
      }
    },
    // With several outputs the preconditioner is the Hessian at 0 except for the blocks between classes: steps of length 1 fit.
    ...(outputs === 1 ? { curvatureAlong: (v) => curvatureAlong(objective, v) } : {}),
    ...(majorise ? { majorise } : {}),
    ...(preconditioner ? { preconditioner } : {}),
    ...(renewPreconditioner ? { renewPreconditioner } : {}),
    ...(warmStarts ? { warmStarts: () => smoothParts(warmStarts()) } : {}),
  };
}

function* smoothParts(
  objectives: Iterable<Objective>,
): Generator<TwiceSmoothFunction & { close(): void }, void, void> {
  for (const objective of objectives) yield { ...smoothPart(objective), close: () => objective.close() };
}

function curvatureAlong(objective: Objective, v: Float64Array): number {
  const product = new Float64Array(objective.size);
  objective.hessianVectorInto(v, product);
  let curvature = dot(v, product);
  for (let j = 0; j < objective.cols; j++) curvature += objective.l2 * v[j]! * v[j]!;
  return curvature;
}
