/** Axes of rows that are known by their moments. */
export { pcaOfSums } from "../decomposition/pca.js";
export { truncatedSvdOfSums } from "../decomposition/truncated-svd.js";
