import type { Progress } from "../core/contract.js";
import { AbortError, DataError } from "../core/errors.js";
import type { SignalLike } from "../core/signal.js";
import type { ModelState } from "../core/state/state.js";
import { type Channel, giveBack, takeChannel, type WorkerFactory } from "./channel.js";
import { unpackError, type WorkerAnswer, type WorkerRequest } from "./messages.js";

/** Options of a request: how it is sent and how its progress is reported. */
export interface Asking {
  /** The call that an AbortError names. */
  readonly where: string;
  readonly signal: SignalLike | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly factory: WorkerFactory | undefined;
  /** Makes the model of an aborted fit from its state. */
  readonly restore?: ((state: ModelState) => unknown) | undefined;
}

/** A request without its abort flag. */
export type Unflagged = WorkerRequest extends infer R
  ? R extends WorkerRequest
    ? Omit<R, "flag">
    : never
  : never;

const canShare =
  typeof SharedArrayBuffer !== "undefined" &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

/**
 * Sends a request to a worker and waits for its answer; reports its progress, and rejects when the signal fires: at once, or, where the
 * model so far is wanted, as soon as the worker has sent it, but no later than a worker is waited for.
 */
export async function ask(
  request: Unflagged,
  transfer: readonly ArrayBuffer[],
  { where, signal, onProgress, factory, restore }: Asking,
): Promise<WorkerAnswer> {
  if (signal?.aborted) throw new AbortError(where, signal);
  const flag = canShare && signal ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const channel = await takeChannel(factory);

  return new Promise((resolve, reject) => {
    const stop = (reason: unknown) => {
      signal?.removeEventListener("abort", abort);
      dismiss(channel, factory, flag);
      reject(reason);
    };
    let checkpoint: ModelState | undefined;
    const aborted = (state: ModelState | undefined) =>
      new AbortError(where, signal, state && restore?.(state));
    const abort = () => {
      if (restore === undefined || flag === undefined || !channel.alive) return stop(aborted(checkpoint));
      signal?.removeEventListener("abort", abort);
      dismiss(channel, factory, flag, (state) => reject(aborted(state ?? checkpoint)));
    };
    const finish = (settle: () => void) => {
      signal?.removeEventListener("abort", abort);
      giveBack(factory, channel);
      settle();
    };
    channel.listener = (message) => {
      if (message.kind === "died") return finish(() => reject(message.error));
      if (message.kind === "failed") return finish(() => reject(unpackError(message.error)));
      if (message.kind === "fitted" || message.kind === "measured" || message.kind === "candidates")
        return finish(() => resolve(message));
      if (message.kind === "checkpoint") checkpoint = message.state;
      try {
        if (message.kind === "progress") onProgress?.(message.progress);
      } catch (error) {
        stop(error);
      }
    };
    // The worker may have taken a while to start.
    if (signal?.aborted) return finish(() => reject(new AbortError(where, signal)));
    signal?.addEventListener("abort", abort);
    channel
      .send({ ...request, flag } as WorkerRequest, transfer)
      .catch((error: unknown) => stop(asArgmaxError(where, error)));
  });
}

/** A value that cannot be cloned (a function, a symbol) is invalid input. */
function asArgmaxError(where: string, error: unknown): unknown {
  if ((error as Partial<Error> | null)?.name !== "DataCloneError") return error;
  return new DataError({
    where,
    subject: "X and y",
    expected: "made of numbers, strings, booleans and null",
    received: `something that cannot be sent to a worker (${(error as Error).message})`,
  });
}

/** After an abort a worker that answers within this time is reused; one that is still inside a kernel is terminated. */
const ABORT_MILLISECONDS = 100;

/** `done` is called with the model's state, if the worker has sent one in time. */
function dismiss(
  channel: Channel,
  factory: WorkerFactory | undefined,
  flag: Int32Array | undefined,
  done?: (state?: ModelState) => void,
): void {
  if (flag === undefined || !channel.alive) {
    channel.end();
    return;
  }
  Atomics.store(flag, 0, 1);
  let last: ModelState | undefined;
  const timer = setTimeout(() => {
    channel.end();
    done?.(last);
  }, ABORT_MILLISECONDS);
  if (done === undefined) {
    // Nobody waits for the worker any more: it does not keep the process alive.
    channel.letGo();
    (timer as { unref?(): void }).unref?.();
  }
  channel.listener = (message) => {
    if (message.kind === "checkpoint") last = message.state;
    if (message.kind === "progress" || message.kind === "checkpoint") return;
    clearTimeout(timer);
    giveBack(factory, channel);
    done?.("state" in message ? message.state : last);
  };
}
