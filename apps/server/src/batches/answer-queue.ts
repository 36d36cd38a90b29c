import { answer } from "../answers/answer.js";
import type { Answer, Call } from "../answers/call.js";
import { predictTogether } from "../answers/predict-together.js";
import type { ServedModel } from "../model/served-model.js";

/** A call that waits for its answer. */
interface Waiting {
  readonly model: ServedModel;
  readonly body: Uint8Array;
  readonly call: Call;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Milliseconds of answering after which the event loop reads and writes again. */
const SLICE = 5;

/** Bytes of bodies that are predicted at once; beyond some hundred rows there is nothing to gain. */
const MOST_TOGETHER = 16 << 10;

/**
 * Small calls, answered when everything that has arrived is read: rows of calls for one model are predicted at once, and the answers
 * go out together. With one client that is at once; with many it halves the time per request. Nobody waits for others to come.
 */
export class AnswerQueue {
  readonly #measured: (model: ServedModel, bytes: number, milliseconds: number) => void;
  #waiting: Waiting[] = [];

  /** `measured` receives the time of every prediction. */
  constructor(measured: (model: ServedModel, bytes: number, milliseconds: number) => void) {
    this.#measured = measured;
  }

  answer(model: ServedModel, body: Uint8Array, call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#answerAll());
      this.#waiting.push({ model, body, call, resolve, reject });
    });
  }

  #answerAll(): void {
    const start = performance.now();
    while (this.#waiting.length > 0) {
      this.#answerGroup(this.#nextGroup());
      if (this.#waiting.length > 0 && performance.now() - start > SLICE) {
        setImmediate(() => this.#answerAll());
        return;
      }
    }
  }

  /** The first call, and others that can be predicted with it. */
  #nextGroup(): Waiting[] {
    const [first] = this.#waiting as [Waiting];
    const group: Waiting[] = [];
    let bytes = 0;
    this.#waiting = this.#waiting.filter((one) => {
      const joins = one === first || (isAlike(one, first) && bytes + one.body.length <= MOST_TOGETHER);
      if (!joins) return true;
      bytes += one.body.length;
      group.push(one);
      return false;
    });
    return group;
  }

  #answerGroup(group: readonly Waiting[]): void {
    const [{ model, call }] = group as readonly [Waiting];
    const start = performance.now();
    const bodies = group.map(({ body }) => body);
    const together = group.length > 1 ? predictTogether(model, bodies, call) : undefined;
    let rows = 0;
    for (const [place, one] of group.entries()) {
      try {
        const found = together?.[place] ?? answer(model, one.body, one.call);
        rows += found.rows;
        one.resolve(found);
      } catch (error) {
        one.reject(error);
      }
    }
    const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
    if (rows > 0) this.#measured(model, bytes, performance.now() - start);
  }
}

const isAlike = (a: Waiting, b: Waiting): boolean =>
  a.model === b.model &&
  a.call.task === "predict" &&
  b.call.task === "predict" &&
  a.call.format === "json" &&
  b.call.format === "json" &&
  a.call.probabilities === b.call.probabilities;
