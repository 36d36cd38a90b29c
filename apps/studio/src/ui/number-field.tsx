import { useSignal } from "@preact/signals";

interface NumberFieldProps {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
  readonly id?: string;
  readonly label?: string;
}

/** A number that is taken once it has been typed: clamped, and a multiple of a whole step. What is being typed survives renders. */
export function NumberField({ value, min, max, step, onChange, id, label }: NumberFieldProps) {
  const draft = useSignal<string | null>(null);
  return (
    <input
      id={id}
      type="number"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      value={draft.value ?? String(value)}
      onInput={(event) => {
        draft.value = event.currentTarget.value;
      }}
      onChange={(event) => {
        const typed = event.currentTarget.valueAsNumber;
        draft.value = null;
        if (Number.isNaN(typed)) return;
        const clamped = Math.min(max, Math.max(min, typed));
        const next = Number.isInteger(step) ? Math.round(clamped) : clamped;
        if (next !== value) onChange(next);
      }}
      onBlur={() => {
        draft.value = null;
      }}
    />
  );
}
