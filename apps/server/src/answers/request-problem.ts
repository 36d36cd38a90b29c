import { isUtf8 } from "node:buffer";
import { ArgmaxError } from "argmax";
import { type FieldProblem, InvalidRows } from "../model/row-reader.js";

/** A request that cannot be answered, with the status of HTTP that says why. */
export class RequestProblem extends Error {
  override readonly name = "RequestProblem";
  constructor(
    readonly status: number,
    message: string,
    readonly problems: readonly FieldProblem[] = [],
  ) {
    super(message);
  }
}

/** The error as a mistake of the client; undefined if it is not one. */
export function clientProblem(error: unknown): RequestProblem | undefined {
  if (error instanceof RequestProblem) return error;
  if (error instanceof InvalidRows) return new RequestProblem(422, error.message, error.problems);
  if (error instanceof ArgmaxError && error.code !== "environment" && error.code !== "aborted")
    return new RequestProblem(422, error.message);
  return undefined;
}

/** The text of a body. */
export function textOf(body: Uint8Array): string {
  if (!isUtf8(body)) throw new RequestProblem(400, "The body must be UTF-8.");
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws unless there are rows, and no more than the server allows. */
export function checkRowCount(count: number, maxRows: number): void {
  if (count === 0) throw new RequestProblem(422, "There are no rows.");
  if (count > maxRows)
    throw new RequestProblem(
      413,
      `A request may have ${maxRows} rows, got ${count}. Send several requests, or a stream of NDJSON.`,
    );
}
