import type { Classifier, Regressor } from "../core/contract.js";
import type { Kernel, KernelFunction } from "../kernel-functions/kernel.js";
import type { KernelName } from "../kernel-functions/kernel-params.js";
import { pipeline } from "../pipeline/pipeline.js";
import type {
  ClassifierPipeline,
  FirstTransformer,
  RegressorPipeline,
  UnsupervisedPipeline,
} from "../pipeline/types.js";
import { KernelMap } from "./kernel-map.js";

/**
 * Kernelises a linear estimator: `kernelize(new LinearSVC(), kernels.rbf({ gamma: 0.1 }))`.
 *
 * Returns a pipeline of KernelMap and the estimator. It is the exact kernel method if the penalty depends on ‖w‖₂ only (l2, none,
 * an l2 ball), since w is then a sum of the φ(xᵢ). Other methods (l1, diagonal covariances) depend on the choice of the feature
 * columns, and so on the order of the rows.
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
