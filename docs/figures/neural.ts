import { Matrix, MLPClassifier, trainTestSplit, ViTClassifier } from "argmax";
import { loadDataset } from "argmax/datasets";
import { computationGraph, matmul, square, sum, type Tensor } from "argmax/neural/autodiff";
import { colours, grey, Plane, type Point } from "./plane.js";
import { Tiles } from "./tiles.js";

/** The figures of docs/guide/neural.md. */

const rowsOf = (points: readonly Point[]) => new Matrix(Float64Array.from(points.flat()), points.length, 2);

const green = colours[2];

/** The lines of OR and NAND, v₁ + v₂ = ½ and 1½, and the boundary that training finds. */
function xor(): string {
  const plane = new Plane("XOR with a hidden layer", { x: [-0.75, 1.75], y: [-0.45, 1.45] });
  const across = (total: number): readonly [Point, Point] => [
    [total + 1, -1],
    [-1, total + 1],
  ];
  plane.polygon([...across(0.5), ...[...across(1.5)].reverse()], 'fill="#f3e3d3"');
  for (const total of [0.5, 1.5]) plane.line(...across(total), `stroke="${grey}" stroke-width="2"`);
  const corners: readonly Point[] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const y = [0, 1, 1, 0];
  const mlp = new MLPClassifier({ hiddenLayerSizes: [4], activation: "tanh", solver: "lbfgs" });
  const model = mlp.fit(rowsOf(corners), y);
  const probability = (points: readonly Point[]) => {
    const p = model.predictProba(rowsOf(points));
    return Float64Array.from({ length: p.rows }, (_, i) => p.at(i, 1));
  };
  plane.contour(probability, 0.5, `stroke="${green}" stroke-width="2"`);
  corners.forEach((corner, i) => {
    plane.dot(corner, 7, `fill="${colours[y[i]!]}"`);
    plane.text([corner[0] + 0.06, corner[1] + 0.05], String(y[i]), `fill="${colours[y[i]!]}"`);
  });
  plane.text([-0.68, 1.28], "OR = 1", `fill="${grey}"`);
  plane.text([0.12, 1.28], "NAND = 1", `fill="${grey}" text-anchor="end"`);
  return plane.toString();
}

const LOG_TICKS = [0.01, 0.1, 1, 10] as const;
const EPOCHS = 40;

/** Losses per epoch on digits, on a logarithmic axis. */
async function lossCurves(): Promise<string> {
  const { X, y } = await loadDataset("digits");
  const plane = new Plane("Loss per epoch on digits", { x: [-5, 58], y: [-2.45, 1.4] });
  for (const tick of LOG_TICKS) {
    const at = Math.log10(tick);
    plane.line([0, at], [EPOCHS, at], 'stroke="#ddd"');
    plane.text([-0.7, at - 0.05], String(tick), `fill="${grey}" text-anchor="end"`);
  }
  for (const tick of [0, 10, 20, 30, 40])
    plane.text([tick, -2.2], String(tick), `fill="${grey}" text-anchor="middle"`);
  plane
    .text([EPOCHS + 2, -2.2], "epochs", `fill="${grey}"`)
    .text([-0.7, 1.18], "loss", `fill="${grey}" text-anchor="end"`);
  const solvers = [
    ["sgd, momentum 0", { solver: "sgd", momentum: 0 }, "#999"],
    ["sgd, momentum 0.9", { solver: "sgd" }, colours[1]],
    ["adam", { solver: "adam" }, colours[0]],
  ] as const;
  for (const [name, params, colour] of solvers) {
    const mlp = new MLPClassifier({ ...params, hiddenLayerSizes: [64], maxIter: EPOCHS, tol: 0 });
    const heights = mlp.fit(X, y).lossCurve.map(Math.log10);
    for (let epoch = 1; epoch < EPOCHS; epoch++) {
      const [from, to] = [heights[epoch - 1]!, heights[epoch]!];
      plane.line([epoch, from], [epoch + 1, to], `stroke="${colour}" stroke-width="2"`);
    }
    plane.text([EPOCHS + 0.8, heights.at(-1)! - 0.05], name, `fill="${colour}"`);
  }
  return plane.toString();
}

