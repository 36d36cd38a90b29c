import { agrees, type Figure, meets, type PublishedRow } from "./row.js";

/** The result of a row: our figures and the time, or the reason why it was skipped. */
export type Result =
  | { readonly row: PublishedRow; readonly ours: readonly number[]; readonly seconds: number }
  | { readonly row: PublishedRow; readonly missing: string };

const START = "<!-- published results: written by `npm run published -- DIR --write` -->";
const END = "<!-- end of published results -->";

export const passed = (result: Result): boolean =>
  "missing" in result || result.row.figures.every((figure, i) => meets(figure, result.ours[i]!));

const shown = (value: number, digits: number) => value.toFixed(digits).replace("-", "−");

function verdict(figure: Figure, ours: number): string {
  if (agrees(figure, ours)) return "agrees";
  return meets(figure, ours) ? "see ¹" : "**differs**";
}

/** The table of docs/results.md. Without times, which would change on every run. */
export function markdown(results: readonly Result[]): string {
  const head = "| data | method | figure | published | argmax | |\n| --- | --- | --- | --- | --- | --- |";
  const lines = results.flatMap((result) =>
    result.row.figures.map((figure, i) => {
      const { data, method, source } = result.row;
      const ours = "missing" in result ? "–" : shown(result.ours[i]!, figure.digits);
      const mark = "missing" in result ? "data not there" : verdict(figure, result.ours[i]!);
      const [first, second] = i === 0 ? [data, `${method} (${source})`] : ["", ""];
      return `| ${first} | ${second} | ${figure.name} | ${shown(figure.published, figure.digits)} | ${ours} | ${mark} |`;
    }),
  );
  const notes = results.flatMap(({ row }) =>
    row.figures.flatMap(({ name, note }) => (note ? [`¹ ${row.data}, ${name}: ${note}.`] : [])),
  );
  return [head, ...lines, "", ...notes].join("\n");
}

/** The document with the text between the markers replaced. */
export function rewritten(document: string, results: readonly Result[]): string {
  const [start, end] = [document.indexOf(START), document.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the document must hold the lines\n${START}\n${END}`);
  return `${document.slice(0, start)}${START}\n\n${markdown(results)}\n\n${document.slice(end)}`;
}

/** A row as lines for the terminal. */
export function lines(result: Result): string {
  const { row } = result;
  const head = `${row.data}: ${row.method} (${row.source})`;
  if ("missing" in result) return `${head}\n  not run: ${result.missing}\n`;
  const figures = row.figures.map((figure, i) => {
    const ours = result.ours[i]!;
    const mark = agrees(figure, ours) ? "✓" : meets(figure, ours) ? "≈" : "✗";
    const note = figure.note ? `  (${figure.note})` : "";
    const [theirs, mine] = [shown(figure.published, figure.digits), shown(ours, figure.digits)];
    return `  ${mark} ${figure.name.padEnd(18)} published ${theirs.padStart(11)}   argmax ${mine.padStart(11)}${note}`;
  });
  return `${head}  ${(result.seconds * 1000).toFixed(0)} ms\n${figures.join("\n")}\n`;
}
