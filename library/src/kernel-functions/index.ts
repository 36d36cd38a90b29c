export type { Gamma, Kernel, KernelFunction } from "./kernel.js";
export { kernelMatrix } from "./kernel-matrix.js";
export { type KernelName, kernelNames } from "./kernel-params.js";
export * as kernels from "./kernels.js";
