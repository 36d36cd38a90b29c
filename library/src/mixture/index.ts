export { FittedGaussianMixture, GaussianMixture, type MixtureStep } from "./gaussian-mixture.js";
export type { MixtureSample, SampleOptions } from "./sample.js";
