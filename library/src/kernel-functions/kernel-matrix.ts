import type { MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { denseWithin } from "../data/dense-within.js";
import { featureNamesOf } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows, lowerKernelMatrix } from "../numeric/kernel-functions/kernel-scores.js";
import type { KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import { withArena } from "../numeric/runtime/arena.js";
import { Expansion } from "./expansion.js";
import { custom, isKernel, type Kernel, type KernelFunction, kernelFromJson } from "./kernel.js";
import { bindKernel, type KernelName } from "./kernel-params.js";

/**
 * The kernel matrix k(x, z) of all rows of X and all rows of Z (default: X): one row per row of X, one column per row of Z.
 *
 *   kernelMatrix(kernels.rbf({ gamma: 0.5 }), X)
 *
 * A name stands for that kernel with its defaults; gamma "scale" and "auto" are computed from X.
 * Parity: scikit-learn's pairwise_kernels.
 */
export function kernelMatrix(
  kernel: Exclude<KernelName, "precomputed"> | Kernel | KernelFunction,
  x: MatrixLike,
  z?: MatrixLike,
): Matrix {
  const where = "kernelMatrix";
  const rows = readMatrix(where, x, { sparse: true });
  const like = { nFeatures: rows.cols, featureNamesIn: featureNamesOf(x) };
  const others = z === undefined ? rows : readMatrix(where, z, { sparse: true, like });
  const bound = bindKernel(readKernel(where, kernel), rows, undefined);
  if (bound.kind === "tree") {
    return z === undefined
      ? symmetric(where, rows, bound.tree)
      : kernelRows(where, rows, kernelPoints(others, bound.tree), bound.tree);
  }
  const points = denseWithin(where, others, "a kernel that is a function needs");
  const own = Int32Array.from({ length: points.rows }, (_, t) => t);
  const coef = Matrix.zeros(0, points.rows);
  const parts = {
    kernel: bound,
    points,
    rows: own,
    nFeatures: rows.cols,
    coef,
    intercept: new Float64Array(0),
  };
  return new Expansion(parts).values(where, rows);
}

function readKernel(where: string, kernel: unknown): Kernel {
  const read =
    typeof kernel === "function"
      ? custom(kernel as KernelFunction)
      : isKernel(kernel)
        ? kernel
        : kernelFromJson({ name: kernel });
  if (read !== undefined && read.name !== "precomputed") return read;
  const expected = "the name of a kernel of rows, one of kernels.…, or a function of two rows";
  throw new ParameterError(where, "kernel", expected, show(read ? read.name : kernel));
}

/** Computes the lower half and copies it. */
function symmetric(where: string, x: Design, tree: KernelTree): Matrix {
  const n = x.rows;
  return withArena(where, (arena) => {
    const data = lowerKernelMatrix(arena, x, kernelPoints(x, tree), tree).array.slice() as Float64Array;
    for (let s = 0; s < n; s++) for (let t = 0; t < s; t++) data[t * n + s] = data[s * n + t]!;
    return new Matrix(data, n, n);
  });
}
