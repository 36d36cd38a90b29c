import { useDraft } from "./use-draft.js";

interface NumberFieldProps {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
  readonly id?: string;
  readonly label?: string;
}

/** A number that is taken once it has been typed: clamped, and a multiple of a whole step. */
export function NumberField({ value, min, max, step, onChange, id, label }: NumberFieldProps) {
  const draft = useDraft(String(value), (text) => {
    const typed = Number(text);
    if (text.trim() === "" || Number.isNaN(typed)) return;
    const clamped = Math.min(max, Math.max(min, typed));
    const next = Number.isInteger(step) ? Math.round(clamped) : clamped;
    if (next !== value) onChange(next);
  });
  return <input id={id} type="number" aria-label={label} min={min} max={max} step={step} {...draft} />;
}
