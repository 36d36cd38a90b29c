/** Mixtures from sums over rows, and from a sample of them. */
export { emSteps, type MixtureRowSums } from "../mixture/expectation-maximisation.js";
export { fitMixture, mixtureReport } from "../mixture/fit-mixture.js";
export { type Gaussians, squaresOf } from "../mixture/gaussians.js";
export { givenStart } from "../mixture/starts.js";
export { gaussiansTensors } from "../mixture/state.js";
export type { MixtureFactors, MixtureSums } from "../numeric/mixture/mixture-pass.js";
