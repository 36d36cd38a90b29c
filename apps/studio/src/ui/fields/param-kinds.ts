import type { ParamValue } from "../../state/param-value.js";
import type { ParamInfo } from "../../work/protocol.js";

/** How a parameter is edited; "code" where only code can give it. */
export type FieldKind =
  | "flag"
  | "choice"
  /** A number, a list of numbers, or one of the choices, as text. */
  | "text"
  /** Rows of numbers, as text. */
  | "rows"
  | "label"
  | "columns"
  | "part"
  | "parts"
  | "transformer"
  | "namedPart"
  | "stages"
  | "blocks"
  | "layers"
  | "code";

const byKind: Readonly<Record<string, FieldKind>> = {
  flag: "flag",
  choice: "choice",
  real: "text",
  integer: "text",
  numbers: "text",
  splitter: "text",
  label: "label",
  estimator: "part",
  estimators: "parts",
  transformer: "transformer",
  part: "namedPart",
  stages: "stages",
  blocks: "blocks",
  layers: "layers",
};

export function fieldKind({ kind, choices = [], default: value, expected }: ParamInfo): FieldKind {
  const known = byKind[kind];
  if (known !== undefined) return known;
  if (/column numbers or names/.test(expected)) return "columns";
  if (/^(K|two|two or more different) rows of /.test(expected)) return "rows";
  if (takesNumbers(expected)) return "text";
  if (choices.length > 0) return "choice";
  return typeof value === "number" ? "text" : "code";
}

/** Whether numbers are legal beside what is named. */
const takesNumbers = (expected: string): boolean =>
  /(^|, |or )(an? (number|integer|proportion|step number)|an array of numbers)\b/.test(expected);

/** What a parameter that only code can give is. */
export const codeReason = ({ expected }: ParamInfo): string =>
  `only in code: ${expected.replace(/, or null$/, "")}`;

/** A value as it is typed: lists with commas, rows with semicolons between them. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return String(value);
  return value.some(Array.isArray) ? value.map(textOf).join("; ") : value.join(", ");
}

/**
 * What was typed: empty text is the default, the name of a choice is that choice; what is not a finite number stays text, which a link can
 * hold, and is given to the estimator, whose error says what is legal.
 */
export function readText(text: string, { kind, choices = [], expected }: ParamInfo): ParamValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const choice = choices.find((one) => choiceText(one) === trimmed);
  if (choice !== undefined) return choice;
  const isList = kind === "numbers" || (/[\s,]/.test(trimmed) && expected.includes("array of numbers"));
  if (isList) {
    const list = numbersOf(trimmed);
    return list.every(Number.isFinite) ? list : trimmed;
  }
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

/** Rows of numbers; text where one is not a number. */
export function readRows(text: string): ParamValue | undefined {
  if (text.trim() === "") return undefined;
  const rows = text.split(";").map(numbersOf);
  return rows.flat().some(Number.isNaN) ? text.trim() : rows;
}

const numbersOf = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map(Number);

export const choiceText = (choice: unknown): string => (choice === null ? "none" : String(choice));
