import { GaussianMixture, Matrix, makeBlobs } from "argmax";
import { colours, grey, Plane, type Point } from "./plane.js";

/** The figure of docs/guide/mixtures.md: rows, the ellipses of the components, and a contour of the density. */

const rowsOf = (points: readonly Point[]) => new Matrix(Float64Array.from(points.flat()), points.length, 2);

function ellipses(): string {
  const { X } = makeBlobs({
    nSamples: 240,
    centers: [
      [-2, 0],
      [2, 1.5],
    ],
    clusterStd: 0.7,
    randomState: 3,
  });
  // Two round clusters, stretched along the first axis and sheared.
  for (let i = 0; i < X.rows; i++) {
    const [a, b] = [X.at(i, 0), X.at(i, 1)];
    X.data.set([1.3 * a + 0.8 * b, b - 0.3 * a], 2 * i);
  }
  const mixture = new GaussianMixture({ nComponents: 2 });
  const model = mixture.fit(X);
  const plane = new Plane("Two Gaussians and the rows they were fitted to", { x: [-6, 7], y: [-3, 4.5] });
  const parts = model.predict(X);
  for (let i = 0; i < X.rows; i++)
    plane.dot([X.at(i, 0), X.at(i, 1)], 2.5, `fill="${colours[parts[i]!]}" fill-opacity="0.6"`);
  for (let k = 0; k < 2; k++) {
    const P = model.precision(k);
    const [m0, m1] = [model.means.at(k, 0), model.means.at(k, 1)];
    const distance = ([x, y]: Point) =>
      P.at(0, 0) * (x - m0) ** 2 + 2 * P.at(0, 1) * (x - m0) * (y - m1) + P.at(1, 1) * (y - m1) ** 2;
    for (const deviations of [1, 2]) {
      const style = `stroke="${colours[k]}" stroke-width="2"`;
      plane.contour((points) => points.map(distance), deviations * deviations, style);
    }
  }
  plane.contour(
    (points) => model.scoreSamples(rowsOf(points)),
    -6,
    `stroke="${grey}" stroke-dasharray="4 3"`,
  );
  return plane.toString();
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "mixture-ellipses.svg": ellipses,
};
