export { gemm, gemv, vectorExp, vectorLog1pExp, vectorSigmoid } from "./products.js";
export { setThreads, threads } from "./threads.js";
