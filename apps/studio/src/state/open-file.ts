import { signal } from "@preact/signals";
import type { Source } from "../data/source.js";
import { Stopped } from "../work/pool.js";
import type { ParsedFile } from "../work/protocol.js";
import { dispatch, document, openTable, reader, supplyTable, table } from "./session.js";

/** The file that is being read, and the share that is done. */
export const reading = signal<{ readonly name: string; readonly done: number } | null>(null);

/** Why the last file could not be read. */
export const readProblem = signal<string | null>(null);

/** What the reader of the present table wants to be known. */
const notes = signal<{ readonly sha256: string; readonly list: readonly string[] } | null>(null);
export const readNotes = (): readonly string[] => {
  const { source } = document.value;
  return source.kind === "file" && source.sha256 === notes.value?.sha256 ? notes.value.list : [];
};

type FileSource = Extract<Source, { kind: "file" }>;

/** A file that is not the one that the link is about: somebody has to say what to do with it. */
export const otherFile = signal<{ readonly source: FileSource; readonly parsed: ParsedFile } | null>(null);

let stop: AbortController | undefined;

export function cancelReading(): void {
  stop?.abort();
  reading.value = null;
}

/** Reads a file in a worker and opens it. If a link asks for a file, the same one takes its place without a question. */
export async function openFile(file: Blob, name: string): Promise<void> {
  cancelReading();
  const mine = new AbortController();
  stop = mine;
  readProblem.value = null;
  otherFile.value = null;
  reading.value = { name, done: 0 };
  dispatch({ type: "show", screen: "data" });
  try {
    const parsed = await reader.run(
      "parse",
      { file, name },
      {
        signal: mine.signal,
        onNews: ({ done }) => {
          if (stop === mine) reading.value = { name, done };
        },
      },
    );
    if (stop === mine) take(parsed, name);
  } catch (error) {
    if (stop === mine && !(error instanceof Stopped)) readProblem.value = (error as Error).message;
  }
  if (stop === mine) reading.value = null;
}

function take(parsed: ParsedFile, name: string): void {
  const { data, sha256 } = parsed;
  const source: FileSource = { kind: "file", name: name.slice(0, 300), sha256, rows: data.rows };
  const wanted = document.value.source;
  notes.value = { sha256, list: parsed.notes };
  if (wanted.kind !== "file" || table.value !== null) openTable(source, data, parsed.guess);
  else if (sha256 !== "" && wanted.sha256 === sha256) supplyTable(data);
  else otherFile.value = { source, parsed };
}

/** What happens to a file that is not the one of the link: it takes its place with the roles of the link, opens as any other, or is left. */
export function decideOtherFile(choice: "use" | "open" | "leave"): void {
  const other = otherFile.value;
  otherFile.value = null;
  if (other === null || choice === "leave") return;
  const { source, parsed } = other;
  if (choice === "open") openTable(source, parsed.data, parsed.guess);
  else {
    const { roles, axes, models } = document.value;
    openTable(source, parsed.data, { roles, axes, task: parsed.guess.task });
    dispatch({ type: "setModels", models });
  }
}
