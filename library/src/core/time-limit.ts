import { ParameterError, show } from "./errors.js";
import type { SignalLike } from "./signal.js";

/**
 * A signal that fires after so many seconds, also while a synchronous fit runs: it reads the clock whenever a fit looks at it.
 * `AbortSignal.timeout` cannot do that, since timers wait until the fit returns. `signal` is another one that stops the work too.
 *
 *   new MLPClassifier().fit(X, y, { signal: timeLimit(60) })
 */
export function timeLimit(seconds: number, signal?: SignalLike): SignalLike {
  if (!(typeof seconds === "number" && seconds >= 0))
    throw new ParameterError("timeLimit", "seconds", "a number ≥ 0", show(seconds));
  if (signal !== undefined && typeof (signal as Partial<SignalLike> | null)?.addEventListener !== "function")
    throw new ParameterError("timeLimit", "signal", "an AbortSignal", show(signal));
  return new TimeLimit(seconds, signal);
}

class TimeLimit implements SignalLike {
  readonly #seconds: number;
  #end: number;
  readonly #other: SignalLike | undefined;
  readonly #timers = new Map<() => void, ReturnType<typeof setTimeout>>();

  constructor(seconds: number, other: SignalLike | undefined) {
    this.#seconds = seconds;
    this.#end = performance.now() + 1000 * seconds;
    this.#other = other;
  }

  get aborted(): boolean {
    return (this.#other?.aborted ?? false) || performance.now() >= this.#end;
  }

  get reason(): unknown {
    if (this.#other?.aborted) return this.#other.reason;
    if (!this.aborted) return undefined;
    const reason = new Error(`The time limit of ${this.#seconds} s is over.`);
    reason.name = "TimeoutError";
    return reason;
  }

  addEventListener(type: "abort", listener: () => void): void {
    this.#other?.addEventListener(type, listener);
    // Longer than a timer can wait is never; and nobody waits for the end of a program because of a limit.
    const left = this.#end - performance.now();
    if (left > LONGEST_TIMER) return;
    const timer = setTimeout(
      () => {
        // Timers may fire up to a millisecond early: what listeners have been told stays so.
        this.#end = Math.min(this.#end, performance.now());
        listener();
      },
      Math.max(0, left),
    );
    (timer as { unref?(): void }).unref?.();
    this.#timers.set(listener, timer);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#other?.removeEventListener(type, listener);
    clearTimeout(this.#timers.get(listener));
    this.#timers.delete(listener);
  }
}

/** Milliseconds; timers count in 32 bits. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Throws on a signal of `AbortSignal.timeout` that has not fired: its timer waits until a synchronous fit has returned, so that it would
 * stop nothing. Node marks such signals (also inside `AbortSignal.any`); those of browsers look like any other.
 */
export function refuseTimer(where: string, signal: SignalLike | undefined): void {
  if (signal === undefined || signal.aborted || !hasTimer(signal)) return;
  throw new ParameterError({
    where,
    subject: "signal",
    expected: "one that can fire while this thread is busy",
    received: "AbortSignal.timeout, whose timer waits until the fit returns",
    advice:
      "Pass { signal: timeLimit(seconds) }, which reads the clock, or fit in a worker: background(estimator).fit(X, y, { signal }).",
  });
}

function hasTimer(signal: object): boolean {
  for (const symbol of Object.getOwnPropertySymbols(signal)) {
    const value = (signal as Record<symbol, unknown>)[symbol];
    if (symbol.description === "kTimeout") return value === true;
    // Node's own sets are not instances of Set.
    const isSet = typeof (value as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === "function";
    if (symbol.description !== "kSourceSignals" || !isSet) continue;
    for (const source of value as Iterable<{ deref?(): object | undefined }>) {
      const own = source.deref?.();
      if (own !== undefined && hasTimer(own)) return true;
    }
  }
  return false;
}
