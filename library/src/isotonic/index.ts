export {
  FittedIsotonicRegression,
  IsotonicRegression,
  isotonicRegressionParams,
} from "./isotonic-regression.js";
