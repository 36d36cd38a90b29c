import { classifier } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import type { ClassWeight } from "../core/params/params.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import type { Kernel } from "../kernel-functions/kernel.js";
import { type TrainingRows, trainingRows } from "../kernel-functions/training-rows.js";

export const kernelClassifier = (facts: Partial<Capabilities> = {}): Capabilities =>
  classifier({
    sparse: true,
    decisionFunction: true,
    scale: "standard",
    fitPower: 1.7,
    form: "rows",
    ...facts,
  });

/** Labelled rows, and the kernel bound to them. */
export interface KernelClassificationSet<L extends Label> {
  readonly set: ClassificationSet<L>;
  readonly training: TrainingRows;
}

export function kernelClassificationSet<L extends Label>(
  where: string,
  kernel: Kernel,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
  classWeight: ClassWeight,
): KernelClassificationSet<L> {
  const set = classificationSet(where, x, y, options, { sparse: true }, classWeight);
  // Rows may also be dropped for a class weight of 0; a precomputed matrix still has a column for each of them.
  const given = options.sampleWeight ?? (set.kept ? new Float64Array(y.length).fill(1) : undefined);
  return { set, training: trainingRows(where, kernel, set, given) };
}
