/** k-means from sums over rows, and from a sample of them. */
export { centersReport, requireStart } from "../clustering/enough-rows.js";
export { initOf } from "../clustering/params.js";
export { kMeans } from "../numeric/clustering/k-means.js";
