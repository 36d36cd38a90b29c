import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { pool } from "../../state/session.js";
import { type Ranked, ranked } from "../../work/measures/ranked.js";
import { Stopped } from "../../work/pool.js";
import type { Held } from "../../work/protocol.js";

/** More rows are ranked by a worker: on the page this many take some ten milliseconds. */
const MOST_ROWS = 20_000;

interface Found {
  readonly models: readonly Held[];
  readonly positive: number;
  /** In the order of the models. */
  readonly ranked: readonly Ranked[] | null;
  readonly problem: string | null;
}

/** Ranked rows of one model; null while a worker ranks them. */
export function useRanked(
  held: Held,
  classes: number,
  positive: number,
): { readonly ranked: Ranked | null; readonly problem: string | null } {
  const models = useMemo(() => [held], [held]);
  const { ranked: found, problem } = useAllRanked(models, classes, positive);
  return { ranked: found?.[0] ?? null, problem };
}

/** The same of several models. */
export function useAllRanked(
  models: readonly Held[],
  classes: number,
  positive: number,
): Pick<Found, "ranked" | "problem"> {
  const here = models.reduce((sum, { rows }) => sum + rows.length, 0) <= MOST_ROWS;
  const found = useSignal<Found | null>(null);
  const now = useMemo(
    () => (here ? models.map((held) => ranked(held, classes, positive)) : null),
    [models, classes, positive],
  );
  useEffect(() => {
    if (here) return;
    const stop = new AbortController();
    const keys = models.map(keyOf);
    const asks = models.map((held, m) => {
      const key = keys[m]!;
      pool.hold(key, held);
      return pool.run(
        "rank",
        { held: key, classes, positive },
        { needs: [key], signal: stop.signal, urgent: true },
      );
    });
    Promise.all(asks).then(
      (answers) => {
        found.value = { models, positive, ranked: answers, problem: null };
      },
      (error: Error) => {
        if (error instanceof Stopped) return;
        const problem = `The rows were not ranked: ${error.message}`;
        found.value = { models, positive, ranked: null, problem };
      },
    );
    return () => {
      stop.abort();
      for (const key of keys) pool.drop(key);
    };
  }, [models, classes, positive]);
  if (now !== null) return { ranked: now, problem: null };
  const last = found.value;
  return last?.models === models && last.positive === positive ? last : { ranked: null, problem: null };
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
