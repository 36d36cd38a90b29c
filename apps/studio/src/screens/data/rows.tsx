import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type ColumnData, type ColumnKind, cellText } from "../../data/table.js";
import { noRows, type RowSet } from "../../state/row-set.js";
import { idColumn, selectedRows, table, targetColumn } from "../../state/session.js";
import { count } from "../../ui/figures.js";
import { Pager } from "./pager.js";
import { rowAt } from "./row-order.js";

/** Height of a row and of the names above, as the style sheet has them. */
const ROW = 30;
const HEAD = 34;
/** Browsers do not scroll farther than some tens of millions of pixels. */
const MOST_PIXELS = 5_000_000;
/** Columns that are in the page at a time. */
const COLUMNS = 20;
/** Characters of a cell that are shown. */
const LINE = 120;

/** Widths of columns in rem. They do not depend on what is in sight, so that nothing moves sideways, and are not measured anew for every row. */
const widths: Readonly<Record<ColumnKind, number>> = { number: 7.5, category: 9, text: 16 };
/** A name is shown up to this width; bold letters are about 0.55 rem wide. */
const WIDEST_NAME = 14;
const widthOf = ({ name, kind }: ColumnData): number =>
  Math.max(widths[kind], Math.min(WIDEST_NAME, 1.5 + 0.55 * name.length));
/** The same of the numbers of rows. */
const NUMBERS = 5;

const none = new Int32Array(0);

/** All rows, of which those in sight are in the page. */
export function Rows() {
  const { rows, columns } = table.value!.data;
  const selection = useSelection();
  const { chosen, pinned } = selection;
  const columnPage = useSignal(0);
  const sight = useSight(rows, pinned);
  const ordered = orderedColumns(columns, [idColumn.value, targetColumn.value]);
  const from = Math.min(columnPage.value, Math.ceil(ordered.length / COLUMNS) - 1) * COLUMNS;
  return (
    <section aria-labelledby="rows-title">
      <div class="part-head">
        <h2 id="rows-title">Rows</h2>
        {chosen !== null && (
          <div class="buttons">
            <span role="status">
              {count(chosen.size)} selected{pinned.length > 0 ? ", shown first" : ""}
            </span>
            <button type="button" onClick={selection.clear}>
              Clear selection
            </button>
          </div>
        )}
      </div>
      <section
        class="rows-window"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
        tabIndex={0}
        aria-label="Rows of the table"
        ref={sight.scroller}
        onScroll={sight.measure}
      >
        <div class="rows-space" style={{ height: `${Math.min(MOST_PIXELS, HEAD + rows * ROW)}px` }}>
          <RowsTable shown={ordered.slice(from, from + COLUMNS)} sight={sight} selection={selection} />
        </div>
      </section>
      <p class="note">
        Rows {count(sight.first + 1)} to {count(Math.min(rows, sight.first + sight.visible))} of {count(rows)}
        . A click selects a row on every screen; with Shift, all up to it.
      </p>
      <Pager what="columns" from={from} per={COLUMNS} all={ordered.length} page={columnPage} />
    </section>
  );
}

interface Selection {
  readonly chosen: RowSet | null;
  /** Rows that come first: those that were chosen elsewhere. */
  readonly pinned: Int32Array;
  clear(): void;
  toggle(row: number, position: number, extend: boolean): void;
}

function useSelection(): Selection {
  const last = useRef<number | null>(null);
  /** The selection that is known here: only one that was made elsewhere changes the order of rows. */
  const own = useRef<RowSet | null>(null);
  const chosen = selectedRows.value;
  const pinnedRows = useRef(none);
  if (chosen === null) pinnedRows.current = none;
  else if (chosen !== own.current) {
    pinnedRows.current = chosen.toArray();
    own.current = chosen;
  }
  const pinned = pinnedRows.current;
  const put = (next: RowSet | null) => {
    own.current = next;
    selectedRows.value = next;
  };
  const toggle = (row: number, position: number, extend: boolean) => {
    let next = chosen ?? noRows;
    if (extend && last.current !== null) {
      const [a, b] = [Math.min(last.current, position), Math.max(last.current, position)];
      next = next.with(Int32Array.from({ length: b - a + 1 }, (_, k) => rowAt(a + k, pinned)));
    } else next = next.has(row) ? next.without(row) : next.with([row]);
    last.current = position;
    put(next.size === 0 ? null : next);
  };
  return { chosen, pinned, clear: () => put(null), toggle };
}

