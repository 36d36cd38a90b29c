export { FittedGaussianMixture, GaussianMixture, type MixtureStep } from "./gaussian-mixture.js";
export { FittedGaussianMixtureClassifier, GaussianMixtureClassifier } from "./gaussian-mixture-classifier.js";
export type { MixtureSample, SampleOptions } from "./sample.js";
