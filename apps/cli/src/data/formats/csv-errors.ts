import { ArgmaxError } from "argmax";
import { Failure, UsageError } from "../../command.js";

const REPAIR = "Correct the file, give another --delimiter, or leave such rows out with --bad-rows skip.";

/** Moves the number of a line from the block to the file. */
const moved = (text: string, linesBefore: number): string =>
  text.replace(/line (\d+)/, (_, line: string) => `line ${Number(line) + linesBefore}`);

/** What parseCsv found wrong, as one sentence with the file, the line and the column. */
export function csvFailure(label: string, error: unknown, linesBefore = 0): unknown {
  if (!(error instanceof ArgmaxError)) return error;
  const { expected, received } = error;
  const wanted = /encoding: ("[^"]*")/.exec(error.advice);
  if (wanted !== null)
    return new Failure(
      `${label}, ${moved(error.subject, linesBefore).replace("the text in ", "")}: the text must be ${expected}, got ${received}. ` +
        `Give --encoding ${JSON.parse(wanted[1]!)} if that is right, or save the file as UTF-8.`,
    );
  const subject = moved(error.subject, linesBefore);
  if (subject === "delimiter") return new UsageError(`--delimiter must be ${expected}, got ${received}.`);
  if (subject === "the text") return new Failure(`${label} is empty: it has no rows.`);
  const cell = /^column (.*) in (line \d+)$/.exec(subject);
  if (cell !== null) {
    const kind = expected.replace(", as types says", "");
    return new Failure(
      `${label}, ${cell[2]}, column ${cell[1]}: the cell must be ${kind}, as in other rows, got ${received}. ` +
        `Correct the cell, or read the column as text: --text ${cell[1]}.`,
    );
  }
  const inLine = /^(.*?) ?(?:in )?(line \d+)$/.exec(subject);
  if (inLine === null) return error.within(label);
  const [, what, line] = inLine;
  if (what !== "")
    return new Failure(`${label}, ${line}: ${what} must be ${expected}, got ${received}. Correct the file.`);
  const many = /There are (\d+) such rows/.exec(error.advice);
  const count = many === null ? "" : ` There are ${many[1]} such rows.`;
  return new Failure(`${label}, ${line}: the row must have ${expected}, got ${received}.${count} ${REPAIR}`);
}