/** Which rows the window shows; it goes to the top where rows are pinned. */
function useSight(rows: number, pinned: Int32Array) {
  const scroller = useRef<HTMLElement>(null);
  const first = useSignal(0);
  const visible = useSignal(10);
  const measure = () => {
    const box = scroller.current;
    if (box === null) return;
    visible.value = Math.max(1, Math.floor((box.clientHeight - HEAD) / ROW));
    const end = Math.max(0, rows - visible.value);
    const way = box.scrollHeight - box.clientHeight;
    first.value = way <= 0 ? 0 : Math.min(end, Math.round((box.scrollTop / way) * end));
  };
  useEffect(() => {
    const watcher = new ResizeObserver(measure);
    watcher.observe(scroller.current!);
    return () => watcher.disconnect();
  }, [rows]);
  useEffect(() => {
    if (pinned.length > 0) scroller.current?.scrollTo({ top: 0 });
  }, [pinned]);
  return { scroller, measure, first: first.value, visible: visible.value };
}

interface RowsTableProps {
  readonly shown: readonly ColumnData[];
  readonly sight: ReturnType<typeof useSight>;
  readonly selection: Selection;
}

function RowsTable({ shown, sight: { first, visible }, selection }: RowsTableProps) {
  const { rows, columns } = table.value!.data;
  const positions = Array.from({ length: Math.min(visible, rows - first) }, (_, k) => first + k);
  return (
    <table
      class="rows"
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      style={{ width: `${shown.reduce((sum, column) => sum + widthOf(column), NUMBERS)}rem` }}
    >
      <colgroup>
        <col style={{ width: `${NUMBERS}rem` }} />
        {shown.map((column) => (
          <col key={column.name} style={{ width: `${widthOf(column)}rem` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Row</th>
          {shown.map(({ name, kind }) => (
            <th key={name} scope="col" title={name} class={kind === "number" ? "number" : undefined}>
              {name}
              {name === targetColumn.value?.name && <span class="badge">target</span>}
              {name === idColumn.value?.name && <span class="badge">id</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {positions.map((position) => (
          // Rows that leave the window are used again for those that enter it.
          <TableRow key={position % visible} {...{ position, shown, selection }} />
        ))}
      </tbody>
    </table>
  );
}

interface TableRowProps {
  readonly position: number;
  readonly shown: readonly ColumnData[];
  readonly selection: Selection;
}

function TableRow({ position, shown, selection: { chosen, pinned, toggle } }: TableRowProps) {
  const row = rowAt(position, pinned);
  const isChosen = chosen?.has(row) === true;
  return (
    <tr
      aria-rowindex={position + 2}
      class={isChosen ? "selected" : undefined}
      onClick={(event) => toggle(row, position, event.shiftKey)}
    >
      <th scope="row">
        <button type="button" class="row-number" aria-pressed={isChosen} aria-label={`Select row ${row + 1}`}>
          {row + 1}
        </button>
      </th>
      {shown.map((column) => (
        <Cell key={column.name} text={shortCell(column, row)} isNumber={column.kind === "number"} />
      ))}
    </tr>
  );
}

/** A number with more digits than can be compared is rounded. */
function shortCell(column: ColumnData, row: number): string {
  const text = cellText(column, row);
  if (column.kind !== "number" || column.isDate === true || text.length <= MOST_DIGITS) return text;
  const value = column.values[row]!;
  return Number.isInteger(value) ? text : String(Number(value.toPrecision(6)));
}

const MOST_DIGITS = 9;

function Cell({ text, isNumber }: { readonly text: string; readonly isNumber: boolean }) {
  if (text === "") return <td class={isNumber ? "gap number" : "gap"}>–</td>;
  const shown = text.length > LINE ? `${text.slice(0, LINE)}…` : text;
  return <td class={isNumber ? "number" : undefined}>{shown}</td>;
}

/** The name of the row and the target first. */
function orderedColumns(
  columns: readonly ColumnData[],
  first: readonly (ColumnData | undefined)[],
): readonly ColumnData[] {
  const known = first.filter((column) => column !== undefined);
  return known.length === 0 ? columns : [...known, ...columns.filter((column) => !known.includes(column))];
}
