import { classifierCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { type Label, type Labels, readWeights } from "../core/labels.js";
import type { ClassWeight } from "../core/params.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import type { Kernel } from "../kernel-functions/kernel-part.js";
import { type LearningRows, learningRows } from "../kernel-functions/learning-rows.js";

export const kernelClassifierCapabilities: Capabilities = {
  ...classifierCapabilities,
  sparse: true,
  decisionFunction: true,
};

/** Labelled rows, and the kernel bound to them. */
export interface KernelClasses<L extends Label> {
  readonly set: ClassificationSet<L>;
  readonly learning: LearningRows;
}

export function kernelClasses<L extends Label>(
  where: string,
  kernel: Kernel,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
  classWeight: ClassWeight,
): KernelClasses<L> {
  const set = classificationSet(where, x, y, options, { sparse: true }, classWeight);
  const weights = readWeights(where, options.sampleWeight, options.sampleWeight?.length ?? 0);
  // Rows may also be left out for the weight of their class; a precomputed matrix still has all of them as columns.
  const given = weights ?? (set.kept ? new Float64Array(y.length).fill(1) : undefined);
  return { set, learning: learningRows(where, kernel, set, given) };
}
