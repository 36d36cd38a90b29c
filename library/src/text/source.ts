import { DataError, show } from "../core/errors.js";
import type { ParamValues } from "../core/params.js";
import type { analyzerParams } from "./params.js";
import { stripAccents, toAscii } from "./unicode.js";

export type AnalyzerParams = ParamValues<typeof analyzerParams>;

const encoder = new TextEncoder();

/** A document on its way to terms: preprocessed, lower case and without accents as asked. */
export class Source {
  /** UTF-8, with a 0 behind the text. Letters of ASCII keep their case: whoever reads them has `lowers`. */
  bytes = new Uint8Array(1 << 12);
  /** Whether upper case ASCII must be read as lower case. */
  readonly lowers: boolean;
  readonly #params: AnalyzerParams;

  constructor(params: AnalyzerParams) {
    this.#params = params;
    // What a preprocessor returns is taken as it is.
    this.lowers = params.lowercase && params.preprocessor === null;
  }

  /** Puts the document into `bytes` and says how long it is there. */
  read(document: string): number {
    const { preprocessor } = this.#params;
    const text = preprocessor === null ? document : preprocessed(preprocessor, document);
    const length = this.#write(text);
    // Each character outside ASCII takes more bytes than it has code units: most documents end here.
    if (preprocessor !== null || length === text.length) return length;
    return this.#write(this.#normalized(text));
  }

  /** The document as a string, ready to be cut into words. */
  text(document: string): string {
    const { preprocessor } = this.#params;
    return preprocessor === null ? this.#normalized(document) : preprocessed(preprocessor, document);
  }

  #normalized(text: string): string {
    const { lowercase, stripAccents: accents } = this.#params;
    const lower = lowercase ? text.toLowerCase() : text;
    return accents === null ? lower : accents === "unicode" ? stripAccents(lower) : toAscii(lower);
  }

  #write(text: string): number {
    if (text.length * 3 >= this.bytes.length) this.bytes = new Uint8Array(text.length * 4);
    const { written } = encoder.encodeInto(text, this.bytes);
    this.bytes[written] = 0;
    return written;
  }
}

function preprocessed(preprocessor: (text: string) => string, document: string): string {
  const text: unknown = preprocessor(document);
  if (typeof text === "string") return text;
  throw new DataError({
    where: "preprocessor",
    subject: "its result",
    expected: "a string",
    received: show(text),
  });
}
