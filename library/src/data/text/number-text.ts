/**
 * Numbers as text, as databases, spreadsheets and people write them: plain decimals, thousands divided by commas, points, blanks or
 * apostrophes, decimal commas; with a sign, a currency or a percent sign, which are left out ("12 %" is 12, "$3" is 3).
 */

/** A way to write the digits of a number. */
export interface DigitFormat {
  readonly name: string;
  /** What stands before the fraction. */
  readonly decimal: "." | ",";
  readonly pattern: RegExp;
  /** The digits as JavaScript reads them. */
  plain(digits: string): string;
}

const BLANKS = "[ \\u00a0\\u2009\\u202f'\\u2019]";
const withPoint = (digits: string) => digits.replace(",", ".");

/** Of several that fit, the first is taken. */
export const digitFormats: readonly DigitFormat[] = [
  {
    name: "plain",
    decimal: ".",
    pattern: /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/,
    plain: (digits) => digits,
  },
  {
    name: "thousands divided by commas",
    decimal: ".",
    pattern: /^\d{1,3}(?:,\d{3})*(?:\.\d+)?$/,
    plain: (digits) => digits.replaceAll(",", ""),
  },
  {
    name: "decimal commas",
    decimal: ",",
    pattern: /^(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d{1,3})?$/,
    plain: withPoint,
  },
  {
    name: "thousands divided by points, decimal commas",
    decimal: ",",
    pattern: /^\d{1,3}(?:\.\d{3})*(?:,\d+)?$/,
    plain: (digits) => withPoint(digits.replaceAll(".", "")),
  },
  {
    name: "thousands divided by blanks",
    decimal: ".",
    pattern: new RegExp(`^\\d{1,3}(?:${BLANKS}\\d{3})*(?:\\.\\d+)?$`),
    plain: (digits) => digits.replace(/[^\d.]/g, ""),
  },
  {
    name: "thousands divided by blanks, decimal commas",
    decimal: ",",
    pattern: new RegExp(`^\\d{1,3}(?:${BLANKS}\\d{3})*(?:,\\d+)?$`),
    plain: (digits) => withPoint(digits.replace(/[^\d,]/g, "")),
  },
];

/** A cell taken apart: its sign, its digits with their marks, and what stands before and after them. */
export interface NumberParts {
  readonly negative: boolean;
  readonly digits: string;
  /** Currency, or "%"; equal for all cells of one format. */
  readonly unit: string;
}

const CURRENCY = "[$€£¥₹]|USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN";
const SIGN = /^[+\-\u2212]/;
const BEFORE = new RegExp(`^(?:${CURRENCY})`);
const AFTER = new RegExp(`(?:%|${CURRENCY})$`);

/** Longer texts are not numbers. */
const LONGEST = 40;
/** Integers of more digits may not be exact as numbers. */
const EXACT_DIGITS = 15;

/** Undefined for what cannot be a number. */
export function numberParts(cell: string): NumberParts | undefined {
  if (cell.length > LONGEST) return undefined;
  let rest = cell.trim();
  let negative = false;
  const sign = () => {
    const found = SIGN.exec(rest);
    if (found === null) return;
    negative = found[0] !== "+";
    rest = rest.slice(1).trimStart();
  };
  sign();
  const before = BEFORE.exec(rest)?.[0] ?? "";
  rest = rest.slice(before.length).trimStart();
  if (before !== "" && !negative) sign();
  const after = before === "" ? (AFTER.exec(rest)?.[0] ?? "") : "";
  rest = rest.slice(0, rest.length - after.length).trimEnd();
  if (!/^[.,]?\d/.test(rest)) return undefined;
  return { negative, digits: rest, unit: before === "" ? after : `${before}…` };
}

/** Codes, not numbers: an integer with a zero in front, as of a postcode, or with more digits than a number has. */
export const isIdentifier = (cell: string): boolean =>
  /^[+-]?0\d/.test(cell) ? /^[+-]?\d+$/.test(cell) : /^[+-]?\d+$/.test(cell) && cell.length > EXACT_DIGITS;

/** The number of a cell in a format. */
export const numberOf = ({ negative, digits }: NumberParts, format: DigitFormat): number =>
  (negative ? -1 : 1) * Number(format.plain(digits));
