import { Readable } from "node:stream";
import { RequestProblem } from "../answers/request-problem.js";

/** Lines of a batch: enough that a batch is worth a prediction, few enough that the first answers come soon. */
const BATCH_LINES = 500;
const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Whole lines of a stream, in batches: a batch is what has arrived, at most BATCH_LINES lines, so that a client that sends a line and
 * waits gets its answer. The last line needs no end. A line that does not arrive within `timeout` milliseconds ends the stream: a
 * client that sends a byte now and then would hold its place forever.
 */
export async function* lineBatches(
  source: AsyncIterable<Buffer>,
  maxLine: number,
  timeout: number,
): AsyncGenerator<{ readonly lines: Buffer; readonly count: number }> {
  let rest: Buffer = EMPTY;
  let deadline = performance.now() + timeout;
  for await (const chunk of until(source, () => deadline, timeout)) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const { end, count } = endOfLines(bytes);
      if (count === 0) break;
      const lines = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      // Memory that holds nothing else may be moved to a worker with the lines.
      if (bytes.length === 0) bytes = EMPTY;
      yield { lines, count };
      // The time in which the lines were answered is not the client's.
      deadline = performance.now() + timeout;
    }
    if (bytes.length > maxLine)
      throw new RequestProblem(413, `A line may have ${maxLine} bytes. Is there one row per line?`);
    rest = bytes;
  }
  if (rest.length > 0) yield { lines: rest, count: 1 };
}

/** The chunks that arrive before the deadline, which may move. */
async function* until(
  source: AsyncIterable<Buffer>,
  deadline: () => number,
  timeout: number,
): AsyncGenerator<Buffer> {
  // The request is not destroyed with the iterator, since its connection still carries the answer.
  const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source;
  const iterator = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const message = `No line arrived within ${timeout / 1000} s.`;
      timer = setTimeout(
        () => reject(new RequestProblem(408, message)),
        Math.max(0, deadline() - performance.now()),
      );
    });
    try {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Where the last whole line of a batch ends, and how many lines that are. */
function endOfLines(bytes: Buffer): { readonly end: number; readonly count: number } {
  let [end, count] = [0, 0];
  while (count < BATCH_LINES) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline < 0) break;
    end = newline + 1;
    count++;
  }
  return { end, count };
}
