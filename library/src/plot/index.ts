export { type PlacedNode, type TreeLayout, treeLayout } from "../trees/tree-layout.js";
export { type BarPlotOptions, barPlot, type NamedNumbers } from "./bar-plot.js";
export { type BeeswarmOptions, beeswarmPlot } from "./beeswarm-plot.js";
export { okabeIto } from "./colours.js";
export { confusionMatrixPlot } from "./confusion-matrix-plot.js";
export type {
  CalibrationPoints,
  Curves,
  LearningCurvePoints,
  PrecisionRecallPoints,
  RocPoints,
} from "./curves.js";
export { calibrationPlot, learningCurvePlot, prPlot, rocPlot } from "./curves.js";
export type { PlotOptions } from "./figure.js";
export type { DecisionBoundaryPlotOptions, PartialDependencePlotOptions } from "./grid-plots.js";
export { decisionBoundaryPlot, partialDependencePlot } from "./grid-plots.js";
export type { DendrogramPlotOptions, TreeModel, TreePlotOptions } from "./hierarchy-plots.js";
export { dendrogramPlot, treePlot } from "./hierarchy-plots.js";
export { linePath, stepPath } from "./paths.js";
export { extent, linearScale, type Scale, tickLabels, ticks } from "./scale.js";
