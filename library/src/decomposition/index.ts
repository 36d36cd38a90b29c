export { FittedKernelPCA, KernelPCA } from "./kernel-pca.js";
export { FittedPCA, PCA } from "./pca.js";
export { FittedTruncatedSVD, TruncatedSVD } from "./truncated-svd.js";
