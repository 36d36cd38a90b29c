import { DataError, FormatError, ParameterError, show } from "../../core/errors.js";
import { type ArrowSchema, checkCustomMetadata, type Layout, readArrowSchema } from "./arrow-layout.js";
import { FlatBuffer, type FlatTable, type FlatVector } from "./flat-buffer.js";

export interface ArrowLimits {
  /**
   * Bytes that compressed buffers may unpack to in all, given the bytes that were read so far. By default a hundred times as many.
   */
  readonly unpacked?: ((bytes: number) => number) | undefined;
}

/**
 * Entries of all columns per byte of the data: booleans have 8. Columns without any bytes (of nulls) could otherwise be of any
 * length.
 */
const MOST_ENTRIES_PER_BYTE = 16;

const UNPACKED_PER_BYTE = 100;

/** Header types of Message.fbs. */
const SCHEMA = 1;
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;

const CONTINUATION = 0xffffffff;
const MAGIC = "ARROW1";

/**
 * Throws a FormatError unless the bytes are an Arrow stream or file whose metadata agree with its body: every offset, length and
 * count within its bounds, offsets of texts and lists ascending, indices within their dictionaries, buffers that do not overlap.
 * Decoders of Arrow trust these numbers, so that data of a stranger should be checked first.
 */
export function checkArrow(bytes: Uint8Array, limits: ArrowLimits = {}): void {
  requireBytes("checkArrow", "bytes", bytes);
  const check = new ArrowCheck("checkArrow", limits);
  if (isArrowFile(bytes)) {
    check.file(bytes);
    return;
  }
  for (let at = 0; at < bytes.length; ) {
    const length = check.message(bytes.subarray(at));
    if (length === undefined) refuse("whole messages", `one that ends after ${bytes.length - at} bytes`);
    if (length === 0) break;
    at += length;
  }
  check.end();
}

/**
 * The same for data that arrive in chunks: yields them again, message by message, each once it is checked. A file is yielded as
 * a whole, since its directory is at its end.
 */
export async function* checkedArrowChunks(
  chunks: AsyncIterable<Uint8Array>,
  limits: ArrowLimits = {},
): AsyncGenerator<Uint8Array> {
  const where = "checkedArrowChunks";
  const check = new ArrowCheck(where, limits);
  if (typeof (chunks as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] !== "function")
    throw new DataError(where, "chunks", "an async iterable of bytes", show(chunks));
  const held = new HeldBytes();
  let isFile: boolean | undefined;
  for await (const chunk of chunks) {
    requireBytes(where, "a chunk", chunk);
    held.append(chunk);
    if (isFile === undefined && held.length >= MAGIC.length) isFile = isArrowFile(held.bytes());
    // Joined only when enough has arrived, so that a long message is not copied with every chunk.
    if (isFile !== false || held.length < check.wanted) continue;
    for (;;) {
      const bytes = held.bytes();
      const length = check.message(bytes);
      if (length === undefined) break;
      if (length === 0) {
        check.end();
        return;
      }
      yield bytes.subarray(0, length);
      held.dropFirst(length);
    }
  }
  const rest = held.bytes();
  if (isFile) {
    check.file(rest);
    yield rest;
    return;
  }
  if (rest.length > 0) refuse("whole messages", `one that ends after ${rest.length} bytes`);
  check.end();
}

/** Chunks that are joined when somebody looks at them. */
class HeldBytes {
  #chunks: Uint8Array[] = [];
  length = 0;

  append(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  bytes(): Uint8Array {
    if (this.#chunks.length !== 1) {
      const joined = new Uint8Array(this.length);
      let at = 0;
      for (const chunk of this.#chunks) {
        joined.set(chunk, at);
        at += chunk.length;
      }
      this.#chunks = [joined];
    }
    return this.#chunks[0]!;
  }

  dropFirst(length: number): void {
    this.#chunks = [this.bytes().subarray(length)];
    this.length -= length;
  }
}

const isArrowFile = (bytes: Uint8Array): boolean =>
  bytes.length >= MAGIC.length && hasMagic(bytes.subarray(0, MAGIC.length));

const hasMagic = (bytes: Uint8Array): boolean =>
  bytes.length === MAGIC.length && bytes.every((code, k) => code === MAGIC.charCodeAt(k));

/** One buffer of a batch: its place in the body, and how many bytes it has when it is unpacked. */
interface Buffer {
  readonly offset: number;
  readonly length: number;
  readonly isPacked: boolean;
}

/** The nodes and buffers of a record batch, which columns take one after the other. */
interface Batch {
  readonly table: FlatTable;
  readonly body: Uint8Array;
  readonly nodes: FlatVector;
  readonly buffers: readonly Buffer[];
  nextNode: number;
  nextBuffer: number;
}

interface Node {
  readonly length: number;
  readonly nullCount: number;
}

class ArrowCheck {
  readonly #unpackedLimit: (bytes: number) => number;
  #schema: ArrowSchema | undefined;
  /** Entries of the dictionaries that have arrived. */
  readonly #dictionaries = new Map<bigint, number>();
  /** Bytes that were read, packed and unpacked. */
  #bytes = 0;
  #unpacked = 0;
  #entries = 0;
  /** Bytes at which it is worth looking for a message again. */
  wanted = 8;

