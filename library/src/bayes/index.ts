export { BernoulliNB, FittedBernoulliNB } from "./bernoulli-nb.js";
export { CategoricalNB, type CategoryAlpha, FittedCategoricalNB } from "./categorical-nb.js";
export { type BetaCounts, betaPrior, dirichletPrior, type PseudoCounts } from "./class-priors.js";
export { FittedNaiveBayes } from "./fitted-naive-bayes.js";
export { FittedGaussianNB, GaussianNB } from "./gaussian-nb.js";
export { type EventBlock, FittedMixedNB, MixedNB } from "./mixed-nb.js";
export { ComplementNB, FittedComplementNB, FittedMultinomialNB, MultinomialNB } from "./multinomial-nb.js";
export type { ClassTopFeatures, TopFeature, TopFeaturesOptions } from "./top-features.js";
