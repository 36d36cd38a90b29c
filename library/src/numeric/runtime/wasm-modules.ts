import bayesWasm from "../generated/bayes.js";
import boostingWasm from "../generated/boosting.js";
import choleskyWasm from "../generated/cholesky.js";
import convolutionWasm from "../generated/convolution.js";
import coordinateDescentWasm from "../generated/coordinate-descent.js";
import crc32Wasm from "../generated/crc32.js";
import csvWasm from "../generated/csv.js";
import dualWasm from "../generated/dual.js";
import eigenWasm from "../generated/eigen.js";
import elementaryWasm from "../generated/elementary.js";
import gapDistancesWasm from "../generated/gap-distances.js";
import gemmWasm from "../generated/gemm.js";
import glmWasm from "../generated/glm.js";
import gramWasm from "../generated/gram.js";
import kMeansWasm from "../generated/k-means.js";
import kernelScoresWasm from "../generated/kernel-scores.js";
import kernelSystemWasm from "../generated/kernel-system.js";
import linkageWasm from "../generated/linkage.js";
import mixtureWasm from "../generated/mixture.js";
import neighborsWasm from "../generated/neighbors.js";
import normalizationWasm from "../generated/normalization.js";
import optimizerWasm from "../generated/optimizer.js";
import quadraticWasm from "../generated/quadratic.js";
import quasiNewtonWasm from "../generated/quasi-newton.js";
import sgdWasm from "../generated/sgd.js";
import smoWasm from "../generated/smo.js";
import softmaxWasm from "../generated/softmax.js";
import sparseWasm from "../generated/sparse.js";
import sparseProductsWasm from "../generated/sparse-products.js";
import stumpsWasm from "../generated/stumps.js";
import tensorWasm from "../generated/tensor.js";
import tensorCopiesWasm from "../generated/tensor-copies.js";
import tensorFunctionsWasm from "../generated/tensor-functions.js";
import tensorShapesWasm from "../generated/tensor-shapes.js";
import tensorSparseWasm from "../generated/tensor-sparse.js";
import termTableWasm from "../generated/term-table.js";
import treeShapWasm from "../generated/tree-shap.js";
import treesWasm from "../generated/trees.js";
import { KernelFamily } from "./heap.js";

/** One entry per file in `wasm/`. Marked pure, so that a bundle contains only the families that it uses. */
export const bayesKernels = /* @__PURE__ */ new KernelFamily("bayes", bayesWasm);
export const boostingKernels = /* @__PURE__ */ new KernelFamily("boosting", boostingWasm);
export const choleskyKernels = /* @__PURE__ */ new KernelFamily("cholesky", choleskyWasm);
export const convolutionKernels = /* @__PURE__ */ new KernelFamily("convolution", convolutionWasm);
export const coordinateDescentKernels = /* @__PURE__ */ new KernelFamily(
  "coordinate-descent",
  coordinateDescentWasm,
);
export const crc32Kernels = /* @__PURE__ */ new KernelFamily("crc32", crc32Wasm);
export const csvKernels = /* @__PURE__ */ new KernelFamily("csv", csvWasm);
export const dualKernels = /* @__PURE__ */ new KernelFamily("dual", dualWasm);
export const eigenKernels = /* @__PURE__ */ new KernelFamily("eigen", eigenWasm);
export const elementaryKernels = /* @__PURE__ */ new KernelFamily("elementary", elementaryWasm);
export const gapDistancesKernels = /* @__PURE__ */ new KernelFamily("gap-distances", gapDistancesWasm);
export const gemmKernels = /* @__PURE__ */ new KernelFamily("gemm", gemmWasm);
export const glmKernels = /* @__PURE__ */ new KernelFamily("glm", glmWasm);
export const gramKernels = /* @__PURE__ */ new KernelFamily("gram", gramWasm);
export const quadraticKernels = /* @__PURE__ */ new KernelFamily("quadratic", quadraticWasm);
export const kMeansKernels = /* @__PURE__ */ new KernelFamily("k-means", kMeansWasm);
export const kernelScoresKernels = /* @__PURE__ */ new KernelFamily("kernel-scores", kernelScoresWasm);
export const kernelSystemKernels = /* @__PURE__ */ new KernelFamily("kernel-system", kernelSystemWasm);
export const linkageKernels = /* @__PURE__ */ new KernelFamily("linkage", linkageWasm);
export const mixtureKernels = /* @__PURE__ */ new KernelFamily("mixture", mixtureWasm);
export const neighborsKernels = /* @__PURE__ */ new KernelFamily("neighbors", neighborsWasm);
export const optimizerKernels = /* @__PURE__ */ new KernelFamily("optimizer", optimizerWasm);
export const normalizationKernels = /* @__PURE__ */ new KernelFamily("normalization", normalizationWasm);
export const quasiNewtonKernels = /* @__PURE__ */ new KernelFamily("quasi-newton", quasiNewtonWasm);
export const sgdKernels = /* @__PURE__ */ new KernelFamily("sgd", sgdWasm);
export const smoKernels = /* @__PURE__ */ new KernelFamily("smo", smoWasm);
export const softmaxKernels = /* @__PURE__ */ new KernelFamily("softmax", softmaxWasm);
export const sparseKernels = /* @__PURE__ */ new KernelFamily("sparse", sparseWasm);
export const sparseProductsKernels = /* @__PURE__ */ new KernelFamily("sparse-products", sparseProductsWasm);
export const stumpsKernels = /* @__PURE__ */ new KernelFamily("stumps", stumpsWasm);
export const tensorKernels = /* @__PURE__ */ new KernelFamily("tensor", tensorWasm);
export const tensorCopiesKernels = /* @__PURE__ */ new KernelFamily("tensor-copies", tensorCopiesWasm);
export const tensorFunctionsKernels = /* @__PURE__ */ new KernelFamily(
  "tensor-functions",
  tensorFunctionsWasm,
);
export const tensorSparseKernels = /* @__PURE__ */ new KernelFamily("tensor-sparse", tensorSparseWasm);
export const tensorShapesKernels = /* @__PURE__ */ new KernelFamily("tensor-shapes", tensorShapesWasm);
export const termTableKernels = /* @__PURE__ */ new KernelFamily("term-table", termTableWasm);
export const treeShapKernels = /* @__PURE__ */ new KernelFamily("tree-shap", treeShapWasm);
export const treesKernels = /* @__PURE__ */ new KernelFamily("trees", treesWasm);