  constructor(where: string, limits: ArrowLimits) {
    const { unpacked = (bytes: number) => UNPACKED_PER_BYTE * bytes } = limits ?? {};
    if (typeof unpacked !== "function")
      throw new ParameterError(where, "unpacked", "a function of bytes", show(unpacked));
    this.#unpackedLimit = unpacked;
  }

  /**
   * Checks the message at the beginning of the bytes. Returns its length with prefix and body; 0 at the end of the stream;
   * undefined if it is not whole.
   */
  message(bytes: Uint8Array): number | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.wanted = 8;
    if (bytes.length < 4) return undefined;
    // Before version 0.15 of Arrow, a message began with its length.
    const prefix = view.getUint32(0, true) === CONTINUATION ? 8 : 4;
    if (bytes.length < prefix) return undefined;
    const metadataLength = view.getInt32(prefix - 4, true);
    if (metadataLength === 0) return 0;
    if (metadataLength < 0) refuse("metadata of a length ≥ 0", String(metadataLength));
    const start = prefix + metadataLength;
    this.wanted = start;
    if (bytes.length < start) return undefined;
    const message = new FlatBuffer(bytes.subarray(prefix, start)).root();
    const bodyLength = message.count(3, "body's length");
    this.wanted = start + bodyLength;
    if (bytes.length < start + bodyLength) return undefined;
    this.wanted = 8;
    this.#bytes += start + bodyLength;
    this.#checkMessage(message, bytes.subarray(start, start + bodyLength));
    return start + bodyLength;
  }

  /** Checks a file: its directory at the end names the messages. */
  file(bytes: Uint8Array): void {
    const end = bytes.length - MAGIC.length - 4;
    if (end < 8 || !hasMagic(bytes.subarray(-MAGIC.length))) refuse("its directory at the end", "none");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getInt32(end, true);
    if (length <= 0 || length > end - 8) refuse("a directory within the file", `one of ${length} bytes`);
    const footer = new FlatBuffer(bytes.subarray(end - length, end)).root();
    this.#version(footer.short(0));
    const schema = footer.child(1);
    if (schema === undefined) refuse("a file with a schema", "none");
    this.#schema = readArrowSchema(schema);
    this.#bytes += length;
    checkCustomMetadata(footer, 4);
    // Dictionaries are read first, wherever they are.
    const messages = bytes.subarray(0, end - length);
    const blocks = [...this.#blocks(footer, 2, messages), ...this.#blocks(footer, 3, messages)];
    blocks.sort((a, b) => a[0] - b[0]);
    for (const [k, [start]] of blocks.entries())
      if (k > 0 && start < blocks[k - 1]![1]) refuse("messages that do not overlap", `two at ${start}`);
  }

  /** Checks the messages that a vector of Block structs names: offset, length of the metadata, length of the body. */
  #blocks(footer: FlatTable, index: number, bytes: Uint8Array): (readonly [number, number])[] {
    const { start, length } = footer.vector(index, 24);
    return Array.from({ length }, (_, k) => {
      const offset = footer.buffer.count(start + 24 * k, "place of a message");
      const size = offset < bytes.length ? this.message(bytes.subarray(offset)) : undefined;
      if (!size) refuse("messages within the file", `one at ${offset}`);
      return [offset, offset + size] as const;
    });
  }

  end(): void {
    if (this.#schema === undefined) refuse("a stream with a schema", "none");
  }

  #version(version: number): void {
    if (version !== 3 && version !== 4) refuse("version 4 or 5 of the format", `version ${version + 1}`);
  }

  #checkMessage(message: FlatTable, body: Uint8Array): void {
    this.#version(message.short(0));
    checkCustomMetadata(message, 4);
    const kind = message.byte(1);
    const header = message.child(2);
    if (header === undefined) refuse("messages with a header", "one without");
    if (kind === SCHEMA) {
      if (this.#schema !== undefined) refuse("one schema", "two");
      if (body.length > 0) refuse("a schema without a body", `one of ${body.length} bytes`);
      this.#schema = readArrowSchema(header);
      return;
    }
    const schema = this.#schema;
    if (schema === undefined) refuse("a schema first", "rows");
    const isV4 = message.short(0) === 3;
    if (kind === RECORD_BATCH) this.#batch(header, body, schema.columns, isV4);
    else if (kind === DICTIONARY_BATCH) this.#dictionary(header, body, schema, isV4);
    else refuse("rows and dictionaries", `a message of type ${kind}`);
  }

