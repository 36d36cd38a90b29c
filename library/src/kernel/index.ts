export { FittedProbabilisticSVC, FittedSVC } from "./fitted-svc.js";
export { type KernelName, kernelNames } from "./kernel-params.js";
export type { Gamma, Kernel, KernelFunction } from "./kernel-part.js";
export * as kernels from "./kernels.js";
export { SVC } from "./svc.js";
export { FittedSVR, SVR } from "./svr.js";
