import { parentPort } from "node:worker_threads";
import { setThreads } from "argmax";
import { answer } from "../answers/answer.js";
import { type ServedModel, serveModel } from "../model/served-model.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** Answers calls of large bodies. One call at a time: the pool sends the next when this one is done. */

// The pool is the concurrency: threads of its threads would take the core from the event loop.
setThreads(1);

const models = new Map<string, ServedModel>();
const port = parentPort!;
const encoder = new TextEncoder();

function respond(message: FromWorker): void {
  const { body } = message.type === "answer" ? message.answer : { body: undefined };
  port.postMessage(message, body instanceof Uint8Array ? [body.buffer as ArrayBuffer] : []);
}

port.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "load":
      models.set(message.key, serveModel(message.name, message.version, message.bytes, message.key));
      return;
    case "unload":
      models.delete(message.key);
      return;
    case "call":
      try {
        const found = answer(models.get(message.key)!, message.body, message.call);
        const body = typeof found.body === "string" ? encoder.encode(found.body) : found.body;
        respond({ type: "answer", answer: { ...found, body } });
      } catch (error) {
        respond({ type: "failure", message: String((error as Error).stack ?? error) });
      }
  }
});
