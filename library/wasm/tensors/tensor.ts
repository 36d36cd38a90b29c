/**
 * Products, functions of one number, softmax and losses of tensors; each kernel is compiled for f32 and f64. A function
 * that ends in `Chunk` is one chunk of a computation: `chunk` is its number, `size` the entries or rows per chunk.
 */
export { sigmoidCrossEntropyChunk } from "./tensor/losses";
export * from "./tensor/product-chunks";
export * from "./tensor/row-chunks";
export { unaryChunk, unaryGradientChunk } from "./tensor/unary";
