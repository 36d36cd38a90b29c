import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { largestPixel, pixelColumns } from "../../data/pixel-columns.js";
import { cellText, columnOf, type NumberColumn } from "../../data/table.js";
import type { Theme } from "../../draw/colors.js";
import { drawImage } from "../../draw/image.js";
import { noRows, type RowSet } from "../../state/row-set.js";
import { roles, selectedRows, table } from "../../state/session.js";
import { Picture } from "../../ui/pictures/picture.js";
import { theme } from "../../ui/theme.js";
import { Pager } from "./pager.js";
import { rowAt } from "./row-order.js";

const PER_PAGE = 40;

/** The rows as pictures, where the columns are pixels. */
export function Images() {
  const page = useSignal(0);
  const own = useSignal<RowSet | null>(null);
  const { data } = table.value!;
  const columns = useMemo(() => pixelColumns(data), [data]);
  const most = useMemo(() => (columns === undefined ? 1 : largestPixel(columns)), [columns]);
  const chosen = selectedRows.value;
  const first = useMemo(
    () => (chosen === null || chosen === own.value ? new Int32Array(0) : chosen.toArray()),
    [chosen],
  );
  if (columns === undefined) return null;
  const target = roles.value?.target == null ? undefined : columnOf(data, roles.value.target);
  const from = Math.min(page.value, Math.max(0, Math.ceil(data.rows / PER_PAGE) - 1)) * PER_PAGE;
  const toggle = (row: number) => {
    const next = chosen?.has(row) ? chosen.without(row) : (chosen ?? noRows).with([row]);
    own.value = next.size === 0 ? null : next;
    selectedRows.value = own.value;
  };
  return (
    <section aria-labelledby="images-title">
      <h2 id="images-title">Pictures</h2>
      <ul class="images">
        {Array.from({ length: Math.min(PER_PAGE, data.rows - from) }, (_, k) => {
          const row = rowAt(from + k, first);
          const label = target === undefined ? "" : cellText(target, row);
          return (
            <li key={row}>
              <button type="button" aria-pressed={chosen?.has(row) === true} onClick={() => toggle(row)}>
                <Image columns={columns} row={row} most={most} colors={theme.value} label={label} />
                <span>{label}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <Pager what="pictures" from={from} per={PER_PAGE} all={data.rows} page={page} />
    </section>
  );
}

interface ImageProps {
  readonly columns: readonly NumberColumn[];
  readonly row: number;
  readonly most: number;
  readonly colors: Theme;
  readonly label: string;
}

function Image({ columns, row, most, colors, label }: ImageProps) {
  const drawn = useMemo(() => drawImage(columns, row, most, colors), [columns, row, most, colors]);
  return <Picture pixels={drawn} label={`Row ${row + 1}${label === "" ? "" : `, ${label}`}`} class="image" />;
}
