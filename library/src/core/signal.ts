/**
 * An AbortSignal, reduced to the members used here: the declarations then need neither the types of the DOM nor those of Node, and
 * the signals of both are accepted.
 */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
