import { ParameterError } from "argmax";
import { calledBy, type Dialect, doubleDigits, doubled } from "./dialect.js";

export const postgres: Dialect = {
  name: "postgres",
  identifier: (name) => doubled('"', withoutNul(name)),
  number: (value) => {
    if (Number.isNaN(value)) return "NULL::float8";
    return Number.isFinite(value) ? `${doubleDigits(value)}::float8` : `'${value}'::float8`;
  },
  // A backslash would be an escape where standard_conforming_strings is off: E'…' means the same everywhere.
  text: (value) => {
    const quoted = doubled("'", withoutNul(value).replaceAll("\\", "\\\\"));
    return value.includes("\\") ? `E${quoted}` : quoted;
  },
  truth: (value) => (value ? "TRUE" : "FALSE"),
  column({ name, type, as }) {
    const column = this.identifier(name);
    if (as === "any") return column;
    if (as === "text") return `${column}::text`;
    if (type === "boolean") return `${column}::int::float8`;
    if (type === "date") return `(extract(epoch FROM ${column}) * 1000)::float8`;
    return `NULLIF(${column}::float8, 'NaN'::float8)`;
  },
  function: calledBy({ log: "ln" }),
  element: (list, at) => `(ARRAY[${list.join(", ")}])[(${at})::int]`,
  list: (type, values) => `ARRAY[${values.join(", ")}]::${type === "text" ? "text" : "float8"}[]`,
  keyText: (value) => `(${value})::text`,
  aggregate: (kind, value) => `${kind}(${value})`,
  countRows: "count(*)::float8",
  hash: (values) => {
    const text = values.map((value) => `coalesce((${value})::text, '')`).join(", ");
    return `('x' || substr(md5(concat_ws('|', ${text})), 1, 8))::bit(32)::bigint::float8`;
  },
  // Without it the planner would copy the expressions of a subquery to every place that uses them.
  fence: " OFFSET 0",
  aliasesHideColumns: false,
  // A SELECT has at most 1664 outputs (MaxTupleAttributeNumber).
  limits: { characters: 2_000_000, aggregates: 1000, columns: 1600 },
};

function withoutNul(value: string): string {
  if (!value.includes("\0")) return value;
  const expected = "text without a NUL character, which PostgreSQL cannot hold";
  throw new ParameterError("toSql", "a name", expected, JSON.stringify(value));
}
