import { maxOf } from "argmax/numeric";
import { safeLine } from "./foreign-text.js";
import type { Style } from "./terminal.js";

export interface Column<Row> {
  readonly title: string;
  readonly align?: "left" | "right";
  cell(row: Row, index: number): string;
  /** Columns with the highest number are dropped first when the table is too wide; 0 is always kept. */
  readonly dispensable?: number;
  paint?(text: string, row: Row, index: number, style: Style): string;
}

/** East Asian characters and emojis, which take two columns. */
const DOUBLE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Columns of the terminal that a text takes. */
export const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text)
    ? text.length
    : [...text].reduce((width, character) => width + (DOUBLE.test(character) ? 2 : 1), 0);

function pad(text: string, width: number, align: "left" | "right"): string {
  const gap = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "right" ? gap + text : text + gap;
}

const BETWEEN = "  ";

/** Drops dispensable columns until the table fits; the essential ones always remain. */
function chooseColumns<Row>(
  columns: readonly Column<Row>[],
  widths: Map<Column<Row>, number>,
  limit: number,
) {
  let chosen = [...columns];
  const total = () =>
    chosen.reduce((sum, column) => sum + widths.get(column)!, BETWEEN.length * (chosen.length - 1));
  while (total() > limit) {
    const worst = maxOf(chosen.map((column) => column.dispensable ?? 0));
    if (worst === 0) break;
    chosen = chosen.filter((column) => column.dispensable !== worst);
  }
  return chosen;
}

/** The lines of a table with aligned columns: a heading, a rule, one line per row. No line has trailing spaces. */
export function drawTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  limit: number,
  style: Style,
): string[] {
  const cellOf = (column: Column<Row>, row: Row, index: number) => safeLine(column.cell(row, index));
  const widths = new Map(
    columns.map((column) => {
      const cells = rows.map((row, index) => widthOf(cellOf(column, row, index)));
      return [column, maxOf(cells, widthOf(column.title))];
    }),
  );
  const chosen = chooseColumns(columns, widths, limit);
  const line = (
    textOf: (column: Column<Row>) => string,
    paint: (text: string, column: Column<Row>) => string,
  ) =>
    chosen
      .map((column) => {
        const padded = pad(textOf(column), widths.get(column)!, column.align ?? "left");
        return paint(column === chosen.at(-1) ? padded.trimEnd() : padded, column);
      })
      .join(BETWEEN);
  const head = line(({ title }) => title, style.dim);
  const rule = style.dim(chosen.map((column) => "─".repeat(widths.get(column)!)).join(BETWEEN));
  const body = rows.map((row, index) =>
    line(
      (column) => cellOf(column, row, index),
      (text, column) => column.paint?.(text, row, index, style) ?? text,
    ),
  );
  return [head, rule, ...body];
}

/** Lines of at most `limit` columns, broken between words. */
export function wrap(text: string, limit: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= limit)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
