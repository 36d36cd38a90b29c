import { calledBy, type Dialect, doubleDigits, doubled } from "./dialect.js";

const notNumbers: Readonly<Record<string, string>> = {
  Infinity: "'Infinity'::DOUBLE",
  "-Infinity": "'-Infinity'::DOUBLE",
  NaN: "NULL::DOUBLE",
};

export const duckdb: Dialect = {
  name: "duckdb",
  identifier: (name) => doubled('"', name),
  number: (value) => notNumbers[String(value)] ?? doubleDigits(value),
  text: (value) => doubled("'", value),
  truth: (value) => (value ? "TRUE" : "FALSE"),
  column({ name, type, as }) {
    const column = this.identifier(name);
    if (as === "any") return column;
    if (as === "text") return type === "text" ? column : `CAST(${column} AS VARCHAR)`;
    if (type === "date") return `CAST(epoch_ms(CAST(${column} AS TIMESTAMP)) AS DOUBLE)`;
    return `NULLIF(CAST(${column} AS DOUBLE), 'NaN'::DOUBLE)`;
  },
  function: calledBy({ log: "ln" }),
  element: (list, at) => `list_extract([${list.join(", ")}], CAST(${at} AS INTEGER))`,
  fence: "",
};
