const NEWLINE = 10;
const RETURN = 13;

/** Numbers of lines, for errors. Lines end as rows do: with LF, CR LF or CR. */
export class LineCounter {
  /** The line of byte `#countedTo`. */
  #lines: number;
  #countedTo = 0;

  constructor(
    readonly bytes: Uint8Array,
    /** The line in which the bytes begin. */
    readonly first = 1,
  ) {
    this.#lines = first;
  }

  /** The line in which a byte is, from 1 on. */
  lineAt(at: number): number {
    if (at < this.#countedTo) {
      this.#countedTo = 0;
      this.#lines = this.first;
    }
    const { bytes } = this;
    for (; this.#countedTo < at; this.#countedTo++) {
      const code = bytes[this.#countedTo];
      if (code === NEWLINE || (code === RETURN && bytes[this.#countedTo + 1] !== NEWLINE)) this.#lines++;
    }
    return this.#lines;
  }
}
