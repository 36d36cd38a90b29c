import { Matrix, makeBlobs, makeCircles, SVC, type SvcParams } from "argmax";
import { colours, type Frame, grey, Plane, type Point } from "./plane.js";

/** The figures of docs/guide/kernel.md: margin, slack, and a boundary of a kernel. */

const rowsOf = (points: readonly Point[]) => new Matrix(Float64Array.from(points.flat()), points.length, 2);

function drawn(
  title: string,
  X: Matrix,
  y: readonly number[],
  params: SvcParams<false>,
  frame: Frame,
): string {
  const machine = new SVC(params);
  const model = machine.fit(X, y);
  const f = (points: readonly Point[]) => model.decisionFunction(rowsOf(points)).data;
  const point = (i: number): Point => [X.at(i, 0), X.at(i, 1)];
  const plane = new Plane(title, frame);
  const margin = 'stroke="#999" stroke-width="1"';
  plane.contour(f, 0, `stroke="${grey}" stroke-width="2"`).contour(f, -1, margin).contour(f, 1, margin);
  if (params.kernel === "linear") drawSlacks(plane, model, X, y, point);
  for (let i = 0; i < X.rows; i++) plane.dot(point(i), 3.5, `fill="${colours[y[i]!]}"`);
  for (const i of model.support) plane.dot(point(i), 7, `fill="none" stroke="${grey}" stroke-width="1.2"`);
  return plane.toString();
}

/** From every row inside its margin the way back to it: ξ/‖w‖ along w. */
function drawSlacks(
  plane: Plane,
  model: ReturnType<SVC["fit"]>,
  X: Matrix,
  y: readonly number[],
  point: (i: number) => Point,
): void {
  const w = [0, 0];
  for (let s = 0; s < model.support.length; s++) {
    const [x0, x1] = point(model.support[s]!);
    w[0]! += model.dualCoef.at(0, s) * x0;
    w[1]! += model.dualCoef.at(0, s) * x1;
  }
  const square = w[0]! ** 2 + w[1]! ** 2;
  for (const [i, slack] of model.slacks(X, y).entries()) {
    if (slack < 0.01) continue;
    const way = ((y[i] === model.classes[1] ? 1 : -1) * slack) / square;
    const from = point(i);
    const to: Point = [from[0] + way * w[0]!, from[1] + way * w[1]!];
    plane.line(from, to, `stroke="${colours[y[i]!]}" stroke-width="1"`);
  }
}

export const figures: Readonly<Record<string, () => string>> = {
  "hard-margin.svg": () => {
    const { X, y } = makeBlobs({
      nSamples: 50,
      centers: [
        [-2, -1],
        [2, 1],
      ],
      clusterStd: 0.9,
      randomState: 4,
    });
    const frame = { x: [-5, 5], y: [-4, 4] } as const;
    return drawn("A hard margin", X, [...y], { kernel: "linear", C: Infinity }, frame);
  },
  "soft-margin.svg": () => {
    const { X, y } = makeBlobs({
      nSamples: 70,
      centers: [
        [-1.3, -0.7],
        [1.3, 0.7],
      ],
      clusterStd: 1.1,
      randomState: 5,
    });
    const frame = { x: [-5, 5], y: [-4, 4] } as const;
    return drawn("A soft margin and its slack", X, [...y], { kernel: "linear", C: 1 }, frame);
  },
  "kernel-boundary.svg": () => {
    const { X, y } = makeCircles({ nSamples: 120, noise: 0.12, factor: 0.45, randomState: 2 });
    const frame = { x: [-1.7, 1.7], y: [-1.3, 1.3] } as const;
    return drawn("The boundary of a Gaussian kernel", X, [...y], { kernel: "rbf", gamma: 1, C: 10 }, frame);
  },
};
