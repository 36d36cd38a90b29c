import { show } from "../core/errors.js";

/** What a warning of `checkTable` is about. */
export type TableWarningCode =
  /** A column that predicts the target almost perfectly on its own, by its entries or by where they are missing. */
  | "leak"
  /** A column that differs in every row, as identifiers and row numbers do. */
  | "id-like"
  /** A column of one value, or without entries; of the target: there is nothing to learn. */
  | "constant"
  | "nearly-constant"
  /** Most entries of a column are missing. */
  | "missing"
  /** Rows without a target. */
  | "target-missing"
  | "infinite"
  /** More categories than can be encoded one by one. */
  | "high-cardinality"
  /** More classes than a target usually has. */
  | "many-classes"
  /** Classes of too few rows. */
  | "rare-class"
  /** A quantity of so few values that they may be classes. */
  | "few-values"
  /** Rows that are equal to an earlier one. */
  | "duplicates"
  /** Most entries are numbers or dates, but not all, so that the column is text. */
  | "numbers-as-text"
  | "dates-as-text";

export interface TableWarning {
  readonly code: TableWarningCode;
  /** Null where it is about rows. */
  readonly column: string | null;
  /** "high": models would learn nothing, the wrong thing, or look better than they are. */
  readonly severity: "high" | "low";
  /** A sentence that names the column. */
  readonly message: string;
  /** The counts and fractions behind the sentence. */
  readonly figures: Readonly<Record<string, number>>;
}

const SEVERE: ReadonlySet<TableWarningCode> = new Set(["leak", "id-like", "duplicates", "infinite"]);

/** A warning whose sentence begins with the column. */
export function warn(
  code: TableWarningCode,
  column: string,
  text: string,
  figures: TableWarning["figures"] = {},
  severity: TableWarning["severity"] = SEVERE.has(code) ? "high" : "low",
): TableWarning {
  return { code, column, severity, message: `${quote(column)} ${text}`, figures };
}

const LONGEST = 40;

export const quote = (text: string): string =>
  show(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

export const count = (value: number, one: string, many: string): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;

/** 1234567 as 1,234,567, without the locales that browsers and Node may lack. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

export const percent = (fraction: number): string =>
  `${(100 * fraction).toFixed(fraction > 0.99 && fraction < 1 ? 2 : 0)}%`;
