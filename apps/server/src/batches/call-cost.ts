/** Factor by which a sample moves the estimate: one stall of the machine among ordinary calls changes nothing that lasts. */
const STEP = 1.2;

/** Factor by which the estimate falls per call that is not measured, so that now and then one is. */
const FORGET = 1.002;

const SMALLEST = 1e-9;

/** A running median of the time of calls per byte of their bodies. */
export class CallCost {
  #perByte = SMALLEST;

  /** Milliseconds that a call with such a body usually takes. */
  estimate(bytes: number): number {
    return this.#perByte * bytes;
  }

  measured(bytes: number, milliseconds: number): void {
    const sample = milliseconds / bytes;
    this.#perByte = Math.max(SMALLEST, sample > this.#perByte ? this.#perByte * STEP : this.#perByte / STEP);
  }

  notMeasured(): void {
    this.#perByte = Math.max(SMALLEST, this.#perByte / FORGET);
  }
}
