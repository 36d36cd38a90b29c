const NEWLINE = 10;

/** Numbers of lines, for errors. */
export class LineCounter {
  /** The line of byte `#countedTo`. */
  #lines = 1;
  #countedTo = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** The line in which a byte is, from 1 on. */
  lineAt(at: number): number {
    if (at < this.#countedTo) {
      this.#countedTo = 0;
      this.#lines = 1;
    }
    for (;;) {
      const end = this.bytes.indexOf(NEWLINE, this.#countedTo);
      if (end < 0 || end >= at) return this.#lines;
      this.#countedTo = end + 1;
      this.#lines++;
    }
  }
}
