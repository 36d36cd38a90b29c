export { FittedProbabilisticSVC, FittedSVC } from "./fitted-svc.js";
export { formatLibsvmModel } from "./format-libsvm-model.js";
export { type KernelName, kernelNames } from "./kernel-params.js";
export type { Gamma, Kernel, KernelFunction } from "./kernel-part.js";
export * as kernels from "./kernels.js";
export { type ParseLibsvmModelOptions, parseLibsvmModel } from "./parse-libsvm-model.js";
export { SVC } from "./svc.js";
export { FittedSVR, SVR } from "./svr.js";
