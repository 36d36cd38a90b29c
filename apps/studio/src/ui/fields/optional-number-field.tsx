import { useDraft } from "./use-draft.js";

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

/** A number that may be left out, taken once it has been typed. */
export function OptionalNumberField({
  id,
  value,
  min,
  max,
  label,
  placeholder,
  onChange,
}: OptionalNumberFieldProps) {
  const draft = useDraft(value === null ? "" : String(value), (text) => {
    const typed = Number(text);
    if (text.trim() === "") onChange(null);
    else if (typed >= min && typed <= max) onChange(typed);
  });
  return (
    <input
      id={id}
      type="number"
      aria-label={label}
      min={min}
      max={max}
      step="any"
      placeholder={placeholder}
      {...draft}
    />
  );
}
