import { count } from "../../ui/figures.js";

interface PagerProps {
  readonly what: string;
  readonly from: number;
  readonly per: number;
  readonly all: number;
  readonly onPage: (page: number) => void;
}

/** Which part of many things is shown; nothing where all are. */
export function Pager({ what, from, per, all, onPage }: PagerProps) {
  if (all <= per) return null;
  const page = Math.floor(from / per);
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={from === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span role="status">
        {what} {count(from + 1)} to {count(Math.min(all, from + per))} of {count(all)}
      </span>
      <button type="button" disabled={from + per >= all} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
