/** Layout of the control block of the thread pool, in 32-bit words: what `threads.ts` and `thread-worker.ts` share. */

export const SEQUENCE = 0;
export const GATE = 1;
export const NEXT = 2;
export const CHUNKS = 3;
export const FAMILY = 4;
export const FUNCTION = 5;
export const ARGUMENTS = 6;
export const READY = 7;
/** Length of the error message of the first kernel that failed in a worker; 0: none has failed; OWN: it failed in the caller. */
export const FAILED = 8;
export const OWN = -1;
export const WRITING = -2;
/** Address and length of each family's bytes: two words per family. */
export const TABLE = 16;
export const MAX_FAMILIES = 256;
/** The error message of a kernel that failed in a worker, one character per word. */
export const REASON = TABLE + 2 * MAX_FAMILIES;
export const REASON_LENGTH = 200;
export const CONTROL_WORDS = REASON + REASON_LENGTH;

/** What the gate holds while no worker may join a job. */
export const CLOSED = -1;

/** What a worker is started with. */
export interface ThreadData {
  readonly control: SharedArrayBuffer;
  /** The arguments of the job's kernel. */
  readonly args: SharedArrayBuffer;
  /** The bytes of the kernel families. */
  readonly code: SharedArrayBuffer;
  readonly memory: unknown;
}
