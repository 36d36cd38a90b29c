import type { Column, Table } from "argmax/data";
import { CategoricalColumn, NumericColumn, selectRows, TextColumn } from "argmax/data";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { scoresOf } from "./pictures/grid.js";

/** What a trained model says of one row, some of whose cells may have been changed. */
export async function predict(
  { roles, model: key, row, changes }: Ask<"predict">,
  { held }: Context<"predict">,
): Promise<Answer<"predict">> {
  const model = await held.model(key);
  const table = held.table(roles.table);
  if (model.predict === undefined)
    throw new Error("This clustering assigns the training rows only: it cannot predict changed or new ones.");
  const x = changedRow(table, roles.features, row, changes);
  const label = model.predict(x)[0]!;
  const found = roles.task === "regression" ? undefined : scoresOf(model, x);
  const names = model.classes ?? Array.from({ length: found?.cols ?? 0 }, (_, c) => c);
  const truth = roles.target === null ? null : table.column(roles.target).at(row);
  return {
    label: typeof label === "number" ? label : String(label),
    truth: truth === null ? null : String(truth),
    scores:
      found === undefined ? [] : names.map((name, c) => ({ name: String(name), value: found.data[c]! })),
    scale: found?.scale ?? "probability",
  };
}

/** One row of the table, in which some cells may have been changed. */
export function changedRow(
  table: Table,
  features: readonly string[],
  row: number,
  changes: Readonly<Record<string, string>>,
): Table {
  const one = selectRows(table.select(features), [row]);
  const columns = features.map((name): [string, Column] => {
    const column = one.column(name);
    const text = Object.hasOwn(changes, name) ? changes[name] : undefined;
    return [name, text === undefined ? column : changed(name, column, text)];
  });
  return (table.constructor as typeof Table).fromColumns(new Map(columns));
}

function changed(name: string, column: Column, text: string): Column {
  if (column.kind === "categorical") {
    const code = column.categories.indexOf(text);
    return new CategoricalColumn(Int32Array.of(code), column.categories);
  }
  if (column.kind === "text") return new TextColumn([text]);
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (text.trim() !== "" && !Number.isFinite(value))
    throw new Error(`${name} must be a number, got ${JSON.stringify(text)}.`);
  return new NumericColumn(Float64Array.of(value));
}
