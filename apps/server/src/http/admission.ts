import { RequestProblem } from "../answers/request-problem.js";

/** Counts the requests that are being answered, of all clients and of each, and refuses those above the limits. */
export class Admission {
  readonly #maxConcurrent: number;
  readonly #maxPerClient: number;
  readonly #perClient = new Map<string, number>();
  #count = 0;

  constructor(maxConcurrent: number, maxPerClient: number) {
    this.#maxConcurrent = maxConcurrent;
    this.#maxPerClient = maxPerClient;
  }

  get count(): number {
    return this.#count;
  }

  /** Undefined if the request may go on; then `leave` must follow. */
  enter(client: string): RequestProblem | undefined {
    if (this.#count >= this.#maxConcurrent)
      return new RequestProblem(503, "The server has reached its limit of requests; try again.");
    const own = this.#perClient.get(client) ?? 0;
    if (own >= this.#maxPerClient)
      return new RequestProblem(
        429,
        `A client may have ${this.#maxPerClient} requests at a time; try again.`,
      );
    this.#perClient.set(client, own + 1);
    this.#count++;
    return undefined;
  }

  leave(client: string): void {
    this.#count--;
    const own = (this.#perClient.get(client) ?? 1) - 1;
    if (own > 0) this.#perClient.set(client, own);
    else this.#perClient.delete(client);
  }
}
