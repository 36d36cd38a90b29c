import { useEffect, useRef, useState } from "preact/hooks";

/** A drawing that can be left after every step. */
type Steps<T> = Generator<void, T>;

/** Drawings that wait or have begun, the next one first. */
const waiting = new Set<Iterator<void, void>>();
let isTurning = false;
/** A timer would wait four milliseconds between two turns. */
const { port1: bell, port2: rope } = new MessageChannel();
bell.onmessage = () => turn();
/** Milliseconds after which the page may do something else. */
const TURN = 8;

function turn(): void {
  const end = performance.now() + TURN;
  for (const drawing of waiting) {
    while (performance.now() < end) {
      if (!isDone(drawing)) continue;
      waiting.delete(drawing);
      break;
    }
    if (performance.now() >= end) break;
  }
  isTurning = waiting.size > 0;
  if (isTurning) rope.postMessage(null);
}

/** Takes a step. A drawing that fails must not keep the others waiting. */
function isDone(drawing: Iterator<void, void>): boolean {
  try {
    return drawing.next().done === true;
  } catch (error) {
    reportError(error);
    return true;
  }
}

function drawSoon(drawing: Iterator<void, void>): () => void {
  waiting.add(drawing);
  if (!isTurning) {
    isTurning = true;
    rope.postMessage(null);
  }
  return () => waiting.delete(drawing);
}

/** What `draw` returns, some moments after `inputs` have changed; until then what it returned before. Pictures are drawn in turn, a few steps per task. */
export function useDrawing<T>(draw: () => Steps<T>, inputs: readonly unknown[]): T | undefined {
  const [drawn, show] = useState<{ readonly of: T } | undefined>(undefined);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    function* shown(): Steps<void> {
      show({ of: yield* latest.current() });
    }
    return drawSoon(shown());
  }, inputs);
  return drawn?.of;
}
