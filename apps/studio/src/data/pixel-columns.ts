import type { ColumnData, NumberColumn, TableData } from "./table.js";

/** The columns of square pictures, pixel by pixel; undefined if the table has none. */
export function pixelColumns({ columns }: TableData): readonly NumberColumn[] | undefined {
  const found = columns.filter(
    (column): column is NumberColumn & ColumnData => column.kind === "number" && /^pixel/i.test(column.name),
  );
  const side = Math.sqrt(found.length);
  return found.length >= 16 && Number.isInteger(side) ? found : undefined;
}

/** The largest value of the columns; 1 where there is none above 0. */
export function largestPixel(columns: readonly NumberColumn[]): number {
  let most = 0;
  for (const { values } of columns) for (const value of values) if (value > most) most = value;
  return most || 1;
}
