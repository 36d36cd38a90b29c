import { calledBy, type Dialect, doubleDigits } from "./dialect.js";

const notNumbers: Readonly<Record<string, string>> = { Infinity: "inf", "-Infinity": "(-inf)", NaN: "NULL" };

const escaped = (quote: string, inside: string): string =>
  quote + inside.replace(/[\\'"`]/g, "\\$&").replaceAll("\0", "\\0") + quote;

/** Names that have two arguments before version 22: pairs of pairs. */
const paired = (name: string, args: readonly string[]): string => {
  if (args.length < 2) return args[0]!;
  const half = args.length >> 1;
  return `${name}(${paired(name, args.slice(0, half))}, ${paired(name, args.slice(half))})`;
};

const isPaired: ReadonlySet<string> = new Set(["greatest", "least"]);

const HALF = 2 ** -537;

/** Doubles below the smallest normal one are whole multiples of 2⁻¹⁰⁷⁴; old versions refuse to read them. */
const subnormal = (value: number): string | undefined =>
  value === 0 || Math.abs(value) >= 2 ** -1022
    ? undefined
    : `(${doubleDigits(value / HALF / HALF)} * ${HALF} * ${HALF})`;

const plain = calledBy({});

export const clickhouse: Dialect = {
  name: "clickhouse",
  identifier: (name) => escaped('"', name),
  number: (value) => notNumbers[String(value)] ?? subnormal(value) ?? doubleDigits(value),
  text: (value) => escaped("'", value),
  // Before version 21 there are no booleans but numbers.
  truth: (value) => (value ? "1" : "0"),
  column({ name, type, as }) {
    const column = this.identifier(name);
    if (as === "any") return column;
    if (as === "text") return `toString(${column})`;
    // Days of a Date, seconds of a DateTime, with fractions of a DateTime64.
    if (type === "date")
      return `(toFloat64(${column}) * if(position(toTypeName(${column}), 'DateTime') > 0, 1e3, 864e5))`;
    // NaN is not equal to itself.
    return `if(isNaN(toFloat64(${column})), NULL, toFloat64(${column}))`;
  },
  function: (name, args) => (isPaired.has(name) ? paired(name, args) : plain(name, args)),
  element: (list, at) => `arrayElement([${list.join(", ")}], toUInt32(${at}))`,
  // Doubles as text: infinities would be NULL in JSON.
  list: (type, values) => {
    const given = type === "text" ? values : values.map((value) => `toString(${value})`);
    return `CAST([${given.join(", ")}] AS Array(Nullable(String)))`;
  },
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
