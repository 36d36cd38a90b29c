import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface LaterProps {
  /** Tasks of the page that come first. */
  readonly turn: number;
  readonly children: ComponentChildren;
}

/** Renders in a task of its own, so that a large screen never blocks the page for long. */
export function Later({ turn, children }: LaterProps) {
  const left = useSignal(turn);
  const now = left.value;
  useEffect(() => {
    if (now === 0) return;
    const timer = setTimeout(() => {
      left.value = now - 1;
    });
    return () => clearTimeout(timer);
  }, [now]);
  return now === 0 ? children : null;
}
