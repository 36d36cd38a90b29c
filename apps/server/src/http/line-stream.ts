import { RequestProblem } from "../answers/request-problem.js";

/** Lines of a batch: enough that a batch is worth a prediction, few enough that the first answers come soon. */
const BATCH_LINES = 500;
const NEWLINE = 0x0a;

/**
 * Whole lines of a stream, in batches: a batch is what has arrived, at most BATCH_LINES lines, so that a client that sends a line and
 * waits gets its answer. The last line needs no end.
 */
export async function* lineBatches(
  source: AsyncIterable<Buffer>,
  maxLine: number,
): AsyncGenerator<{ readonly lines: Buffer; readonly count: number }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const { end, count } = endOfLines(bytes);
      if (count === 0) break;
      yield { lines: bytes.subarray(0, end), count };
      bytes = bytes.subarray(end);
    }
    if (bytes.length > maxLine)
      throw new RequestProblem(413, `A line may have ${maxLine} bytes. Is there one row per line?`);
    rest = bytes;
  }
  if (rest.length > 0) yield { lines: rest, count: 1 };
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
