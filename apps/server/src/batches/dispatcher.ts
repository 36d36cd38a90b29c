import { answer } from "../answers/answer.js";
import type { Answer, Call } from "../answers/call.js";
import type { ServedModel } from "../model/served-model.js";
import type { BatchPool } from "./batch-pool.js";

/** Bodies up to this size are answered on the event loop: some hundred rows, parsed and predicted in about a millisecond. */
const INLINE_BYTES = 64 << 10;

/** Milliseconds that a call may hold up all others. Above, it goes to a worker, which costs about a tenth of a millisecond. */
const INLINE_MILLISECONDS = 5;

/** Weight of the latest call in the average time of a model. */
const NEWEST = 0.1;

/** Decides where a call is answered: small ones at once, on the event loop; large and slow ones in a worker. */
export class Dispatcher {
  readonly #pool: BatchPool;
  /** Average milliseconds per byte of the body. */
  readonly #cost = new WeakMap<ServedModel, number>();

  constructor(pool: BatchPool) {
    this.#pool = pool;
  }

  answer(model: ServedModel, body: Uint8Array, call: Call): Answer | Promise<Answer> {
    const cost = this.#cost.get(model) ?? 0;
    // The time of an explanation does not follow from the size of its request.
    const isSmall = body.length <= INLINE_BYTES && body.length * cost <= INLINE_MILLISECONDS;
    if (!isSmall || call.task === "explain") return this.#pool.answer(model, body, call);
    const start = performance.now();
    const found = answer(model, body, call);
    this.#cost.set(model, cost + NEWEST * ((performance.now() - start) / (body.length + 1) - cost));
    return found;
  }
}
