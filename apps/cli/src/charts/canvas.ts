import type { Style } from "../terminal/terminal.js";
import { paintSeries } from "./look.js";

/** The owner of dots that belong to no series, such as a diagonal. */
export const GUIDE = -1;
const NOBODY = -2;

/** Bits of a Braille character by row and column of the dot (Unicode, block U+2800). */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Marks of series where there is ASCII only. */
const MARKS = ["*", "o", "x", "#", "@", "%"];
const GUIDE_MARK = ".";

/** The mark of series k in the legend. */
export const markOf = (k: number): string => MARKS[k % MARKS.length]!;

/**
 * Cells of text with dots in them: 2 × 4 per cell in Braille, one per cell in ASCII. A cell has the colour of the series that was drawn into it
 * last.
 */
export class Canvas {
  readonly dotsAcross: number;
  readonly dotsDown: number;
  readonly #bits: Uint8Array;
  readonly #owner: Int8Array;
  readonly #letters = new Map<number, string>();

  constructor(
    readonly width: number,
    readonly height: number,
    readonly unicode: boolean,
  ) {
    this.dotsAcross = width * (unicode ? 2 : 1);
    this.dotsDown = height * (unicode ? 4 : 1);
    this.#bits = new Uint8Array(width * height);
    this.#owner = new Int8Array(width * height).fill(NOBODY);
  }

  /** Sets the dot in column x from the left and row y from the top; dots outside are left out. */
  dot(x: number, y: number, owner: number): void {
    if (!(x >= 0 && x < this.dotsAcross && y >= 0 && y < this.dotsDown)) return;
    const [across, down] = this.unicode ? [2, 4] : [1, 1];
    const cell = Math.floor(y / down) * this.width + Math.floor(x / across);
    this.#bits[cell]! |= DOTS[y % down]![x % across]!;
    this.#owner[cell] = owner;
  }

  /** A line between two dots [Bresenham 1965]; of a guide, every fourth dot in Braille and every second one in ASCII. */
  line(x0: number, y0: number, x1: number, y1: number, owner: number): void {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    const every = owner !== GUIDE ? 1 : this.unicode ? 4 : 2;
    for (let s = 0; s <= steps; s += every) {
      const part = steps === 0 ? 0 : s / steps;
      this.dot(Math.round(x0 + part * (x1 - x0)), Math.round(y0 + part * (y1 - y0)), owner);
    }
  }

  /** A character in place of the dots of a cell. */
  letter(column: number, row: number, text: string, owner: number): void {
    const cell = row * this.width + column;
    this.#letters.set(cell, text);
    this.#owner[cell] = owner;
  }

  hasLetter(column: number, row: number): boolean {
    return this.#letters.has(row * this.width + column);
  }

  #glyph(cell: number): string {
    const letter = this.#letters.get(cell);
    if (letter !== undefined) return letter;
    if (this.#owner[cell] === NOBODY) return " ";
    if (this.unicode) return String.fromCodePoint(0x2800 + this.#bits[cell]!);
    return this.#owner[cell] === GUIDE ? GUIDE_MARK : markOf(this.#owner[cell]!);
  }

  /** The lines from top to bottom, without trailing blanks. */
  lines(style: Style): string[] {
    return Array.from({ length: this.height }, (_, row) => {
      let line = "";
      let end = this.width;
      while (end > 0 && this.#owner[row * this.width + end - 1] === NOBODY) end--;
      for (let column = 0; column < end; ) {
        const owner = this.#owner[row * this.width + column]!;
        let run = "";
        for (; column < end && this.#owner[row * this.width + column] === owner; column++)
          run += this.#glyph(row * this.width + column);
        line += owner === NOBODY ? run : owner === GUIDE ? style.dim(run) : paintSeries(owner, run, style);
      }
      return line;
    });
  }
}
