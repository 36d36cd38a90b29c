import { calledBy, type Dialect, doubleDigits, doubled, withoutNul } from "./dialect.js";

export const postgres: Dialect = {
  name: "postgres",
  identifier: (name) => doubled('"', withoutNul("PostgreSQL", name)),
  number: (value) => {
    if (Number.isNaN(value)) return "NULL::float8";
    return Number.isFinite(value) ? `${doubleDigits(value)}::float8` : `'${value}'::float8`;
  },
  // A backslash would be an escape where standard_conforming_strings is off: E'…' means the same everywhere.
  text: (value) => {
    const quoted = doubled("'", withoutNul("PostgreSQL", value).replaceAll("\\", "\\\\"));
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

const ofTwo = { greatest: "float8larger", least: "float8smaller" } as const;

/** Pairs of pairs. */
const paired = (name: keyof typeof ofTwo, args: readonly string[]): string => {
  const half = args.length >> 1;
  if (half === 0) return args[0]!;
  return `pg_catalog.${ofTwo[name]}(${paired(name, args.slice(0, half))}, ${paired(name, args.slice(half))})`;
};

/**
 * PostgreSQL as foreign servers understand it (postgres_fdw): expressions of columns, operators, CASE and immutable functions, not of
 * NULLIF, COALESCE, GREATEST, LEAST or conversions of a type to text. A fence would keep sums from them.
 */
export const shardedPostgres: Dialect = {
  ...postgres,
  column(column) {
    const own = postgres.identifier(column.name);
    if (column.as !== "number" || column.type === "boolean" || column.type === "date")
      return column.as === "number" && column.type === "boolean"
        ? `CASE WHEN ${own} THEN 1::float8 WHEN NOT ${own} THEN 0::float8 END`
        : postgres.column(column);
    return `CASE WHEN ${own}::float8 <> 'NaN'::float8 THEN ${own}::float8 END`;
  },
  function: (name, args) =>
    name === "greatest" || name === "least" ? paired(name, args) : postgres.function(name, args),
  hash(values) {
    const texts = values.map((value) => `CASE WHEN (${value}) IS NULL THEN '' ELSE (${value})::text END`);
    const bytes = `pg_catalog.decode(pg_catalog.md5(${texts.join(" || '|' || ")}), 'hex')`;
    const places = [16_777_216, 65_536, 256, 1].map(
      (place, p) => `pg_catalog.get_byte(${bytes}, ${p}) * ${place}::float8`,
    );
    return `(${places.join(" + ")})`;
  },
  fence: "",
};
