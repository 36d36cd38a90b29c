import { useSignal } from "@preact/signals";
import type { TargetedEvent } from "preact";

type Typed = TargetedEvent<HTMLInputElement>;

/** What a field needs whose text is taken once it has been typed: what is being typed survives renders. */
export function useDraft(value: string, onTyped: (text: string) => void) {
  const draft = useSignal<string | null>(null);
  return {
    value: draft.value ?? value,
    onInput: ({ currentTarget }: Typed) => {
      draft.value = currentTarget.value;
    },
    onChange: ({ currentTarget }: Typed) => {
      draft.value = null;
      onTyped(currentTarget.value);
    },
    onBlur: () => {
      draft.value = null;
    },
  };
}
