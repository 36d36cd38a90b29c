import { AbortError, type SignalLike } from "argmax/core";

/** A statement that can be stopped. */
interface Stoppable<T> {
  run(): Promise<T>;
  /** Tells the database to stop; `run` then fails. */
  stop(): unknown;
  /** The error of a statement that took too long. */
  late(message: string): Error;
}

/** Timers of more milliseconds fire at once, and PostgreSQL refuses such a limit: there is none then. */
export const LONGEST = 2 ** 31 - 1;

/** Runs a statement until a signal or the time limit stops it. */
export async function limited<T>(
  { signal, timeoutMs }: { readonly signal?: SignalLike | undefined; readonly timeoutMs: number },
  { run, stop, late }: Stoppable<T>,
): Promise<T> {
  if (signal?.aborted) throw new AbortError("fitInDatabase", signal);
  let why: "aborted" | "late" | undefined;
  const end = (reason: "aborted" | "late") => {
    why ??= reason;
    stop();
  };
  const onAbort = () => end("aborted");
  signal?.addEventListener?.("abort", onAbort);
  const timer = timeoutMs <= LONGEST ? setTimeout(() => end("late"), timeoutMs) : undefined;
  try {
    return await run();
  } catch (error) {
    if (why === "aborted") throw new AbortError("fitInDatabase", signal as never);
    if (why === "late") throw late(`The database took longer than ${timeoutMs} ms.`);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener?.("abort", onAbort);
  }
}
