import type { Minimiser, TwiceSmoothFunction } from "../minimisers/smooth-function.js";
import { dot } from "../minimisers/vectors.js";
import { evaluateSmooth, isolate, type Objective, requireFiniteSquares } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import { sampleObjectives } from "./row-objective.js";
import { sharedOf } from "./shared-rows.js";

/** Runs a general minimiser on F + ½ l2 ‖w‖², which is all of J without l1 and ball. */
export function* minimiseSmooth(
  problem: Problem,
  minimise: (f: TwiceSmoothFunction, start: Float64Array) => Minimiser,
): Minimiser {
  const objective = openObjective(problem);
  const { where } = problem;
  const shared = problem.reference ? undefined : sharedOf(problem);
  try {
    const f: TwiceSmoothFunction = {
      ...smoothPart(where, objective),
      hessianCost: hessianCost(problem),
      *warmStarts() {
        for (const sample of sampleObjectives(problem))
          yield { ...smoothPart(where, sample), close: () => sample.close() };
      },
      borrowHessianInto(out) {
        if (shared?.hessian === undefined) return false;
        out.set(shared.hessian);
        addPenaltyInto(where, objective, out);
        return true;
      },
    };
    return yield* minimise(f, startOf(problem));
  } finally {
    objective.close();
  }
}

/** The Gram product needs cols/2 multiplications per entry, a pass 2, at about equal speed per operation. */
function hessianCost({ x, outputs }: Problem): number {
  const side = x.cols + 1;
  return (outputs * side * side) / (4 * x.cols * Math.min(outputs, 2));
}

/** F + ½ l2 ‖w‖² as a function of θ alone. */
export function smoothPart(where: string, objective: Objective): TwiceSmoothFunction {
  const { size, cols, outputs, l2, intercept, magnitude, preconditioners, majorise } = objective;
  return {
    size,
    magnitude,
    preconditioners,
    evaluate: (theta, gradientOut) => evaluateSmooth(objective, theta, gradientOut),
    hessianInto: (out) => {
      objective.hessianInto(out);
      addPenaltyInto(where, objective, out);
      return undefined;
    },
    hessianVectorInto: (v, out) => {
      objective.hessianVectorInto(v, out);
      for (let e = 0; e < size; e++) {
        if (e % (cols + 1) !== cols) out[e]! += l2 * v[e]!;
        else if (!intercept) out[e] = 0;
      }
    },
    // With several outputs the preconditioner is the Hessian at 0 except for the blocks between classes: steps of length 1 fit.
    ...(outputs === 1 && { curvatureAlong: (v: Float64Array) => curvatureAlong(objective, v) }),
    ...(majorise && { majorise }),
  };
}

function addPenaltyInto(
  where: string,
  { size, cols, outputs, l2, intercept }: Objective,
  out: Float64Array,
): void {
  requireFiniteSquares(where, cols, out);
  for (let k = 0; k < outputs; k++) {
    const from = k * (cols + 1);
    for (let j = from; j < from + cols; j++) out[j * size + j]! += l2;
    if (!intercept) isolate(out, size, from + cols);
  }
}

function curvatureAlong(objective: Objective, v: Float64Array): number {
  const product = new Float64Array(objective.size);
  objective.hessianVectorInto(v, product);
  let curvature = dot(v, product);
  for (let j = 0; j < objective.cols; j++) curvature += objective.l2 * v[j]! * v[j]!;
  return curvature;
}
