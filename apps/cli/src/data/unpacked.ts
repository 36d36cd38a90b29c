import { Failure } from "../command.js";
import type { SourceOptions } from "./source.js";

/** What any file may unpack to. */
const ALWAYS = 256 * 2 ** 20;

/** Real tables unpack to 3 to 30 times their size. */
const PER_BYTE = 100;

/** Bytes of memory that so many bytes of a compressed or columnar file may become, unless --max-unpacked says otherwise. */
export const mostUnpacked = (packed: number, { maxUnpacked }: SourceOptions): number =>
  maxUnpacked ?? Math.max(ALWAYS, PER_BYTE * packed);

/** Throws if a file becomes more than it may. `what` is a verb and what it takes: "unpacks to". */
export function requireUnpacked(
  label: string,
  what: string,
  unpacked: number,
  packed: number,
  options: SourceOptions,
): void {
  const most = mostUnpacked(packed, options);
  if (unpacked <= most) return;
  throw new Failure(
    `${label} ${what} more than ${megabytes(most)} MB, which is far more than its size. ` +
      `Read a part of it with --rows N, or allow more: --max-unpacked ${megabytes(2 * Math.max(most, unpacked))}.`,
  );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
