import { signal, useSignal } from "@preact/signals";
import { pool, table } from "../../state/session.js";
import { bytes, count } from "../../ui/figures.js";
import { ScrollRegion } from "../../ui/table-parts.js";
import { Stopped } from "../../work/pool.js";
import type { Artefact, Check, ShipAsk, Shipped, ShippedFile, Task } from "../../work/protocol.js";

/** What all artefacts of a model need. */
export type Cargo = Omit<ShipAsk, "artefact">;

type Progress =
  | { readonly state: "running"; readonly stop: AbortController }
  | { readonly state: "done"; readonly shipped: Shipped }
  | { readonly state: "failed"; readonly message: string };

/** Checks by model and artefact, of the models that are in the page: another fit is another key. */
const checks = signal<ReadonlyMap<string, Progress>>(new Map());

/** How many are kept: the files of a check may be large. */
const KEPT = 6;

function put(key: string, progress: Progress | undefined): void {
  const next = new Map(checks.value);
  next.delete(key);
  if (progress !== undefined) next.set(key, progress);
  for (const [old, { state }] of next)
    if (next.size > KEPT && state !== "running" && old !== key) next.delete(old);
  checks.value = next;
}

function verify(cargo: Cargo, artefact: Artefact): void {
  const key = `${cargo.key} ${artefact}`;
  const stop = new AbortController();
  put(key, { state: "running", stop });
  const tableKey = cargo.roles.table;
  if (table.value?.key === tableKey) pool.hold(tableKey, table.value.data);
  pool
    .run("ship", { ...cargo, artefact }, { needs: [tableKey, cargo.key], signal: stop.signal, urgent: true })
    .then(
      (shipped) => put(key, { state: "done", shipped }),
      (error: Error) =>
        put(key, error instanceof Stopped ? undefined : { state: "failed", message: error.message }),
    );
}

/** Bytes of a file that are shown. */
const SHOWN = 2000;

const textOf = (content: Uint8Array): string => new TextDecoder().decode(content);

interface CheckedProps {
  readonly cargo: Cargo;
  readonly artefact: Artefact;
  /** What is downloaded once the check has passed, where it is not the artefact itself. */
  readonly instead?: ShippedFile;
  /** Show the beginning of the file. */
  readonly preview?: boolean;
}

/** Runs an artefact, shows how its answers differ from the app's, and offers it only if they do not. */
export function Checked({ cargo, artefact, instead, preview = false }: CheckedProps) {
  const progress = checks.value.get(`${cargo.key} ${artefact}`);
  const shipped = progress?.state === "done" ? progress.shipped : undefined;
  const files = instead === undefined ? (shipped?.files ?? []) : [instead];
  const shown = preview && shipped?.passed ? shipped.files[0]?.content : undefined;
  return (
    <section class="checked" aria-label="Check and download">
      <div class="check-buttons">
        {progress?.state === "running" ? (
          <button type="button" onClick={() => progress.stop.abort()}>
            Cancel the check
          </button>
        ) : (
          <button
            type="button"
            class={shipped?.passed ? undefined : "primary"}
            onClick={() => verify(cargo, artefact)}
          >
            {progress === undefined ? "Verify" : "Verify again"}
          </button>
        )}
        {shipped?.passed &&
          files.map((file) => (
            <button key={file.name} type="button" class="primary" onClick={() => download(file)}>
              Download {file.name} <span class="size">{bytes(file.content.length)}</span>
            </button>
          ))}
      </div>
      <div role="status">
        {progress === undefined && (
          <p class="note">The download is offered once it has been run here and gives the app's answers.</p>
        )}
        {progress?.state === "running" && <p class="note">Running it and comparing…</p>}
        {progress?.state === "failed" && (
          <p class="problem">The check could not be run: {progress.message}</p>
        )}
        {shipped !== undefined && <Results {...shipped} task={cargo.roles.task} />}
      </div>
      {shown !== undefined && (
        <CopyText
          label="Beginning of the JSON file"
          text={textOf(shown.subarray(0, SHOWN)) + (shown.length > SHOWN ? " …" : "")}
          copy={() => textOf(shown)}
        />
      )}
    </section>
  );
}

function Results({ passed, checks: found, task }: Shipped & { readonly task: Task }) {
  return (
    <div class={passed ? "results" : "results problem"}>
      <p>
        <strong>{passed ? "✓ Verified" : "✗ Not the same"}</strong>
        {passed
          ? ": the same answers as the app."
          : ": its answers differ from the app's, so it is not offered. Train the model again."}
      </p>
      <ul>
        {found.map((check) => (
          <li key={check.what}>{checkText(check, task)}</li>
        ))}
      </ul>
    </div>
  );
}

/** "344 rows …: max |Δp| 0, no label differs." */
function checkText({ rows, what, mismatches, largest }: Check, task: Task): string {
  const apart = largest === null ? null : largest === 0 ? "0" : largest.toExponential(1);
  const found =
    task === "classification"
      ? `${apart === null ? "" : `max |Δp| ${apart}, `}${mismatches === 0 ? "no label differs" : `${count(mismatches)} labels differ`}`
      : task === "regression"
        ? `max |Δ| ${apart}`
        : apart === "0"
          ? "no cluster differs"
          : "clusters differ";
  return `${count(rows)} ${what}: ${found}.`;
}

function download({ name, type, content }: ShippedFile): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface CopyTextProps {
  readonly label: string;
  readonly text: string;
  /** What is copied, if it is more than what is shown. */
  readonly copy?: () => string;
}

/** Text to be copied. */
export function CopyText({ label, text, copy = () => text }: CopyTextProps) {
  const copied = useSignal<"" | "Copied." | "Select the text and copy it: the page may not.">("");
  const onClick = () =>
    navigator.clipboard.writeText(copy()).then(
      () => {
        copied.value = "Copied.";
      },
      () => {
        copied.value = "Select the text and copy it: the page may not.";
      },
    );
  return (
    <figure class="copy-text">
      <div class="copy-head">
        <figcaption>{label}</figcaption>
        <span role="status" class="note">
          {copied.value}
        </span>
        <button type="button" aria-label={`Copy: ${label}`} onClick={onClick}>
          Copy
        </button>
      </div>
      <ScrollRegion label={label} class="code">
        <pre>
          <code>{text}</code>
        </pre>
      </ScrollRegion>
    </figure>
  );
}
