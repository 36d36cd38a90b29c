import { unaryChunk, unaryGradientChunk } from "../generated/tensor-functions.js";
import { basicNames, type Unary } from "./activations.js";

/** Any unary function, with the kernels that have it. */
export const anyFunction = (f: Unary): Unary =>
  basicNames.has(f.name) ? f : { ...f, kernels: { unaryChunk, unaryGradientChunk } };
