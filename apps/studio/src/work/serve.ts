import { pushAll, setThreads } from "argmax/numeric";
import { answers } from "./answers/index.js";
import { Held } from "./held.js";
import type { FromWorker, ToWorker } from "./protocol.js";

/** A worker of the studio: it holds tables and models, and answers one ask at a time. */
const held = new Held();
let stopped = 0;

// The studio has its own workers: each computes on its own.
setThreads(1);

const post = (message: FromWorker, moved: ArrayBuffer[] = []) => self.postMessage(message, moved);

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "hold") held.set(data.key, data.value);
  else if (data.type === "column") held.addColumn(data.key, data.column);
  else if (data.type === "drop") held.drop(data.key);
  else if (data.type === "stop") stopped = data.id;
  else void answer(data.id, data.task, data.ask);
});

async function answer(id: number, task: keyof typeof answers, ask: unknown): Promise<void> {
  try {
    const work = answers[task] as (ask: unknown, context: unknown) => Promise<unknown>;
    const isStopped = () => stopped === id;
    const news = (value: unknown) => post({ type: "news", id, news: value });
    const moved: ArrayBuffer[] = [];
    const move = (buffers: readonly ArrayBuffer[]) => pushAll(moved, buffers);
    post({ type: "answer", id, answer: await work(ask, { held, news, move, isStopped, breathe }) }, moved);
  } catch (error) {
    post({ type: "failure", id, message: error instanceof Error ? error.message : String(error) });
  }
}

const channel = new MessageChannel();
let waiting: (() => void) | undefined;
channel.port1.onmessage = () => waiting?.();

/** Lets messages in; timers would wait four milliseconds. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting = resolve;
    channel.port2.postMessage(0);
  });
}
