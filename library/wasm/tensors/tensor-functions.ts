/** Functions of one number that only some networks need: the kernels of `tensor.ts` for the functions outside `basicNames`. */
export { unaryChunk, unaryGradientChunk } from "./tensor-functions/unary";
