import type { IncomingMessage } from "node:http";
import { RequestProblem } from "../answers/request-problem.js";

/** Reads a whole body. A body that is too long or too slow is refused, and the connection ends with the answer. */
export function readBody(
  payload: IncomingMessage,
  { maxBody, timeout }: { readonly maxBody: number; readonly timeout: number },
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const announced = Number(payload.headers["content-length"]);
  if (announced > maxBody) {
    done(tooLarge(maxBody));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => {
    end(new RequestProblem(408, `The body did not arrive within ${timeout / 1000} s.`));
  }, timeout);
  const end = (error: Error | null) => {
    clearTimeout(timer);
    payload.off("data", onData).off("end", onEnd).off("error", end).off("close", onClose);
    if (error !== null) done(error);
    else done(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBody) end(tooLarge(maxBody));
  };
  const onEnd = () => end(null);
  const onClose = () => end(new RequestProblem(400, "The client ended the request early."));
  payload.on("data", onData).on("end", onEnd).on("error", end).on("close", onClose);
}

const tooLarge = (maxBody: number) =>
  new RequestProblem(413, `A body may have ${maxBody} bytes. Send several requests, or a stream of NDJSON.`);
