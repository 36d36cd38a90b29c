import type { Held } from "../held.js";
import type { News, TaskName } from "../protocol.js";

export interface Context<K extends TaskName> {
  readonly held: Held;
  readonly news: (news: News<K>) => void;
  /** Moves buffers to the page with the answer: the worker no longer needs them. Absent where there is no worker. */
  readonly move?: (buffers: readonly ArrayBuffer[]) => void;
  /** Whether the page no longer wants the answer; known after `breathe`. */
  readonly isStopped: () => boolean;
  /** Lets messages in. */
  readonly breathe: () => Promise<void>;
}
