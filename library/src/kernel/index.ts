export { type KernelName, kernelNames, positiveDefinite } from "./kernel-function.js";
export { FittedSVC, SVC } from "./svc.js";
export { FittedSVR, SVR } from "./svr.js";
