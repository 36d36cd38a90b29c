/** Squares, frames and words at given pixels, as SVG: heat maps and rows of pixels. */

const short = (value: number): string => String(Math.round(value * 10) / 10);

export class Tiles {
  readonly #shapes: string[] = [];

  constructor(
    readonly title: string,
    readonly width: number,
    readonly height: number,
  ) {}

  square(x: number, y: number, side: number, fill: string, stroke = "none"): this {
    return this.#rect(x, y, side, `fill="${fill}" stroke="${stroke}"`);
  }

  frame(x: number, y: number, side: number, stroke: string): this {
    return this.#rect(x, y, side, `fill="none" stroke="${stroke}" stroke-width="2.5"`);
  }

  /** A horizontal line with two ends that point up. */
  bracket(x: number, y: number, width: number, stroke: string, dashed: boolean): this {
    const path = `M${short(x)} ${short(y)}v7h${short(width)}v-7`;
    const dashes = dashed ? ' stroke-dasharray="4 3"' : "";
    this.#shapes.push(`<path d="${path}" fill="none" stroke="${stroke}" stroke-width="2"${dashes}/>`);
    return this;
  }

  text(x: number, y: number, words: string, fill: string): this {
    this.#shapes.push(`<text x="${short(x)}" y="${short(y)}" fill="${fill}">${words}</text>`);
    return this;
  }

  toString(): string {
    const { title, width, height } = this;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`;
    const paper = `<rect width="${width}" height="${height}" fill="#fff"/>`;
    return `${[head, `<title>${title}</title>`, paper, ...this.#shapes, "</svg>"].join("\n")}\n`;
  }

  #rect(x: number, y: number, side: number, style: string): this {
    const size = short(side);
    this.#shapes.push(`<rect x="${short(x)}" y="${short(y)}" width="${size}" height="${size}" ${style}/>`);
    return this;
  }
}
