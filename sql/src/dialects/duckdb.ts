import { calledBy, type Dialect, doubleDigits, doubled, withoutNul } from "./dialect.js";

const notNumbers: Readonly<Record<string, string>> = {
  Infinity: "'Infinity'::DOUBLE",
  "-Infinity": "'-Infinity'::DOUBLE",
  NaN: "NULL::DOUBLE",
};

export const duckdb: Dialect = {
  name: "duckdb",
  identifier: (name) => doubled('"', withoutNul("DuckDB", name)),
  number: (value) => notNumbers[String(value)] ?? doubleDigits(value),
  // A statement ends at a NUL character.
  text: (value) => {
    const parts = value.split("\0").map((part) => doubled("'", part));
    return parts.length === 1 ? parts[0]! : `(${parts.join(" || chr(0) || ")})`;
  },
  truth: (value) => (value ? "TRUE" : "FALSE"),
  column({ name, type, as }) {
    const column = this.identifier(name);
    if (as === "any") return column;
    if (as === "text") return type === "text" ? column : `CAST(${column} AS VARCHAR)`;
    // Without a cast: that of a time with a zone would depend on the session's.
    if (type === "date") return `CAST(epoch_ms(${column}) AS DOUBLE)`;
    return `NULLIF(CAST(${column} AS DOUBLE), 'NaN'::DOUBLE)`;
  },
  function: calledBy({ log: "ln" }),
  element: (list, at) => `list_extract([${list.join(", ")}], CAST(${at} AS INTEGER))`,
  list: (type, values) =>
    values.length === 0
      ? `CAST([] AS ${type === "text" ? "VARCHAR" : "DOUBLE"}[])`
      : `[${values.join(", ")}]`,
  keyText: (value) => `CAST(${value} AS VARCHAR)`,
  aggregate: (kind, value) => `${kind}(${value})`,
  countRows: "CAST(count(*) AS DOUBLE)",
  hash: (values) => {
    const text = values.map((value) => `coalesce(CAST(${value} AS VARCHAR), '')`).join(", ");
    return `CAST(CAST(concat('0x', substr(md5(concat_ws('|', ${text})), 1, 8)) AS BIGINT) AS DOUBLE)`;
  },
  fence: "",
  aliasesHideColumns: false,
  limits: { characters: 2_000_000, aggregates: 2000, columns: 5000 },
};
