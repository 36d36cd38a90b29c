export { FittedProbabilisticSVC, FittedSVC } from "./fitted-svc.js";
export { formatLibsvmModel } from "./format-libsvm-model.js";
export { type ParseLibsvmModelOptions, parseLibsvmModel } from "./parse-libsvm-model.js";
export { SVC, type SvcParams } from "./svc.js";
export { FittedSVR, SVR } from "./svr.js";
