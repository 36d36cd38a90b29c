export { AgglomerativeClustering, FittedAgglomerativeClustering } from "./agglomerative-clustering.js";
export { DBSCAN, FittedDBSCAN } from "./dbscan.js";
export type { Dendrogram, DendrogramLink, DendrogramSvgOptions } from "./dendrogram.js";
export { FittedKMeans, KMeans } from "./k-means.js";
export { FittedMiniBatchKMeans, MiniBatchKMeans } from "./mini-batch-k-means.js";
