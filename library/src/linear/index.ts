export {
  ConstrainedLasso,
  ConstrainedRidge,
  FittedConstrainedLasso,
  FittedConstrainedRidge,
} from "./constrained.js";
export { ElasticNet, FittedElasticNet } from "./elastic-net.js";
export { ElasticNetCV, FittedElasticNetCV } from "./elastic-net-cv.js";
export {
  FittedLinearClassifier,
  FittedProbabilisticLinearClassifier,
  type Margins,
} from "./fitted-classifier.js";
export { FittedLogisticRegressionCV } from "./fitted-logistic-regression-cv.js";
export { FittedLinearRegressor } from "./fitted-regressor.js";
export { FittedLinearTargets } from "./fitted-targets.js";
export { FittedHuberRegressor, HuberRegressor } from "./huber-regressor.js";
export { FittedLasso, Lasso } from "./lasso.js";
export { FittedLassoCV, LassoCV } from "./lasso-cv.js";
export { LinearClassifier, type LinearClassifierParams } from "./linear-classifier.js";
export { FittedLinearRegression, LinearRegression } from "./linear-regression.js";
export { LinearRegressor, type LinearRegressorParams } from "./linear-regressor.js";
export { FittedLinearSVC, LinearSVC } from "./linear-svc.js";
export { FittedLinearSVR, LinearSVR } from "./linear-svr.js";
export { FittedLogisticRegression, LogisticRegression } from "./logistic-regression.js";
export { LogisticRegressionCV } from "./logistic-regression-cv.js";
export {
  type ElasticNetPathOptions,
  elasticNetPath,
  type LassoPathOptions,
  lassoPath,
  type RegularisationPath,
} from "./paths.js";
export { FittedPerceptron, Perceptron } from "./perceptron.js";
export { FittedPoissonRegressor, PoissonRegressor } from "./poisson-regressor.js";
export { FittedRidge, Ridge } from "./ridge.js";
export { FittedRidgeCV, RidgeCV } from "./ridge-cv.js";
export { FittedRidgeCVTargets } from "./ridge-cv-targets.js";
export { type Hyperplane, isLinearlySeparable, separatingHyperplane } from "./separability.js";
export { FittedProbabilisticSGDClassifier, FittedSGDClassifier, SGDClassifier } from "./sgd-classifier.js";
export { FittedSGDRegressor, SGDRegressor } from "./sgd-regressor.js";
export { FittedSoftmaxRegression, SoftmaxRegression } from "./softmax-regression.js";
