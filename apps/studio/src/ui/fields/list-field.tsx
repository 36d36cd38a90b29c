import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { limits } from "../../state/document.js";

interface ListFieldProps<T> {
  /** Of the whole: the parameter. */
  readonly label: string;
  /** Of one entry: "member", "stage". */
  readonly noun: string;
  readonly entries: readonly T[];
  readonly next: () => T;
  readonly onChange: (entries: readonly T[]) => void;
  /** The controls of an entry. */
  readonly children: (entry: T, at: number, change: (entry: T) => void) => ComponentChildren;
  readonly note: string;
  /** Where there is a default, and this is not it. */
  readonly onReset?: (() => void) | undefined;
}

/** A list with a button to add an entry, and one per entry to remove it. The last entry stays. */
export function ListField<T>({
  label,
  noun,
  entries,
  next,
  onChange,
  children,
  note,
  onReset,
}: ListFieldProps<T>) {
  const field = useRef<HTMLFieldSetElement>(null);
  const remove = (at: number) => {
    onChange(entries.toSpliced(at, 1));
    // The button that had the focus is gone.
    field.current?.querySelector<HTMLButtonElement>(".add-entry")?.focus();
  };
  return (
    <fieldset class="field list-field" ref={field}>
      <legend class="param-name">{label}</legend>
      <p class="note">{note}</p>
      <ol>
        {entries.map((entry, at) => (
          <li key={at}>
            <div class="entry">{children(entry, at, (changed) => onChange(entries.with(at, changed)))}</div>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${noun} ${at + 1}`}
              disabled={entries.length === 1}
              onClick={() => remove(at)}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="add-entry"
        disabled={entries.length >= limits.parts}
        onClick={() => onChange([...entries, next()])}
      >
        Add a {noun}
      </button>{" "}
      {onReset !== undefined && (
        <button type="button" class="quiet" aria-label={`${label}: back to the default`} onClick={onReset}>
          ↺
        </button>
      )}
    </fieldset>
  );
}
