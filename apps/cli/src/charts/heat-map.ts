import { maxOf } from "argmax/numeric";
import { safeLine } from "../terminal/foreign-text.js";
import { widthOf, wrap } from "../terminal/table.js";
import { type Look, padLeft, padRight, shorten } from "./look.js";

interface HeatMap {
  readonly names: readonly string[];
  /** One row per true class, one column per predicted class. */
  readonly counts: readonly (readonly number[])[];
}

const SHADES = { unicode: [" ", "░", "▒", "▓", "█"], ascii: [" ", ".", ":", "+", "#"] };

/** The most frequent mistakes that are listed where the matrix has no room. */
const MISTAKES = 10;

/**
 * A confusion matrix: counts, shaded by their fraction of the row. Long names are cut, then columns are numbered; without room for a column per
 * class, the most frequent mistakes are listed.
 */
export function confusionHeatMap(given: HeatMap, look: Look): string[] {
  const map = { ...given, names: given.names.map(safeLine) };
  const digits = String(maxOf(map.counts.flat(), 0)).length;
  const K = map.names.length;
  const named = maxOf(map.names.map(widthOf));
  const rowNames = (most: number) => Math.min(named, most);
  /** Names of 12 characters or fewer head the columns as they are. */
  const columnWidth = Math.max(digits + 2, Math.min(named, 12));
  const numberWidth = Math.max(digits, String(K).length);
  if (Math.max(rowNames(24), "truth".length) + K * (columnWidth + 2) <= look.width)
    return draw(map, look, rowNames(24), columnWidth, true, (k) =>
      shorten(map.names[k]!, columnWidth, look.unicode),
    );
  for (const shaded of [true, false]) {
    const width = shaded ? numberWidth + 2 : numberWidth;
    const room = look.width - K * (width + 2) - String(K).length - 1;
    if (room >= Math.min(named, 8))
      return draw(numbered(map), look, Math.min(room, named) + String(K).length + 1, width, shaded, (k) =>
        String(k + 1),
      );
  }
  return mistakes(map, look);
}

const numbered = ({ names, counts }: HeatMap): HeatMap => ({
  names: names.map((name, k) => `${padLeft(String(k + 1), String(names.length).length)} ${name}`),
  counts,
});

function draw(
  { names, counts }: HeatMap,
  look: Look,
  rowWidth: number,
  columnWidth: number,
  shaded: boolean,
  heading: (k: number) => string,
): string[] {
  const { style, unicode } = look;
  const first = Math.max(rowWidth, "truth".length);
  const table = names.length * (columnWidth + 2);
  const title = padLeft("predicted", Math.min(table, Math.ceil((table + "predicted".length) / 2)));
  const heads = names.map((_, k) => `  ${padLeft(heading(k), columnWidth)}`).join("");
  return [
    style.dim(`${" ".repeat(first)}${title}`),
    style.dim(`${padRight("truth", first)}${heads}`),
    ...counts.map((row, r) => {
      const total = row.reduce((sum, count) => sum + count, 0);
      const cells = row.map((count, c) => {
        const text = cellOf(count, total, columnWidth, shaded, unicode);
        return `  ${count === 0 ? style.dim(text) : r === c ? style.good(text) : style.bold(text)}`;
      });
      return `${padRight(shorten(names[r]!, rowWidth, unicode), first)}${cells.join("")}`;
    }),
  ];
}

/** A block as dark as the count's fraction of its row, and the count; 0 is a dot, so that mistakes stand out. */
function cellOf(count: number, total: number, width: number, shaded: boolean, unicode: boolean): string {
  const text = count === 0 ? (unicode ? "·" : ".") : String(count);
  if (!shaded || count === 0) return padLeft(text, width);
  const shades = unicode ? SHADES.unicode : SHADES.ascii;
  const shade = shades[Math.max(1, Math.ceil((shades.length - 1) * (count / total)))]!;
  return padLeft(`${shade} ${text}`, width);
}

/** Lines `truth → predicted  count`, the most frequent first. */
function mistakes({ names, counts }: HeatMap, look: Look): string[] {
  const all = counts.flatMap((row, r) => row.map((count, c) => ({ r, c, count })));
  const wrong = all.filter(({ r, c, count }) => r !== c && count > 0).sort((a, b) => b.count - a.count);
  const arrow = look.unicode ? " → " : " -> ";
  const shown = wrong.slice(0, MISTAKES);
  const digits = maxOf(
    shown.map(({ count }) => String(count).length),
    0,
  );
  const room = Math.floor((look.width - digits - 2 - arrow.length) / 2);
  const name = (k: number) => shorten(names[k]!, room, look.unicode);
  const count = wrong.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return [`No mistakes among ${names.length} classes.`];
  const lines = shown.map(
    ({ r, c, count }) => `${padLeft(String(count), digits)}  ${name(r)}${look.style.dim(arrow)}${name(c)}`,
  );
  const rest = wrong.length - shown.length;
  const more = rest > 0 ? [look.style.dim(`and ${rest} other pairs of classes`)] : [];
  return [
    ...wrap(
      `The most frequent mistakes (truth${arrow}predicted) among ${names.length} classes:`,
      look.width,
    ).map((line) => look.style.dim(line)),
    ...lines,
    ...more,
  ];
}
