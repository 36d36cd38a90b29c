import type { IncomingMessage } from "node:http";
import { RequestProblem } from "../answers/request-problem.js";

/** Reads whole bodies. A body that is too long or too slow is refused, and the connection ends with the answer. */
export class BodyReader {
  readonly #maxBody: number;
  readonly #timeout: number;
  /** Bodies that are arriving, by what to do when that takes too long; in the order in which they began. */
  readonly #arriving = new Map<() => void, number>();
  /** One timer for all: a timer per request costs as much as a prediction. */
  #sweep: NodeJS.Timeout | undefined;

  constructor({ maxBody, timeout }: { readonly maxBody: number; readonly timeout: number }) {
    this.#maxBody = maxBody;
    this.#timeout = timeout;
  }

  read(payload: IncomingMessage, done: (error: Error | null, body?: Buffer) => void): void {
    if (Number(payload.headers["content-length"]) > this.#maxBody) {
      done(this.#tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (error: Error | null) => {
      this.#arriving.delete(onTimeout);
      payload.off("data", onData).off("end", onEnd).off("error", end).off("close", onClose);
      if (error !== null) done(error);
      else done(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > this.#maxBody) end(this.#tooLarge());
    };
    const onEnd = () => end(null);
    const onClose = () => end(new RequestProblem(400, "The client ended the request early."));
    const onTimeout = () =>
      end(new RequestProblem(408, `The body did not arrive within ${this.#timeout / 1000} s.`));
    this.#arriving.set(onTimeout, performance.now() + this.#timeout);
    if (this.#sweep === undefined) this.#sweep = this.#startSweep();
    payload.on("data", onData).on("end", onEnd).on("error", end).on("close", onClose);
  }

  #tooLarge(): RequestProblem {
    const advice = "Send several requests, or a stream of NDJSON.";
    return new RequestProblem(413, `A body may have ${this.#maxBody} bytes. ${advice}`);
  }

  /** Ends bodies that are late, up to a quarter of the time limit after it. Stops when none is arriving. */
  #startSweep(): NodeJS.Timeout {
    const sweep = setInterval(() => {
      if (this.#arriving.size === 0) {
        clearInterval(sweep);
        this.#sweep = undefined;
      }
      for (const [onTimeout, deadline] of this.#arriving) {
        if (deadline > performance.now()) break;
        onTimeout();
      }
    }, this.#timeout / 4);
    sweep.unref();
    return sweep;
  }
}
