import type { StudioDocument } from "./document.js";
import { readDocument } from "./read/read-document.js";

/** The document in the hash of an address: `#s=1.` and its JSON, deflated, as base64url. */
const PREFIX = "#s=1.";

/** Longer links are refused: no studio wrote them. */
const MOST_CHARACTERS = 200_000;
const MOST_BYTES = 2_000_000;

export async function linkTo(document: StudioDocument): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const packed = await bytesOf(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    Infinity,
  );
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The document of a hash; undefined where it has none, or one that cannot be read. */
export async function documentOf(hash: string): Promise<StudioDocument | undefined> {
  if (!hash.startsWith(PREFIX) || hash.length > MOST_CHARACTERS) return undefined;
  try {
    const binary = atob(hash.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await bytesOf(stream, MOST_BYTES));
    return readDocument(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** All bytes of a stream, of which there may be a bound: a small link must not unpack to a large one. */
async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("The link holds more than a document.");
    }
  }
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
