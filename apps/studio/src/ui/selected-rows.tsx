import { cellText, columnOf } from "../data/table.js";
import type { RowSet } from "../state/row-set.js";
import { dispatch, idColumn, roles, selectedRows, table } from "../state/session.js";
import { count } from "./figures.js";
import { rowId } from "./row-name.js";
import { ScrollRegion } from "./table-parts.js";

/** Rows of a table that are listed. */
const SHOWN = 10;

interface SelectedRowsProps {
  /** Columns of what a model says about a row, after those of the table. */
  readonly answers?: readonly { readonly name: string; readonly of: (row: number) => string }[];
}

/** How many rows are selected, the first of them, and what to do with them. */
export function SelectedRows({ answers = [] }: SelectedRowsProps) {
  const rows = selectedRows.value;
  const loaded = table.value;
  return (
    <section class="selected-rows" aria-label="Selected rows">
      <div class="selected-head">
        <p role="status">
          {rows === null
            ? "No rows are selected. Press a cell, a bar or a curve to select its rows."
            : `${count(rows.size)} ${rows.size === 1 ? "row is" : "rows are"} selected.`}
        </p>
        {rows !== null && (
          <>
            <button
              type="button"
              onClick={() => {
                selectedRows.value = null;
              }}
            >
              Clear
            </button>
            <button type="button" onClick={() => dispatch({ type: "show", screen: "data" })}>
              Show in Data
            </button>
          </>
        )}
      </div>
      {rows !== null && rows.size > 0 && loaded !== null && <RowTable rows={rows} answers={answers} />}
    </section>
  );
}

function RowTable({ rows, answers }: Required<SelectedRowsProps> & { readonly rows: RowSet }) {
  const data = table.value!.data;
  const { features, target } = roles.value!;
  const names = [target, ...features].filter((name) => name != null).slice(0, 12);
  const columns = names.flatMap((name) => columnOf(data, name) ?? []);
  const first = Array.from(
    rows
      .toArray()
      .filter((row) => row < data.rows)
      .subarray(0, SHOWN),
  );
  return (
    <details>
      <summary>{rows.size > SHOWN ? `The first ${SHOWN}` : "These rows"}</summary>
      <ScrollRegion label="The first selected rows">
        <table>
          <thead>
            <tr>
              <th scope="col">{["Row", idColumn.value?.name].filter(Boolean).join(", ")}</th>
              {answers.map(({ name }) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
              {columns.map(({ name }) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((row) => (
              <tr key={row}>
                <th scope="row">{[row + 1, rowId(row)].filter(Boolean).join(", ")}</th>
                {answers.map(({ name, of }) => (
                  <td key={name}>{of(row)}</td>
                ))}
                {columns.map((column) => (
                  <td key={column.name}>{cellText(column, row).slice(0, 80)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
