import type { CategoricalColumn, Column, TextColumn } from "./column.js";
import type { DataWarningCode } from "./data-warning.js";

/** What should be known of how a column was read; the sentence goes on from the column's name. */
export interface ColumnNote {
  readonly code: DataWarningCode;
  readonly text: string;
}

const notes = new WeakMap<Column, readonly ColumnNote[]>();

export const notesOf = (column: Column): readonly ColumnNote[] => notes.get(column) ?? [];

/** The same column with a note more. */
export function addNote<C extends Column>(column: C, note: ColumnNote): C {
  notes.set(column, [...notesOf(column), note]);
  return column;
}

/** The same column with the notes of the one that it is a part of. */
export function withNotes<C extends Column>(column: C, from: Column): C {
  const own = notesOf(from);
  if (own.length > 0) notes.set(column, own);
  return column;
}

/** Text that numbers or dates were read from: a model whose column was text in fit reads the text. */
const texts = new WeakMap<Column, CategoricalColumn | TextColumn>();

export const rememberText = (column: Column, text: CategoricalColumn | TextColumn): void =>
  void texts.set(column, text);

/** The text that a column was read from, if it was. */
export const textOf = (column: Column): CategoricalColumn | TextColumn | undefined => texts.get(column);
