export {
  ConstrainedLasso,
  ConstrainedRidge,
  FittedConstrainedLasso,
  FittedConstrainedRidge,
} from "./constrained.js";
export { ElasticNetCV, FittedElasticNetCV } from "./cross-validated/elastic-net-cv.js";
export { FittedLogisticRegressionCV } from "./cross-validated/fitted-logistic-regression-cv.js";
export { FittedLassoCV, LassoCV } from "./cross-validated/lasso-cv.js";
export { LogisticRegressionCV } from "./cross-validated/logistic-regression-cv.js";
export type { ElasticNetPathOptions, LassoPathOptions, RegularisationPath } from "./cross-validated/paths.js";
export { elasticNetPath, lassoPath } from "./cross-validated/paths.js";
export { FittedRidgeCV, RidgeCV } from "./cross-validated/ridge-cv.js";
export { FittedRidgeCVTargets } from "./cross-validated/ridge-cv-targets.js";
export { ElasticNet, FittedElasticNet } from "./elastic-net.js";
export type { Margins } from "./fitted-classifier.js";
export { FittedLinearClassifier, FittedProbabilisticLinearClassifier } from "./fitted-classifier.js";
export { FittedLinearRegressor } from "./fitted-regressor.js";
export { FittedLinearTargets } from "./fitted-targets.js";
export { FittedHuberRegressor, HuberRegressor } from "./huber-regressor.js";
export { FittedLasso, Lasso } from "./lasso.js";
export { LinearClassifier, type LinearClassifierParams } from "./linear-classifier.js";
export { FittedLinearRegression, LinearRegression } from "./linear-regression.js";
export { LinearRegressor, type LinearRegressorParams } from "./linear-regressor.js";
export { FittedLinearSVC, LinearSVC } from "./linear-svc.js";
export { FittedLinearSVR, LinearSVR } from "./linear-svr.js";
export { FittedLogisticRegression, LogisticRegression } from "./logistic-regression.js";
export { FittedPerceptron, Perceptron } from "./perceptron.js";
export { FittedPoissonRegressor, PoissonRegressor } from "./poisson-regressor.js";
export { FittedRidge, Ridge } from "./ridge.js";
export { type Hyperplane, isLinearlySeparable, separatingHyperplane } from "./separability.js";
export { FittedProbabilisticSGDClassifier, FittedSGDClassifier, SGDClassifier } from "./sgd-classifier.js";
export { FittedSGDRegressor, SGDRegressor } from "./sgd-regressor.js";
export { FittedSoftmaxRegression, SoftmaxRegression } from "./softmax-regression.js";
