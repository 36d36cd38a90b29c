export { gemm, gemv, vectorExp, vectorLog1pExp, vectorSigmoid } from "./linalg/products.js";
export { allowedThreads, setThreads, threads } from "./runtime/threads.js";
