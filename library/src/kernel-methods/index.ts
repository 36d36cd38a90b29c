export { FittedKernelFisherDiscriminant, KernelFisherDiscriminant } from "./kernel-fisher-discriminant.js";
export { FittedKernelLogisticRegression, KernelLogisticRegression } from "./kernel-logistic-regression.js";
export { FittedKernelMap, KernelMap } from "./kernel-map.js";
export { FittedKernelPerceptron, KernelPerceptron } from "./kernel-perceptron.js";
export { FittedKernelRidge, KernelRidge } from "./kernel-ridge.js";
export { FittedKernelRidgeTargets } from "./kernel-ridge-targets.js";
export { kernelize } from "./kernelize.js";
export { FittedNystroem, Nystroem } from "./nystroem.js";