function backPropagation(): string {
  const f = (W: Tensor, x: Tensor) => sum(square(matmul(W, x)));
  const W = [
    [0.1, 0.5],
    [-0.3, 0.8],
  ];
  return computationGraph(f, { names: ["W", "x"] })(W, [0.2, 0.4]).toSvg();
}

/** A row of seven pixels, and below it the windows of a filter of three. */
function convolutionSizes(): string {
  const [pixels, size, cell, gap] = [7, 3, 22, 60];
  const tiles = new Tiles("Windows of three pixels on a row of seven", 3 * pixels * cell + 2 * gap + 60, 150);
  for (const stride of [1, 2, 3]) {
    const left = 12 + (stride - 1) * (pixels * cell + gap);
    tiles.text(left, 20, `stride ${stride}`, grey);
    for (let p = 0; p < pixels; p++) tiles.square(left + p * cell, 30, cell, "#e8f1fa", grey);
    const windows = Math.floor((pixels - size) / stride) + 1;
    const rest = pixels - ((windows - 1) * stride + size);
    for (let k = 0; k < windows + (rest > 0 ? 1 : 0); k++) {
      const fits = k < windows;
      const colour = fits ? colours[0] : colours[1];
      tiles.bracket(left + k * stride * cell + 2, 64 + 16 * k, size * cell - 4, colour, !fits);
    }
  }
  return tiles.toString();
}

/** One patch of a digit, and where the heads of the first block look from it. */
async function attentionMap(): Promise<string> {
  const { X, y } = await loadDataset("digits");
  const { train, test } = trainTestSplit(X, y, { testSize: 0.25, stratify: true, randomState: 1 });
  const vit = new ViTClassifier({ maxIter: 6 });
  const model = vit.fit(train.X, train.y);
  const row = test.y.indexOf(3);
  const image = test.X.selectRows([row]);
  const { data, shape } = model.activations(image).get("3.attention.1/attention")!;
  const [heads, tokens] = [shape[1]!, shape[2]!];
  const across = Math.sqrt(tokens);
  const patch = 6;
  const [side, top, gap] = [112, 30, 20];
  const tiles = new Tiles(
    "Attention of one patch of a digit",
    12 + (heads + 1) * (side + gap),
    top + side + 12,
  );
  const pixel = side / 8;
  tiles.text(12, 20, `digit ${test.y[row]}`, grey);
  for (let p = 0; p < 64; p++)
    tiles.square(
      12 + (p % 8) * pixel,
      top + Math.floor(p / 8) * pixel,
      pixel,
      shade(image.at(0, p) / 16, [30, 30, 30]),
    );
  const cell = side / across;
  const frame = (left: number) =>
    tiles.frame(left + (patch % across) * cell, top + Math.floor(patch / across) * cell, cell, colours[1]);
  tiles.square(12, top, side, "none", "#bbb");
  frame(12);
  for (let head = 0; head < heads; head++) {
    const left = 12 + (head + 1) * (side + gap);
    const from = (head * tokens + patch) * tokens;
    const weights = data.slice(from, from + tokens);
    // spread: the tokens of one image.
    const largest = Math.max(...weights);
    tiles.text(left, 20, `head ${head + 1}, up to ${largest.toFixed(2)}`, grey);
    weights.forEach((weight, k) => {
      const [x, at] = [left + (k % across) * cell, top + Math.floor(k / across) * cell];
      tiles.square(x, at, cell, shade(weight / largest, [0, 114, 178]));
    });
    tiles.square(left, top, side, "none", "#bbb");
    frame(left);
  }
  return tiles.toString();
}

/** From white (0) to the colour (1). */
const shade = (share: number, colour: readonly number[]): string =>
  `rgb(${colour.map((c) => Math.round(255 - share * (255 - c))).join(",")})`;

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "attention-map.svg": attentionMap,
  "back-propagation.svg": backPropagation,
  "convolution-sizes.svg": convolutionSizes,
  "loss-curves.svg": lossCurves,
  "xor.svg": xor,
};
