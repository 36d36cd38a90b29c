import type { ColumnData, NumberColumn, TableData } from "../../data/table.js";
import { mix, type Theme } from "../../draw/colors.js";
import { type Pixels, pixels } from "../../draw/pixels.js";

/** The columns of square pictures, pixel by pixel; undefined if the table has none. */
export function pixelColumns({ columns }: TableData): readonly NumberColumn[] | undefined {
  const found = columns.filter(
    (column): column is NumberColumn & ColumnData => column.kind === "number" && /^pixel/i.test(column.name),
  );
  const side = Math.sqrt(found.length);
  return found.length >= 16 && Number.isInteger(side) ? found : undefined;
}

/** Ink on paper: 0 is the ground, the largest value of the table is the ink. */
export function drawImage(columns: readonly NumberColumn[], row: number, most: number, theme: Theme): Pixels {
  const side = Math.sqrt(columns.length);
  const out = pixels(side, side, theme.ground);
  for (const [k, { values }] of columns.entries()) {
    const color = mix(theme.ground, theme.ink, Math.min(1, Math.max(0, (values[row] || 0) / most)));
    out.data.set(color, 4 * k);
  }
  return out;
}
