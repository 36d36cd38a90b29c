/** Strided copies and maxima, which a network of dense layers does not need; each kernel is compiled for f32 and f64. */
export { copyItems } from "./tensor-shapes/copy";
export { argmaxOuter, maxGradientOuter, maxOuter, scatterColumns } from "./tensor-shapes/reduce";
