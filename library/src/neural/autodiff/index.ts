export type { NdArray, NestedNumbers, TensorLike } from "./arrays.js";
export { type Operand, tensor } from "./computation.js";
export type { ComputationOptions, Gradients, Inputs, NumbersOf, TensorFunction } from "./differentiate.js";
export { evaluate, grad, valueAndGrad } from "./differentiate.js";
export { ComputationGraph, computationGraph, type GraphNode, type GraphOptions } from "./graph.js";
export { add, divide, maximum, minimum, multiply, subtract } from "./ops/arithmetic.js";
export { dense } from "./ops/dense.js";
export {
  abs,
  cos,
  exp,
  gaussian,
  gelu,
  heaviside,
  inverseMultiquadric,
  leakyRelu,
  log,
  negative,
  power,
  reciprocal,
  relu,
  scale,
  sigmoid,
  sign,
  sin,
  softplus,
  sqrt,
  square,
  tanh,
  twoStep,
} from "./ops/functions.js";
export type { ConvolutionOptions, Padding, WindowOptions } from "./ops/images.js";
export { averagePool, conv2d, maxPool } from "./ops/images.js";
export { batchNorm, dropout, layerNorm } from "./ops/normalization.js";
export { matmul } from "./ops/products.js";
export { max, mean, type ReductionOptions, sum } from "./ops/reductions.js";
export { broadcastTo, concat, gather, pad, reshape, slice, transpose } from "./ops/shapes.js";
export {
  logSoftmax,
  sigmoidCrossEntropy,
  softmax,
  softmaxCrossEntropy,
  squaredError,
} from "./ops/softmax.js";
export type { Shape } from "./shape.js";
export type { Tensor } from "./tensor.js";
