/**
 * Products, functions of one number, softmax and losses of tensors, in floats (names that end in 32) and
 * doubles (64). A function that ends in `Chunk` is one chunk of a computation: `chunk` is its number, `size`
 * the entries or rows per chunk.
 */
export * from "./tensor/product-chunks";
export * from "./tensor/row-chunks";
export * from "./tensor/unary-chunks";
