import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { pool } from "../../state/session.js";
import { Stopped } from "../../work/pool.js";
import type { Held } from "../../work/protocol.js";
import { type Ranked, ranked } from "./ranked.js";

/** More rows are ranked by a worker: on the page this many take some ten milliseconds. */
const MOST_ROWS = 20_000;

interface Found {
  readonly held: Held;
  readonly positive: number;
  readonly ranked: Ranked | null;
  readonly problem: string | null;
}

/** Ranked rows; null while a worker ranks them. */
export function useRanked(held: Held, classes: number, positive: number): Pick<Found, "ranked" | "problem"> {
  const here = held.rows.length <= MOST_ROWS;
  const found = useSignal<Found | null>(null);
  const now = useMemo(() => (here ? ranked(held, classes, positive) : null), [held, classes, positive]);
  useEffect(() => {
    if (here) return;
    const stop = new AbortController();
    const key = keyOf(held);
    pool.hold(key, held);
    pool
      .run("rank", { held: key, classes, positive }, { needs: [key], signal: stop.signal, urgent: true })
      .then(
        (answer) => {
          found.value = { held, positive, ranked: answer, problem: null };
        },
        (error: Error) => {
          if (error instanceof Stopped) return;
          found.value = {
            held,
            positive,
            ranked: null,
            problem: `The rows were not ranked: ${error.message}`,
          };
        },
      );
    return () => {
      stop.abort();
      pool.drop(key);
    };
  }, [held, classes, positive]);
  if (now !== null) return { ranked: now, problem: null };
  const last = found.value;
  return last?.held === held && last.positive === positive ? last : { ranked: null, problem: null };
}

const keys = new WeakMap<Held, string>();
let number = 0;

function keyOf(held: Held): string {
  let key = keys.get(held);
  if (key === undefined) {
    key = `held ${++number}`;
    keys.set(held, key);
  }
  return key;
}
