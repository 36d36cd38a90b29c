/** The other side of `background`: waits for requests, runs them and sends their results. */

import type { FitOptions, FittedModel, Progress } from "../core/contract.js";
import { AbortError, ArgmaxError } from "../core/errors.js";
import { modelOf } from "../core/estimator.js";
import type { SignalLike } from "../core/signal.js";
import type { ModelState } from "../core/state/state.js";
import { allowedThreads, setThreads } from "../numeric/runtime/threads.js";
import { createLoader, type Loader, type RegisteredClass, restoreState } from "../persistence/loader.js";
import { type FoldRows, fitRows, measureFold } from "../selection/measure-fold.js";
import { scorerList } from "../selection/scorer-list.js";
import type {
  CandidateAnswer,
  CandidatesRequest,
  FitRequest,
  FoldRequest,
  PackedOptions,
  PackedRows,
  WorkerAnswer,
  WorkerMessage,
  WorkerRequest,
} from "./messages.js";
import { buffersOf, packError, unpackMatrix, unpackTargets } from "./messages.js";
import { nodeModule } from "./node-worker.js";

interface Port {
  postMessage(message: WorkerMessage, transfer?: readonly ArrayBuffer[]): void;
}
interface NodePort extends Port {
  on(event: "message", listener: (request: WorkerRequest) => void): void;
}
interface WebPort extends Port {
  onmessage: (event: { readonly data: WorkerRequest }) => void;
}

/** At most 20 progress messages per second. */
const PROGRESS_MILLISECONDS = 50;

/** Passes on the first step, then at most one per interval, then the last. */
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

/** A step that takes longer than an abort waits. */
const SLOW_MILLISECONDS = 80;
/** Between two models that are sent, so that copies of large ones cost little of the time. */
const CHECKPOINT_MILLISECONDS = 1000;

/** Sends the model after slow steps: a worker within one cannot answer an abort. */
function checkpoints(send: (state: ModelState) => void): (step: Progress) => void {
  let stepped = performance.now();
  let sent = Number.NEGATIVE_INFINITY;
  return (step) => {
    const began = stepped;
    stepped = performance.now();
    if (stepped - began < SLOW_MILLISECONDS || stepped - sent < CHECKPOINT_MILLISECONDS) return;
    const model = modelOf(step);
    if (isModel(model)) send(model.toState());
    stepped = performance.now();
    sent = stepped;
  };
}

const isModel = (value: unknown): value is FittedModel =>
  typeof (value as Partial<FittedModel> | null | undefined)?.toState === "function";

/** The progress without `model()`, a function that cannot be cloned. */
function plain(step: Progress): Progress {
  const values = Object.entries(step).filter(([, value]) => typeof value !== "function");
  return { ...Object.fromEntries(values), iteration: step.iteration };
}

/** Stands in for the caller's signal; a fit reads only `aborted`. */
function signalOf(flag: Int32Array): SignalLike {
  return {
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
    addEventListener() {},
    removeEventListener() {},
  };
}

/** The estimators that a worker knows. */
interface Known {
  readonly classes: readonly RegisteredClass[];
  readonly loader: Loader;
}

function fit(
  { classes, loader }: Known,
  { estimator, rows, options: own, progress, flag }: FitRequest,
  port: Port,
): WorkerAnswer {
  const steps = throttle((step) => port.postMessage({ kind: "progress", progress: plain(step) }));
  const checkpoint = flag && checkpoints((state) => port.postMessage({ kind: "checkpoint", state }));
  const { X, y, options } = unpackRows(rows);
  const built = loader.estimatorFromJson(estimator);
  const note = (step: Progress) => {
    if (progress) steps.note(step);
    checkpoint?.(step);
  };
  const given: FitOptions = {
    ...unpackOptions(own, classes),
    signal: flag && signalOf(flag),
    onProgress: progress || checkpoint ? note : undefined,
  };
  const model = fitRows(built, { X, y, options }, given);
  steps.flush();
  return { kind: "fitted", state: model.toState() };
}

function measure({ loader }: Known, request: FoldRequest): WorkerAnswer {
  const { estimator: json, scoring, positiveLabel, trainScore, keepModel, flag } = request;
  const parts = { train: unpackRows(request.train), test: unpackRows(request.test) };
  const built = loader.estimatorFromJson(json);
  const scorers =
    scoring === "by the caller"
      ? undefined
      : scorerList("crossValidate", scoring, { estimator: built, positiveLabel });
  const { model, ...measures } = measureFold(built, parts, scorers, {
    trainScore,
    signal: flag && signalOf(flag),
  });
  return { kind: "measured", ...measures, state: keepModel || !scorers ? model.toState() : undefined };
}

/** The candidates one after the other; an error of one is its result. */
function measureAll({ loader }: Known, request: CandidatesRequest, port: Port): WorkerAnswer {
  const parts = { train: unpackRows(request.train), test: unpackRows(request.test) };
  const signal = request.flag && signalOf(request.flag);
  const steps = throttle((step) => port.postMessage({ kind: "progress", progress: step }));
  const answers = request.estimators.map((json, c): CandidateAnswer => {
    try {
      const built = loader.estimatorFromJson(json);
      const { testScores, fitTime, scoreTime } = measureFold(
        built,
        parts,
        scorerList("crossValidate", request.scoring, {
          estimator: built,
          positiveLabel: request.positiveLabel,
        }),
        {
          trainScore: false,
          signal,
        },
      );
      return { testScores, fitTime, scoreTime };
    } catch (error) {
      if (error instanceof AbortError || !(error instanceof ArgmaxError)) throw error;
      return { error: packError(error) };
    } finally {
      steps.note({ iteration: c + 1 });
    }
  });
  steps.flush();
  return { kind: "candidates", answers };
}

const unpackRows = ({ x, y, sampleWeight }: PackedRows): FoldRows => ({
  X: unpackMatrix(x),
  y: unpackTargets(y) as FoldRows["y"],
  options: sampleWeight ? { sampleWeight } : {},
});

const unpackOptions = (packed: PackedOptions, classes: readonly RegisteredClass[]): object =>
  Object.fromEntries(
    Object.entries(packed).map(([name, option]) => {
      if (option.kind === "plain") return [name, option.value];
      if (option.kind === "model") return [name, restoreState(option.state, classes)];
      const { X, y, options } = unpackRows(option.rows);
      return [name, { X, y, ...options }];
    }),
  );

function answer(known: Known, request: WorkerRequest, port: Port): void {
  try {
    if (request.threads !== allowedThreads()) setThreads(request.threads);
    const found =
      request.kind === "fit"
        ? fit(known, request, port)
        : request.kind === "fold"
          ? measure(known, request)
          : measureAll(known, request, port);
    port.postMessage(found, found.state ? buffersOf(found.state) : []);
  } catch (error) {
    const model = error instanceof AbortError ? error.model : undefined;
    const state = isModel(model) ? model.toState() : undefined;
    port.postMessage({ kind: "failed", error: packError(error), state }, state ? buffersOf(state) : []);
  }
}

/** Makes this thread answer requests about estimators of the given classes until it is terminated. */
export async function listen(classes: readonly RegisteredClass[]): Promise<void> {
  const known = { classes, loader: createLoader(classes) };
  const node = await nodeModule<{ parentPort: NodePort }>("worker_threads");
  const port = node?.parentPort ?? (globalThis as typeof globalThis & WebPort);
  if ("on" in port) port.on("message", (request) => answer(known, request, port));
  else port.onmessage = ({ data }) => answer(known, data, port);
  port.postMessage({ kind: "ready" });
}
