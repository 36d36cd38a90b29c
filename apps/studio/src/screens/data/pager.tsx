import type { Signal } from "@preact/signals";
import { count } from "../../ui/figures.js";

interface PagerProps {
  readonly what: string;
  readonly from: number;
  readonly per: number;
  readonly all: number;
  /** The number of the page, from 0 on. */
  readonly page: Signal<number>;
}

/** Which part of many things is shown; nothing where all are. */
export function Pager({ what, from, per, all, page }: PagerProps) {
  if (all <= per) return null;
  const go = (by: number) => {
    page.value = Math.floor(from / per) + by;
  };
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={from === 0} onClick={() => go(-1)}>
        Previous
      </button>
      <span role="status">
        {what} {count(from + 1)} to {count(Math.min(all, from + per))} of {count(all)}
      </span>
      <button type="button" disabled={from + per >= all} onClick={() => go(1)}>
        Next
      </button>
    </nav>
  );
}
