import type { Answer, Call } from "../answers/call.js";
import type { ServedModel } from "../model/served-model.js";
import { AnswerQueue } from "./answer-queue.js";
import type { BatchPool } from "./batch-pool.js";
import { CallCost } from "./call-cost.js";

/** Bodies up to this size are answered on the event loop: some hundred rows, parsed and predicted in about a millisecond. */
const INLINE_BYTES = 64 << 10;

/** Milliseconds that a call may hold up all others. Above, it goes to a worker, which costs about a tenth of a millisecond. */
const INLINE_MILLISECONDS = 5;

/** Decides where a call is answered: small ones on the event loop; large and slow ones, and Arrow, in a worker. */
export class Dispatcher {
  readonly #pool: BatchPool;
  readonly #queue = new AnswerQueue((model, bytes, milliseconds) =>
    this.#costOf(model).measured(bytes, milliseconds),
  );
  readonly #costs = new WeakMap<ServedModel, CallCost>();

  constructor(pool: BatchPool) {
    this.#pool = pool;
  }

  answer(model: ServedModel, body: Uint8Array, call: Call): Promise<Answer> {
    // The time of an explanation does not follow from the size of its request, and that of Arrow is a decoder's: workers have
    // limits of time and memory.
    const isBounded = call.task !== "explain" && call.format !== "arrow";
    if (body.length > INLINE_BYTES || !isBounded) return this.#pool.answer(model, body, call);
    const cost = this.#costOf(model);
    if (cost.estimate(body.length) <= INLINE_MILLISECONDS) return this.#queue.answer(model, body, call);
    cost.notMeasured();
    return this.#pool.answer(model, body, call);
  }

  #costOf(model: ServedModel): CallCost {
    let cost = this.#costs.get(model);
    if (cost === undefined) {
      cost = new CallCost();
      this.#costs.set(model, cost);
    }
    return cost;
  }
}
