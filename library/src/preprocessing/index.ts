export type { FunctionName } from "../core/params/named-functions.js";
export type { Scaled } from "../fitted/transformers.js";
export { Binarizer, FittedBinarizer } from "./bins/binarizer.js";
export type { BinEncoding, Binned } from "./bins/bins.js";
export { FittedKBinsDiscretizer, KBinsDiscretizer } from "./bins/k-bins-discretizer.js";
export { FittedThresholdBinner, ThresholdBinner } from "./bins/threshold-binner.js";
export type { Category } from "./encoders/categories.js";
export { type DatePart, DateParts, FittedDateParts } from "./encoders/date-parts.js";
export { FittedLabelBinarizer, LabelBinarizer } from "./encoders/label-binarizer.js";
export { FittedLabelEncoder, LabelEncoder } from "./encoders/label-encoder.js";
export { FittedOneHotEncoder, type OneHot, OneHotEncoder } from "./encoders/one-hot-encoder.js";
export { FittedOrdinalEncoder, OrdinalEncoder } from "./encoders/ordinal-encoder.js";
export { FittedTargetEncoder, TargetEncoder } from "./encoders/target-encoder.js";
export {
  FittedFunctionTransformer,
  FunctionTransformer,
  type Mapped,
  type MatrixFunction,
  type NamesFunction,
} from "./function-transformer.js";
export { FittedSimpleImputer } from "./imputers/fitted-simple-imputer.js";
export { FittedKNNImputer, KNNImputer } from "./imputers/knn-imputer.js";
export { FittedMissingIndicator, type Indicated, MissingIndicator } from "./imputers/missing-indicator.js";
export { type Imputed, SimpleImputer } from "./imputers/simple-imputer.js";
export { FittedPolynomialFeatures, PolynomialFeatures } from "./polynomial-features.js";
export { FittedMaxAbsScaler, MaxAbsScaler } from "./scalers/max-abs-scaler.js";
export { FittedMinMaxScaler, MinMaxScaler } from "./scalers/min-max-scaler.js";
export { FittedNormalizer, Normalizer } from "./scalers/normalizer.js";
export { FittedPowerTransformer, PowerTransformer } from "./scalers/power-transformer.js";
export { FittedQuantileTransformer, QuantileTransformer } from "./scalers/quantile-transformer.js";
export { FittedRobustScaler, RobustScaler } from "./scalers/robust-scaler.js";
export { FittedStandardScaler, StandardScaler } from "./scalers/standard-scaler.js";
export { FittedSplineTransformer, SplineTransformer } from "./spline-transformer.js";
