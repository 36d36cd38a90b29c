export type { FunctionName } from "../core/named-functions.js";
export { Binarizer, FittedBinarizer } from "./binarizer.js";
export type { BinEncoding, Binned } from "./bins.js";
export type { Category } from "./categories.js";
export { type DatePart, DateParts, FittedDateParts } from "./date-parts.js";
export { FittedSimpleImputer } from "./fitted-simple-imputer.js";
export {
  FittedFunctionTransformer,
  FunctionTransformer,
  type Mapped,
  type MatrixFunction,
  type NamesFunction,
} from "./function-transformer.js";
export { FittedKBinsDiscretizer, KBinsDiscretizer } from "./k-bins-discretizer.js";
export { FittedKNNImputer, KNNImputer } from "./knn-imputer.js";
export { FittedLabelBinarizer, LabelBinarizer } from "./label-binarizer.js";
export { FittedLabelEncoder, LabelEncoder } from "./label-encoder.js";
export { FittedMaxAbsScaler, MaxAbsScaler } from "./max-abs-scaler.js";
export { FittedMinMaxScaler, MinMaxScaler } from "./min-max-scaler.js";
export { FittedMissingIndicator, type Indicated, MissingIndicator } from "./missing-indicator.js";
export { FittedNormalizer, Normalizer } from "./normalizer.js";
export { FittedOneHotEncoder, type OneHot, OneHotEncoder } from "./one-hot-encoder.js";
export { FittedOrdinalEncoder, OrdinalEncoder } from "./ordinal-encoder.js";
export { FittedPolynomialFeatures, PolynomialFeatures } from "./polynomial-features.js";
export { FittedPowerTransformer, PowerTransformer } from "./power-transformer.js";
export { FittedQuantileTransformer, QuantileTransformer } from "./quantile-transformer.js";
export { FittedRobustScaler, RobustScaler } from "./robust-scaler.js";
export { type Imputed, SimpleImputer } from "./simple-imputer.js";
export { FittedSplineTransformer, SplineTransformer } from "./spline-transformer.js";
export { FittedStandardScaler, type Scaled, StandardScaler } from "./standard-scaler.js";
export { FittedTargetEncoder, TargetEncoder } from "./target-encoder.js";
export { FittedThresholdBinner, ThresholdBinner } from "./threshold-binner.js";