  #dictionary(header: FlatTable, body: Uint8Array, schema: ArrowSchema, isV4: boolean): void {
    const id = header.identifier(0);
    const layout = schema.dictionaries.get(id);
    const data = header.child(1);
    if (layout === undefined || data === undefined) refuse("dictionaries of the schema", `number ${id}`);
    const length = this.#batch(data, body, [layout], isV4);
    const isDelta = header.byte(2) !== 0;
    this.#dictionaries.set(id, length + (isDelta ? (this.#dictionaries.get(id) ?? 0) : 0));
  }

  /** Checks a record batch; returns its number of rows. */
  #batch(table: FlatTable, body: Uint8Array, columns: readonly Layout[], isV4: boolean): number {
    const length = table.count(0, "number of rows");
    const compression = table.child(3);
    if (compression !== undefined && (compression.byte(0) > 1 || compression.byte(1) !== 0))
      refuse("buffers that are compressed by LZ4 or zstd", "another method");
    table.vector(4, 8);
    const batch: Batch = {
      table,
      body,
      nodes: table.vector(1, 16),
      buffers: this.#buffers(table, body, compression !== undefined),
      nextNode: 0,
      nextBuffer: 0,
    };
    for (const layout of columns) {
      const found = this.#column(batch, layout, isV4);
      if (found !== length) refuse(`columns of ${length} rows`, `one of ${found}`);
    }
    if (batch.nextNode !== batch.nodes.length || batch.nextBuffer !== batch.buffers.length)
      refuse("as many buffers as the schema has", `${batch.buffers.length} for ${batch.nextBuffer}`);
    return length;
  }

  #buffers(table: FlatTable, body: Uint8Array, isCompressed: boolean): Buffer[] {
    const { start, length } = table.vector(2, 16);
    let total = 0;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const found = Array.from({ length }, (_, k) => {
      const offset = table.buffer.count(start + 16 * k, "buffer's place");
      const size = table.buffer.count(start + 16 * k + 8, "buffer's length");
      if (offset + size > body.length)
        refuse(`buffers within a body of ${body.length} bytes`, `one of ${size} bytes at ${offset}`);
      total += size;
      if (!isCompressed || size === 0) return { offset, length: size, isPacked: false };
      // A compressed buffer begins with its length when it is unpacked; −1: it is not compressed.
      if (size < 8) refuse("compressed buffers with their length", `one of ${size} bytes`);
      const unpacked = Number(view.getBigInt64(offset, true));
      if (unpacked === -1) return { offset: offset + 8, length: size - 8, isPacked: false };
      if (unpacked < 0) refuse("compressed buffers of a length ≥ 0", String(unpacked));
      this.#unpacked += unpacked;
      return { offset, length: unpacked, isPacked: true };
    });
    if (total > body.length)
      refuse("buffers that do not overlap", `${total} bytes in a body of ${body.length}`);
    const limit = this.#unpackedLimit(this.#bytes);
    if (this.#unpacked > limit)
      refuse(`data that unpack to at most ${limit} bytes`, `${this.#unpacked} from ${this.#bytes} bytes`);
    return found;
  }

  /** Checks a column of a batch with all that is below it; returns its length. */
  #column(batch: Batch, layout: Layout, isV4: boolean): number {
    const { length, nullCount } = this.#node(batch);
    if (layout.kind === "null") return length;
    const hasValidity = layout.kind !== "union" || isV4;
    const validity = hasValidity ? this.#take(batch, nullCount > 0 ? Math.ceil(length / 8) : 0) : undefined;
    switch (layout.kind) {
      case "fixed":
        this.#take(batch, Math.ceil((length * layout.bits) / 8));
        break;
      case "text": {
        const offsets = this.#take(batch, length === 0 ? 0 : (length + 1) * layout.offsets);
        const data = this.#take(batch, 0);
        checkOffsets(batch, offsets, length, layout.offsets, data.length);
        break;
      }
      case "list": {
        const offsets = this.#take(batch, length === 0 ? 0 : (length + 1) * layout.offsets);
        const entries = this.#column(batch, layout.child, isV4);
        checkOffsets(batch, offsets, length, layout.offsets, entries);
        break;
      }
      case "fixedList":
        this.#child(batch, layout.child, length * layout.size, isV4);
        break;
      case "struct":
        for (const child of layout.children) this.#child(batch, child, length, isV4);
        break;
      case "union":
        this.#take(batch, length);
        if (layout.isDense) this.#take(batch, 4 * length);
        for (const child of layout.children) this.#child(batch, child, layout.isDense ? 0 : length, isV4);
        break;
      case "dictionary": {
        const indices = this.#take(batch, (length * layout.bits) / 8);
        const entries = this.#dictionaries.get(layout.id) ?? 0;
        checkIndices(batch, indices, nullCount > 0 ? validity : undefined, length, layout, entries);
      }
    }
    return length;
  }

  #child(batch: Batch, layout: Layout, atLeast: number, isV4: boolean): void {
    const length = this.#column(batch, layout, isV4);
    if (length < atLeast) refuse(`a nested column of ${atLeast} entries`, `one of ${length}`);
  }

  #node(batch: Batch): Node {
    const k = batch.nextNode++;
    if (k >= batch.nodes.length) refuse("as many columns as the schema has", String(batch.nodes.length));
    const at = batch.nodes.start + 16 * k;
    const length = batch.table.buffer.count(at, "column's length");
    const nullCount = batch.table.buffer.count(at + 8, "number of gaps");
    if (nullCount > length) refuse(`at most ${length} gaps`, String(nullCount));
    this.#entries += length;
    const most = MOST_ENTRIES_PER_BYTE * (this.#bytes + this.#unpacked);
    if (this.#entries > most)
      refuse(`at most ${MOST_ENTRIES_PER_BYTE} entries per byte`, `${this.#entries} of ${this.#bytes} bytes`);
    return { length, nullCount };
  }

  #take(batch: Batch, atLeast: number): Buffer {
    const buffer = batch.buffers[batch.nextBuffer++];
    if (buffer === undefined) refuse("as many buffers as the schema has", String(batch.buffers.length));
    if (buffer.length < atLeast) refuse(`a buffer of ${atLeast} bytes`, `one of ${buffer.length}`);
    return buffer;
  }
}

