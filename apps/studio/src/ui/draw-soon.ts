import { useEffect, useRef, useState } from "preact/hooks";

/** Drawings that wait: one per task, so that many pictures never hold the page for long. */
const waiting = new Set<() => void>();
let isTurning = false;

function turn(): void {
  const [first] = waiting;
  if (first === undefined) {
    isTurning = false;
    return;
  }
  waiting.delete(first);
  first();
  setTimeout(turn);
}

function drawSoon(draw: () => void): () => void {
  waiting.add(draw);
  if (!isTurning) {
    isTurning = true;
    setTimeout(turn);
  }
  return () => waiting.delete(draw);
}

/** What `draw` returns, some moments after `inputs` have changed; until then what it returned before. */
export function useDrawing<T>(draw: () => T, inputs: readonly unknown[]): T | undefined {
  const [drawn, show] = useState<{ readonly of: T } | undefined>(undefined);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => drawSoon(() => show({ of: latest.current() })), inputs);
  return drawn?.of;
}
