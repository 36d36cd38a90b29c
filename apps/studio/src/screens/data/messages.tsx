import {
  cancelReading,
  decideOtherFile,
  otherFile,
  reading,
  readNotes,
  readProblem,
} from "../../state/open-file.js";
import { document as current, tableProblem } from "../../state/session.js";

/** What is being read, what could not be read, and what is known of what was read. */
export function Messages() {
  const now = reading.value;
  const problem = readProblem.value;
  const asked = tableProblem.value;
  const notes = readNotes();
  return (
    <div class="messages">
      <div role="status">
        {now !== null && (
          <p class="message">
            <span>Reading {now.name}…</span>
            <progress max={1} value={now.done || undefined} aria-label={`Reading ${now.name}`} />
            <button type="button" onClick={cancelReading}>
              Cancel
            </button>
          </p>
        )}
        {now === null && asked !== null && otherFile.value === null && <p class="message request">{asked}</p>}
        {notes.map((note) => (
          <p key={note} class="message">
            {note}
          </p>
        ))}
      </div>
      <div role="alert">
        {problem !== null && (
          <p class="message problem">
            <span>{problem}</span>
            <button
              type="button"
              onClick={() => {
                readProblem.value = null;
              }}
            >
              Dismiss
            </button>
          </p>
        )}
        {otherFile.value !== null && <OtherFile />}
      </div>
    </div>
  );
}

/** The file is not the one that the link is about. */
function OtherFile() {
  const { source, parsed } = otherFile.value!;
  const wanted = current.value.source;
  if (wanted.kind !== "file") return null;
  const same = wanted.name === source.name;
  return (
    <div class="message other-file">
      <p>
        {same ? `This ${source.name} differs from the one` : `${source.name} is not ${wanted.name}, the file`}{" "}
        that the link is about: {parsed.data.rows.toLocaleString("en")} rows here,{" "}
        {wanted.rows.toLocaleString("en")} there. The scores will differ.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => decideOtherFile("use")}>
          Use it with the models of the link
        </button>
        <button type="button" onClick={() => decideOtherFile("open")}>
          Open it as a new table
        </button>
        <button type="button" onClick={() => decideOtherFile("leave")}>
          Leave it
        </button>
      </div>
    </div>
  );
}
