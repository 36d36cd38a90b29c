/** The kernels, for `import { kernels } from "argmax"`: `kernels.rbf({ sigma: 2 })`. */
export {
  custom,
  exponentialKernel as exponential,
  inverseMultiquadric,
  laplacian,
  linear,
  multiquadric,
  polynomial,
  precomputed,
  product,
  quadratic,
  rationalQuadratic,
  rbf,
  sigmoidKernel as sigmoid,
  sum,
  thinPlate,
} from "./kernel.js";
