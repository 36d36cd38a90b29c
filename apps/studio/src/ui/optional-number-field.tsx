import { useSignal } from "@preact/signals";

interface OptionalNumberFieldProps {
  /** Null for nothing. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be left out, taken once it has been typed. What is being typed survives renders. */
export function OptionalNumberField({
  id,
  value,
  min,
  max,
  label,
  placeholder,
  onChange,
}: OptionalNumberFieldProps) {
  const draft = useSignal<string | null>(null);
  return (
    <input
      id={id}
      type="number"
      aria-label={label}
      min={min}
      max={max}
      step="any"
      placeholder={placeholder}
      value={draft.value ?? value ?? ""}
      onInput={(event) => {
        draft.value = event.currentTarget.value;
      }}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        draft.value = null;
        const typed = Number(text);
        if (text === "") onChange(null);
        else if (typed >= min && typed <= max) onChange(typed);
      }}
      onBlur={() => {
        draft.value = null;
      }}
    />
  );
}
