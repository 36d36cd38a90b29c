import type { ColumnType } from "@argmax/sql";
import type { InputKind, ModelCard } from "argmax";

const types: Readonly<Record<InputKind, ColumnType>> = {
  numeric: "number",
  boolean: "boolean",
  date: "date",
  categorical: "text",
  text: "text",
};

/** The kinds of the training as types of a database; categories of numbers are whatever the database has. */
export const typesOf = (card: ModelCard | undefined): Readonly<Record<string, ColumnType>> =>
  Object.fromEntries((card?.inputs ?? []).map(({ name, kind }) => [name, types[kind]]));
