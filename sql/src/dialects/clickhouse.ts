import { calledBy, type Dialect, doubleDigits } from "./dialect.js";

const notNumbers: Readonly<Record<string, string>> = { Infinity: "inf", "-Infinity": "(-inf)", NaN: "NULL" };

const escaped = (quote: string, inside: string): string =>
  quote + inside.replace(/[\\'"`]/g, "\\$&").replaceAll("\0", "\\0") + quote;

export const clickhouse: Dialect = {
  name: "clickhouse",
  identifier: (name) => escaped('"', name),
  number: (value) => notNumbers[String(value)] ?? doubleDigits(value),
  text: (value) => escaped("'", value),
  truth: (value) => (value ? "true" : "false"),
  column({ name, type, as }) {
    const column = this.identifier(name);
    if (as === "any") return column;
    if (as === "text") return type === "text" ? column : `toString(${column})`;
    if (type === "date") return `toFloat64(toUnixTimestamp64Milli(toDateTime64(${column}, 3, 'UTC')))`;
    // NaN is not equal to itself.
    return `if(isNaN(toFloat64(${column})), NULL, toFloat64(${column}))`;
  },
  function: calledBy({}),
  element: (list, at) => `arrayElement([${list.join(", ")}], toUInt32(${at}))`,
  list: (type, values) =>
    values.length === 0
      ? `CAST([] AS Array(Nullable(${type === "text" ? "String" : "Float64"})))`
      : `[${values.join(", ")}]`,
  keyText: (value) => `toString(${value})`,
  aggregate: (kind, value) => `${kind}(${value})`,
  countRows: "toFloat64(count())",
  hash: (values) => {
    const text = values.map((value) => `ifNull(toString(${value}), '')`).join(", '|', ");
    const joined = values.length === 1 ? text : `concat(${text})`;
    return `toFloat64(reinterpretAsUInt32(reverse(substring(MD5(${joined}), 1, 4))))`;
  },
  fence: "",
  aliasesHideColumns: true,
  limits: { characters: 200_000, aggregates: 1000, columns: 5000 },
};
