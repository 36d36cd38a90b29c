import type { Progress } from "../core/contract.js";
import { AbortError, DataError } from "../core/errors.js";
import type { SignalLike } from "../core/signal.js";
import { type Channel, giveBack, takeChannel, type WorkerFactory } from "./channel.js";
import { unpackError, type WorkerAnswer, type WorkerRequest } from "./messages.js";

/** Options of a request: how it is sent and how its progress is reported. */
export interface Asking {
  /** The call that an AbortError names. */
  readonly where: string;
  readonly signal: SignalLike | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly factory: WorkerFactory | undefined;
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

/** Sends a request to a worker and waits for its answer; reports its progress, and rejects immediately when the signal fires. */
export async function ask(
  request: Unflagged,
  transfer: readonly ArrayBuffer[],
  { where, signal, onProgress, factory }: Asking,
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
    const abort = () => stop(new AbortError(where, signal));
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

function dismiss(channel: Channel, factory: WorkerFactory | undefined, flag: Int32Array | undefined): void {
  if (flag === undefined || !channel.alive) {
    channel.end();
    return;
  }
  Atomics.store(flag, 0, 1);
  channel.letGo();
  const timer = setTimeout(() => channel.end(), ABORT_MILLISECONDS);
  (timer as { unref?(): void }).unref?.();
  channel.listener = (message) => {
    if (message.kind === "progress") return;
    clearTimeout(timer);
    giveBack(factory, channel);
  };
}
