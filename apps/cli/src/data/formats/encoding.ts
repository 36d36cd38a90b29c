import { type Decoder, textDecoderOf } from "argmax";
import { Failure, UsageError } from "../../command.js";

/** Bytes that show the encoding of a text. */
const SAMPLE = 4096;

/** By a name that TextDecoder knows. */
type Encoding = string;

/** UTF-16 has a mark, or a zero in every second byte. */
function encodingOf(bytes: Uint8Array): Encoding {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, 64);
  if (sample.length < 2) return "utf-8";
  if (sample.every((code, at) => (code === 0) === (at % 2 === 1))) return "utf-16le";
  return sample.every((code, at) => (code === 0) === (at % 2 === 0)) ? "utf-16be" : "utf-8";
}

/** Throws if the bytes are not text in UTF-8 or UTF-16: text has no zeros, and few other control characters. A given encoding is that of the user. */
export function requireText(label: string, bytes: Uint8Array, given: Encoding | undefined): Encoding {
  if (given !== undefined) return given;
  const encoding = encodingOf(bytes);
  if (encoding !== "utf-8") return encoding;
  const sample = bytes.subarray(0, SAMPLE);
  let odd = 0;
  for (const code of sample) {
    if (code === 0) odd = sample.length;
    else if (code < 32 && code !== 9 && code !== 10 && code !== 13) odd++;
  }
  if (odd > sample.length / 20)
    throw new Failure(
      `${label} is not text but binary data. If it is of another format, give it: --format parquet, arrow or sqlite.`,
    );
  return encoding;
}

/** The same text in UTF-8, without a mark of the byte order. */
export async function* utf8Chunks(
  label: string,
  chunks: AsyncIterable<Uint8Array>,
  given: Encoding | undefined,
): AsyncGenerator<Uint8Array> {
  let decoder: Decoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.length > 0) {
      isFirst = false;
      const encoding = requireText(label, chunk, given);
      if (encoding !== "utf-8") decoder = textDecoderOf(encoding);
      else if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        yield chunk.subarray(3);
        continue;
      }
    }
    yield decoder === undefined ? chunk : Buffer.from(decodedText(label, decoder, chunk));
  }
}

function decodedText(label: string, decoder: Decoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new Failure(`${label} has bytes that ${decoder.encoding} does not have: give another --encoding.`);
  }
}

/** The name of an encoding of the command line, as TextDecoder has it. */
export function readEncoding(given: string): Encoding {
  try {
    return textDecoderOf(given).encoding;
  } catch {
    throw new UsageError(
      `--encoding must be utf-8, windows-1252, utf-16le or another that TextDecoder knows, got ${JSON.stringify(given)}.`,
    );
  }
}
