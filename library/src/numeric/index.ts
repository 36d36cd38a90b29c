export { maxOf, minOf, pushAll } from "../core/numbers/extremes.js";
export { gemm, gemv, vectorExp, vectorLog1pExp, vectorSigmoid } from "./linalg/products.js";
export { allowedThreads, setThreads, threads } from "./runtime/threads.js";
