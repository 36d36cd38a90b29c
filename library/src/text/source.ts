import { DataError, show } from "../core/errors.js";
import type { ParamValues } from "../core/params/params.js";
import { textEncoder } from "../core/text/utf8-coders.js";
import type { analyzerParams } from "./params.js";
import { stripAccents, toAscii } from "./unicode.js";

export type AnalyzerParams = ParamValues<typeof analyzerParams>;

/** The text of a document, preprocessed, in lower case and without accents as the parameters require. */
export class Source {
  /** UTF-8, with a 0 after the text. */
  bytes = new Uint8Array(1 << 12);
  /** Whether every character of the text is one byte. */
  ascii = true;
  readonly #params: AnalyzerParams;

  constructor(params: AnalyzerParams) {
    this.#params = params;
  }

  /** Writes the document to `bytes` and returns its length there. */
  read(document: string): number {
    const { preprocessor, lowercase, stripAccents: accents } = this.#params;
    if (preprocessor !== null) return this.#write(preprocessed(preprocessor, document));
    const text = lowercase ? document.toLowerCase() : document;
    const length = this.#write(text);
    return accents === null || this.ascii ? length : this.#write(withoutAccents(text, accents));
  }

  /** The document as a string, ready for tokenisation. */
  text(document: string): string {
    const { preprocessor, lowercase, stripAccents: accents } = this.#params;
    if (preprocessor !== null) return preprocessed(preprocessor, document);
    const text = lowercase ? document.toLowerCase() : document;
    return accents === null ? text : withoutAccents(text, accents);
  }

  #write(text: string): number {
    if (text.length * 3 >= this.bytes.length) this.bytes = new Uint8Array(text.length * 4);
    const { written } = textEncoder().encodeInto(text, this.bytes);
    this.bytes[written] = 0;
    // A character outside ASCII takes more bytes than it has code units.
    this.ascii = written === text.length;
    return written;
  }
}

export const withoutAccents = (text: string, how: "ascii" | "unicode"): string =>
  how === "unicode" ? stripAccents(text) : toAscii(text);

function preprocessed(preprocessor: (text: string) => string, document: string): string {
  const text: unknown = preprocessor(document);
  if (typeof text === "string") return text;
  throw new DataError("preprocessor", "its result", "a string", show(text));
}
