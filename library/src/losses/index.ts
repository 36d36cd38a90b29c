export type {
  BinaryLossName,
  ClassificationLossName,
  DualLossName,
  Loss,
  LossJson,
  LossName,
  MarginLoss,
  PiecewiseLinearLossName,
  RegressionLossName,
  SmoothLossName,
} from "./loss.js";
export * from "./losses.js";
