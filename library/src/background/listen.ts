/** The other side of `background`: waits for a request, runs its fit, answers with what was learned. */
import type { FitOptions, FittedModel, Progress, Samples } from "../core/contract.js";
import { estimatorFromJson } from "../persistence/registry.js";
import { nodeModule } from "./channel.js";
import { buffersOf, type FitRequest, packError, unpackMatrix, type WorkerMessage } from "./messages.js";

interface Port {
  postMessage(message: WorkerMessage, transfer?: readonly ArrayBuffer[]): void;
}
interface NodePort extends Port {
  on(event: "message", listener: (request: FitRequest) => void): void;
}
interface WebPort extends Port {
  onmessage: (event: { readonly data: FitRequest }) => void;
}

/** A listener that draws 20 times a second sees everything it can see. */
const PROGRESS_MILLISECONDS = 50;

/** Passes on the first step, then one now and then, then the last. */
function throttle(send: (progress: Progress) => void): { note(progress: Progress): void; flush(): void } {
  let last = Number.NEGATIVE_INFINITY;
  let unsent: Progress | undefined;
  const flush = () => {
    if (unsent !== undefined) send(unsent);
    unsent = undefined;
  };
  const note = (progress: Progress) => {
    unsent = progress;
    const now = performance.now();
    if (now - last < PROGRESS_MILLISECONDS) return;
    last = now;
    flush();
  };
  return { note, flush };
}

/** A step may also offer the model as it stands, which cannot be sent. */
function plain(step: Progress): Progress {
  return Object.fromEntries(
    Object.entries(step).filter(([, value]) => typeof value !== "function"),
  ) as unknown as Progress;
}

/** Looks like the caller's signal; only `aborted` is ever read by a fit. */
function signalOf(flag: Int32Array): AbortSignal {
  return {
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
  } as AbortSignal;
}

function fit({ estimator, x, y, sampleWeight, progress, flag }: FitRequest, port: Port): FittedModel {
  const steps = throttle((step) => port.postMessage({ kind: "progress", progress: plain(step) }));
  const options: FitOptions = {
    sampleWeight,
    signal: flag && signalOf(flag),
    onProgress: progress ? steps.note : undefined,
  };
  const built = estimatorFromJson(estimator) as unknown as {
    fit(x: Samples, y: unknown, options: FitOptions): FittedModel;
  };
  const model = built.fit(unpackMatrix(x), y, options);
  steps.flush();
  return model;
}

function answer(request: FitRequest, port: Port): void {
  try {
    const state = fit(request, port).toState();
    port.postMessage({ kind: "fitted", state }, buffersOf(state));
  } catch (error) {
    port.postMessage({ kind: "failed", error: packError(error) });
  }
}

/** Makes this thread answer fits until it is ended. */
export async function listen(): Promise<void> {
  const node = await nodeModule<{ parentPort: NodePort }>("worker_threads");
  const port = node?.parentPort ?? (globalThis as unknown as WebPort);
  if ("on" in port) port.on("message", (request) => answer(request, port));
  else port.onmessage = ({ data }) => answer(data, port);
  port.postMessage({ kind: "ready" });
}
