/** Convolution and pooling of images; a generic kernel is compiled for f32 and f64. */
export { convolveImages } from "./convolution/direct";
export { addFilterPartials, filterGradientImages } from "./convolution/direct-gradient";
export { addAtPositions, averagePoolGradient, averagePoolRows, maxPoolRows } from "./convolution/pooling";
export { maxQuadGradientRows, maxQuadRows } from "./convolution/quads";
export { addWindows, windowRows } from "./convolution/windows";
export { convolveTiles } from "./convolution/winograd";
export { tileFilterGradient } from "./convolution/winograd-gradient";
export { transformFilters } from "./convolution/winograd-transforms";
