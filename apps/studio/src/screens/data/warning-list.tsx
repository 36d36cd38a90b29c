import { useSignal } from "@preact/signals";
import type { Warning } from "../../data/warnings.js";
import { setKind, setRole } from "../../state/change-columns.js";
import { roles } from "../../state/session.js";
import { warnings } from "../../state/table-figures.js";

const FIRST = 6;

/** What is wrong with the table, in words, with a button where one click helps. */
export function WarningList() {
  const all = useSignal(false);
  const found = warnings.value;
  const target = roles.value?.target ?? null;
  const shown = all.value ? (found ?? []) : (found ?? []).slice(0, FIRST);
  return (
    <section class="checks" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Before you trust a score</h2>
      {target === null && (
        <p class="check">
          No column is the target: models look for clusters. Give a column this role to predict it.
        </p>
      )}
      {found === null && <p class="note">Looking at the columns…</p>}
      {found?.length === 0 && <p class="note">No warnings.</p>}
      <ul class="warnings">
        {shown.map((warning) => (
          <li key={warning.message} class="check" data-kind={warning.code}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M8 1l7 13H1zM8 6v4M8 11.5v1" />
            </svg>
            <span>{warning.message}</span>
            <Fix {...warning} />
          </li>
        ))}
      </ul>
      {(found?.length ?? 0) > FIRST && (
        <button
          type="button"
          class="link"
          aria-expanded={all.value}
          onClick={() => {
            all.value = !all.value;
          }}
        >
          {all.value ? "Show fewer" : `Show ${found!.length - FIRST} more`}
        </button>
      )}
    </section>
  );
}

function Fix({ column, fix }: Warning) {
  if (column === null || fix === null) return null;
  const [text, act] =
    fix === "ignore"
      ? (["Ignore it", () => setRole(column, "ignore")] as const)
      : fix === "use"
        ? (["Use it", () => setRole(column, "feature")] as const)
        : fix === "as-category"
          ? (["Make it a category", () => setKind(column, "category")] as const)
          : (["Read as numbers", () => setKind(column, "number")] as const);
  return (
    <button type="button" onClick={act} aria-label={`${text}: ${column}`}>
      {text}
    </button>
  );
}
