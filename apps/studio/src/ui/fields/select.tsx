import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Options, type OptionsProps } from "./options.js";

interface SelectProps extends Partial<OptionsProps> {
  readonly id?: string | undefined;
  /** Where no label is around it. */
  readonly label?: string | undefined;
  readonly value: string | number;
  readonly disabled?: boolean | undefined;
  readonly onChange: (value: string) => void;
  /** Options before those of the list. */
  readonly children?: ComponentChildren;
}

/** A select of a list of options. */
export const Select = ({ label, of = [], onChange, children, ...own }: SelectProps) => (
  <select {...own} aria-label={label} onChange={(event) => onChange(event.currentTarget.value)}>
    {children}
    <Options of={of} />
  </select>
);

interface ChoiceProps {
  readonly label: string;
  readonly of: Signal<string>;
  readonly names: readonly string[];
}

/** The name in a signal, one of several. */
export const Choice = ({ label, of, names }: ChoiceProps) => (
  <label>
    {label}{" "}
    <Select
      of={names}
      value={of.value}
      onChange={(name) => {
        of.value = name;
      }}
    />
  </label>
);
