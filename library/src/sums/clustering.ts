/** k-means from sums over rows, from blocks of them, and from a sample of them. */
export { centersReport, requireStart } from "../clustering/enough-rows.js";
export { initOf } from "../clustering/params.js";
export { BlockMeans } from "../numeric/clustering/block-means.js";
export { kMeans } from "../numeric/clustering/k-means.js";
export { frameAround } from "../numeric/clustering/means-memory.js";
