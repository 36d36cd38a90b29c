/** Batch and layer normalisation, and dropout; each kernel is compiled for f32 and f64. */
export {
  batchNormCoefficients,
  batchNormGradientRows,
  batchNormRows,
  batchNormSums,
} from "./normalization/batch-norm";
export { maskRun } from "./normalization/dropout";
export { layerNormGradientRows, layerNormRows } from "./normalization/layer-norm";
export { addGradients, columnMeans, columnMoments, columnScales } from "./normalization/moments";
