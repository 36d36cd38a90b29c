import { AgglomerativeClustering, DBSCAN, KMeans, type Matrix, makeBlobs, makeMoons } from "argmax";
import { loadDataset } from "argmax/datasets";
import { colours, grey, Plane, type Point } from "./plane.js";

/** The figures of docs/guide/clustering.md: the steps of k-means, clusters by density, a dendrogram. */

/** Without black, which is too near to the grey of noise. */
const palette = colours.filter((_, c) => c !== 4);
const point = (X: Matrix, i: number): Point => [X.at(i, 0), X.at(i, 1)];

function kMeansSteps(): string {
  const { X } = makeBlobs({ nSamples: 150, centers: 3, clusterStd: 1.2, centerBox: [-5, 5], randomState: 4 });
  const plane = new Plane("Centres of k-means from step to step", { x: [-8.5, 8.5], y: [-8, 8] });
  const estimator = new KMeans({ nClusters: 3, init: [X.row(0), X.row(1), X.row(2)].map((row) => [...row]) });
  const model = estimator.fit(X);
  for (let i = 0; i < X.rows; i++) plane.dot(point(X, i), 3, `fill="${palette[model.labels[i]!]}"`);
  let before: Matrix | undefined;
  for (const step of estimator.steps(X)) {
    const centers = step.model().clusterCenters;
    for (let k = 0; k < 3; k++) {
      if (before) plane.line(point(before, k), point(centers, k), `stroke="${grey}" stroke-width="1.5"`);
      plane.dot(point(centers, k), 4, `fill="#fff" stroke="${grey}" stroke-width="1.5"`);
    }
    before = centers;
  }
  for (let k = 0; k < 3; k++) plane.dot(point(model.clusterCenters, k), 6, `fill="${grey}"`);
  return plane.toString();
}

function moons(): string {
  const { X } = makeMoons({ nSamples: 250, noise: 0.08, randomState: 3 });
  const plane = new Plane("Clusters of DBSCAN, and noise", { x: [-1.5, 2.5], y: [-1, 1.5] });
  const labels = new DBSCAN({ eps: 0.17 }).fitPredict(X);
  labels.forEach((label, i) => {
    plane.dot(
      point(X, i),
      3,
      label < 0 ? `fill="none" stroke="${grey}"` : `fill="${palette[label % palette.length]}"`,
    );
  });
  return plane.toString();
}

async function irisDendrogram(): Promise<string> {
  const { X, y } = await loadDataset("iris");
  const some = Array.from({ length: 30 }, (_, i) => 5 * i);
  const estimator = new AgglomerativeClustering({ nClusters: 3 });
  const model = estimator.fit(X.selectRows(some));
  return model.toSvg({ labels: some.map((i) => y[i]!), threshold: 5 });
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "k-means-steps.svg": kMeansSteps,
  "dbscan-moons.svg": moons,
  "iris-dendrogram.svg": irisDendrogram,
};
