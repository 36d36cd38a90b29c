import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface TickProps {
  readonly checked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with what it means beside it. */
export const Tick = ({ checked, onChange, children }: TickProps) => (
  <label>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />{" "}
    {children}
  </label>
);

/** The flag in a signal. */
export const Switch = ({ of, children }: { readonly of: Signal<boolean>; children: ComponentChildren }) => (
  <Tick
    checked={of.value}
    onChange={(isOn) => {
      of.value = isOn;
    }}
  >
    {children}
  </Tick>
);
