import { readDate, timeOf } from "./iso-date.js";

/** Dates as text: by ISO 8601, and as people write them. All are in UTC unless the text says otherwise. */

const CLOCK = String.raw`(?:,?[ T](\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp])[Mm])?)?$`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([/.])(\d{1,2})\2(\d{1,2})${CLOCK}`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([./-])(\d{1,2})\2(\d{4})${CLOCK}`);

/** Hours, minutes and seconds of what CLOCK has found. */
function clock([hour, minute, second, half]: readonly (string | undefined)[]): [number, number, number] {
  const read = Number(hour ?? 0);
  if (half === undefined) return [read, Number(minute ?? 0), Number(second ?? 0)];
  // 12 a.m. is midnight; 13 p.m. is not an hour.
  const wrong = read < 1 || read > 12;
  return [wrong ? 99 : (read % 12) + (/p/i.test(half) ? 12 : 0), Number(minute), Number(second ?? 0)];
}

function readYearFirst(text: string): number | undefined {
  const found = YEAR_FIRST.exec(text);
  if (found === null) return undefined;
  const [, year, , month, day] = found;
  return timeOf(Number(year), Number(month), Number(day), ...clock(found.slice(5)));
}

function readYearLast(text: string, dayFirst: boolean, marks: string): number | undefined {
  const found = YEAR_LAST.exec(text);
  if (found === null || !marks.includes(found[2]!)) return undefined;
  const [first, second] = [Number(found[1]), Number(found[3])];
  const [day, month] = dayFirst ? [first, second] : [second, first];
  return timeOf(Number(found[4]), month, day, ...clock(found.slice(5)));
}

/** A way to write dates. */
export interface DateFormat {
  readonly name: string;
  /** Whether the day comes before the month, where that is the question. */
  readonly dayFirst?: boolean;
  read(text: string): number | undefined;
}

/** With points the day comes first everywhere; with / and - it depends on the country. */
export const dateFormats: readonly DateFormat[] = [
  { name: "YYYY-MM-DD", read: readDate },
  { name: "YYYY/MM/DD", read: readYearFirst },
  { name: "DD.MM.YYYY", read: (text) => readYearLast(text, true, ".") },
  { name: "MM/DD/YYYY", dayFirst: false, read: (text) => readYearLast(text, false, "/-") },
  { name: "DD/MM/YYYY", dayFirst: true, read: (text) => readYearLast(text, true, "/-") },
];