/** Offsets must ascend within the data. Those of a compressed buffer can be checked only when it is unpacked: `checkArrowOffsets`. */
function checkOffsets(
  batch: Batch,
  { offset, isPacked }: Buffer,
  n: number,
  width: 4 | 8,
  end: number,
): void {
  if (isPacked || n === 0) return;
  const { body } = batch;
  const view = new DataView(body.buffer, body.byteOffset + offset, (n + 1) * width);
  const read = width === 4 ? (k: number) => view.getInt32(4 * k, true) : (k: number) => bigOffset(view, k);
  ascending(n, read, end);
}

const bigOffset = (view: DataView, k: number): number => Number(view.getBigInt64(8 * k, true));

function ascending(n: number, read: (k: number) => number, end: number): void {
  let last = 0;
  for (let k = 0; k <= n; k++) {
    const next = read(k);
    if (!(next >= last && next <= end))
      refuse(`offsets that ascend from 0 to ${end}`, `${next} after ${last}`);
    last = next;
  }
}

/** The same for offsets that a decoder has unpacked. */
export function checkArrowOffsets(offsets: ArrayLike<number | bigint>, entries: number): void {
  const length = (offsets as ArrayLike<unknown> | null)?.length;
  if (typeof length !== "number") refuse("offsets", show(offsets));
  if (length > 0) ascending(length - 1, (k) => Number(offsets[k]), entries);
}

function checkIndices(
  { body }: Batch,
  indices: Buffer,
  validity: Buffer | undefined,
  n: number,
  { bits, isSigned }: Extract<Layout, { kind: "dictionary" }>,
  entries: number,
): void {
  // Whoever unpacks them finds no entry at an index outside.
  if (indices.isPacked || validity?.isPacked) return;
  const view = new DataView(body.buffer, body.byteOffset + indices.offset, indices.length);
  const read = indexReader(view, bits, isSigned);
  for (let i = 0; i < n; i++) {
    if (validity !== undefined && ((body[validity.offset + (i >> 3)]! >> (i & 7)) & 1) === 0) continue;
    const index = read(i);
    if (index < 0 || index >= entries) refuse(`indices of a dictionary of ${entries}`, String(index));
  }
}

function indexReader(view: DataView, bits: number, isSigned: boolean): (i: number) => number {
  switch (bits) {
    case 8:
      return (i) => (isSigned ? view.getInt8(i) : view.getUint8(i));
    case 16:
      return (i) => (isSigned ? view.getInt16(2 * i, true) : view.getUint16(2 * i, true));
    case 32:
      return (i) => (isSigned ? view.getInt32(4 * i, true) : view.getUint32(4 * i, true));
    default:
      return (i) => bigOffset(view, i);
  }
}

function requireBytes(where: string, subject: string, bytes: unknown): void {
  if (bytes instanceof Uint8Array) return;
  throw new DataError(where, subject, "a Uint8Array", show(bytes));
}

function refuse(expected: string, received: string): never {
  const advice = "They are damaged, or not Arrow.";
  throw new FormatError("checkArrow", "the data", `Arrow with ${expected}`, received, advice);
}
