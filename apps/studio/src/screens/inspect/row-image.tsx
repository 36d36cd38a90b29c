import { useMemo } from "preact/hooks";
import { largestPixel, pixelColumns } from "../../data/pixel-columns.js";
import { drawImage } from "../../draw/image.js";
import { table } from "../../state/session.js";
import { Picture } from "../../ui/pictures/picture.js";
import { theme } from "../../ui/theme.js";

interface RowImageProps {
  readonly row: number;
  /** Other values of some columns, as text. */
  readonly changes: Readonly<Record<string, string>>;
}

/** The row as a picture, where the columns are pixels. */
export function RowImage({ row, changes }: RowImageProps) {
  const data = table.value?.data;
  const columns = useMemo(() => (data === undefined ? undefined : pixelColumns(data)), [data]);
  const most = useMemo(() => (columns === undefined ? 1 : largestPixel(columns)), [columns]);
  const colors = theme.value;
  const drawn = useMemo(() => {
    if (columns === undefined) return undefined;
    const shown = columns.map((column) => {
      const text = Object.hasOwn(changes, column.name) ? changes[column.name]! : undefined;
      const value = text === undefined ? column.values[row]! : Number(text);
      return { ...column, values: Float64Array.of(Number.isFinite(value) ? value : 0) };
    });
    return drawImage(shown, 0, most, colors);
  }, [columns, row, changes, most, colors]);
  if (drawn === undefined) return null;
  return <Picture pixels={drawn} label={`Row ${row + 1} as a picture`} class="row-image" />;
}
