import { type FittedProbabilisticClassifier, Matrix } from "argmax";
import { okabeIto as colours } from "argmax/plot";

export { colours };

/** Points, lines and contours in the plane, as SVG. */

export type Point = readonly [number, number];

export interface Frame {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

const WIDTH = 420;
const HEIGHT = 320;
const CELLS = 80;

export const grey = "#555";

const short = (value: number): string => String(Math.round(value * 10) / 10);

/** A drawing in the units of the data. */
export class Plane {
  readonly #title: string;
  readonly #frame: Frame;
  readonly #shapes: string[] = [];

  constructor(title: string, frame: Frame) {
    this.#title = title;
    this.#frame = frame;
  }

  line(from: Point, to: Point, style: string): this {
    const [[x1, y1], [x2, y2]] = [this.#place(from), this.#place(to)];
    this.#shapes.push(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${style}/>`);
    return this;
  }

  polygon(corners: readonly Point[], style: string): this {
    const points = corners.map((corner) => this.#place(corner).join(",")).join(" ");
    this.#shapes.push(`<polygon points="${points}" ${style}/>`);
    return this;
  }

  /** Words that begin at a point, unless the style sets another anchor. */
  text(at: Point, words: string, style: string): this {
    const [x, y] = this.#place(at);
    this.#shapes.push(
      `<text x="${x}" y="${y}" font-family="sans-serif" font-size="12" ${style}>${words}</text>`,
    );
    return this;
  }

  dot(at: Point, radius: number, style: string): this {
    const [cx, cy] = this.#place(at);
    this.#shapes.push(`<circle cx="${cx}" cy="${cy}" r="${radius}" ${style}/>`);
    return this;
  }

  /** Where f is `level`: the line through the cells of a grid that it crosses (marching squares). `f` takes many points at once. */
  contour(f: (points: readonly Point[]) => ArrayLike<number>, level: number, style: string): this {
    const at = (c: number, r: number): Point => {
      const { x, y } = this.#frame;
      return [x[0] + ((x[1] - x[0]) * c) / CELLS, y[0] + ((y[1] - y[0]) * r) / CELLS];
    };
    const side = CELLS + 1;
    const grid = Array.from({ length: side * side }, (_, e) => at(e % side, Math.floor(e / side)));
    const values = f(grid);
    const steps: string[] = [];
    for (let r = 0; r < CELLS; r++) {
      for (let c = 0; c < CELLS; c++) {
        const corners = [r * side + c, r * side + c + 1, (r + 1) * side + c + 1, (r + 1) * side + c];
        const crossings: Point[] = [];
        for (let e = 0; e < 4; e++) {
          const [a, b] = [corners[e]!, corners[(e + 1) % 4]!];
          const [u, v] = [values[a]! - level, values[b]! - level];
          if (u < 0 === v < 0) continue;
          const share = u / (u - v);
          const [p, q] = [grid[a]!, grid[b]!];
          crossings.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
        }
        for (let e = 0; e + 1 < crossings.length; e += 2) {
          const [from, to] = [this.#place(crossings[e]!), this.#place(crossings[e + 1]!)];
          steps.push(`M${from[0]} ${from[1]}L${to[0]} ${to[1]}`);
        }
      }
    }
    this.#shapes.push(`<path d="${steps.join("")}" fill="none" ${style}/>`);
    return this;
  }

  toString(): string {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`;
    const paper = `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`;
    return `${[head, `<title>${this.#title}</title>`, paper, ...this.#shapes, "</svg>"].join("\n")}\n`;
  }

  #place([x, y]: Point): readonly [string, string] {
    const { x: across, y: up } = this.#frame;
    return [
      short(((x - across[0]) / (across[1] - across[0])) * WIDTH),
      short(HEIGHT - ((y - up[0]) / (up[1] - up[0])) * HEIGHT),
    ];
  }
}

/** Where each model of two classes has equal probabilities, in its own style, and the points of the classes. */
export function boundariesOf(
  plane: Plane,
  models: readonly (readonly [model: FittedProbabilisticClassifier<number>, style: string])[],
  X: Matrix,
  y: readonly number[],
): string {
  for (const [model, style] of models) {
    const share = (points: readonly Point[]) => {
      const p = model.predictProba(rowsOf(points));
      return Float64Array.from({ length: p.rows }, (_, i) => p.data[2 * i + 1]!);
    };
    plane.contour(share, 0.5, style);
  }
  for (let i = 0; i < X.rows; i++) plane.dot([X.at(i, 0), X.at(i, 1)], 3, `fill="${colours[y[i]!]}"`);
  return plane.toString();
}

export const rowsOf = (points: readonly Point[]): Matrix =>
  new Matrix(Float64Array.from(points.flat()), points.length, 2);
