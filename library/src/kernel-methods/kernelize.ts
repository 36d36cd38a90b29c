import type { Classifier, Regressor } from "../core/contract.js";
import type { KernelName } from "../kernel-functions/kernel-params.js";
import type { Kernel, KernelFunction } from "../kernel-functions/kernel-part.js";
import { pipeline } from "../pipeline/pipeline.js";
import type {
  ClassifierPipeline,
  FirstTransformer,
  RegressorPipeline,
  UnsupervisedPipeline,
} from "../pipeline/types.js";
import { KernelMap } from "./kernel-map.js";

/**
 * Any linear method in the space of a kernel: `kernelize(new LinearSVC(), kernels.rbf({ gamma: 0.1 }))`.
 *
 * A pipeline of KernelMap and the method. For methods whose penalty depends on ‖w‖₂ only (l2, none, an l2 ball) it is the
 * kernelised form, since their w is a sum of the φ(xᵢ); others (l1, shrunken covariances of single columns) get columns whose
 * products are the kernel, but which of all such columns is a matter of the order of rows.
 */
export function kernelize<E extends Classifier>(
  estimator: E,
  kernel?: KernelName | Kernel | KernelFunction,
): ClassifierPipeline<readonly [KernelMap, E], E>;
export function kernelize<E extends Regressor>(
  estimator: E,
  kernel?: KernelName | Kernel | KernelFunction,
): RegressorPipeline<readonly [KernelMap, E], E>;
export function kernelize<E extends FirstTransformer>(
  estimator: E,
  kernel?: KernelName | Kernel | KernelFunction,
): UnsupervisedPipeline<readonly [KernelMap, E], E>;
export function kernelize(
  estimator: Classifier,
  kernel: KernelName | Kernel | KernelFunction = "rbf",
): unknown {
  return pipeline(new KernelMap({ kernel }), estimator);
}
