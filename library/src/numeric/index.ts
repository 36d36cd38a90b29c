export { gemm, gemv, vectorExp, vectorLog1pExp, vectorSigmoid } from "./linalg/products.js";
export { setThreads, threads } from "./runtime/threads.js";
