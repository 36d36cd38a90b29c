import { KNeighborsClassifier, makeMoons } from "argmax";
import { boundariesOf, grey, Plane, type Point, rowsOf } from "./plane.js";

/** The figures of docs/guide/neighbors.md: cells of the nearest row, and the boundaries of one and of fifteen neighbours. */

function cells(): string {
  const { X } = makeMoons({ nSamples: 24, noise: 0.2, randomState: 5 });
  const plane = new Plane("The cell of every row: points that it is the nearest to", {
    x: [-1.8, 2.8],
    y: [-1.4, 2],
  });
  const rows = Array.from({ length: X.rows }, (_, i) => i);
  const nearest = new KNeighborsClassifier({ nNeighbors: 1 });
  const model = nearest.fit(X, rows);
  // A wall runs where the nearest row changes: half-way between the nearest and the next.
  for (const i of rows) {
    const other = (points: readonly Point[]) => {
      const { indices, distances } = model.kneighbors(rowsOf(points), { nNeighbors: 2 });
      return Float64Array.from(points, (_, p) => {
        const gap = distances.at(p, 1) - distances.at(p, 0);
        return indices[2 * p] === i ? gap : -gap;
      });
    };
    plane.contour(other, 0, 'stroke="#bbb" stroke-width="1"');
  }
  for (const i of rows) plane.dot([X.at(i, 0), X.at(i, 1)], 3, `fill="${grey}"`);
  return plane.toString();
}

function boundaries(): string {
  const { X, y } = makeMoons({ nSamples: 200, noise: 0.3, randomState: 2 });
  const plane = new Plane("The boundaries of one and of fifteen neighbours", {
    x: [-1.8, 2.8],
    y: [-1.4, 2],
  });
  const of = (nNeighbors: number) => {
    const estimator = new KNeighborsClassifier({ nNeighbors });
    return estimator.fit(X, y);
  };
  const models = [
    [of(1), 'stroke="#bbb" stroke-width="1.5"'],
    [of(15), `stroke="${grey}" stroke-width="2"`],
  ] as const;
  return boundariesOf(plane, models, X, y);
}

export const figures: Readonly<Record<string, () => string>> = {
  "neighbor-cells.svg": cells,
  "neighbor-boundaries.svg": boundaries,
};
