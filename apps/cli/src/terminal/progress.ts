import type { Style, Terminal } from "./terminal.js";

/** Milliseconds between two updates. */
const MILLISECONDS_BETWEEN_DRAWINGS = 50;

/** Bar, percentage and label in one line of at most `width` columns; on a terminal narrower than 7 only the percentage. */
export function drawBar(share: number, label: string, width: number, style: Style): string {
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const cells = Math.max(0, Math.min(40, width - percent.length - 3 - 24));
  const filled = Math.round(share * cells);
  const room = Math.max(0, width - cells - percent.length - 3);
  const shown = label.length <= room ? label : room === 0 ? "" : `${label.slice(0, room - 1)}…`;
  return `${style.accent("━".repeat(filled))}${style.dim("─".repeat(cells - filled))} ${percent}  ${shown}`;
}

/**
 * Shows the progress of a number of equal jobs: a bar on a terminal, otherwise one plain line per group of
 * jobs.
 */
export class ProgressBar {
  #done = 0;
  #drawn = Number.NEGATIVE_INFINITY;
  #group = "";

  constructor(
    readonly terminal: Terminal,
    readonly total: number,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Before a job: the group it belongs to, and what it is. */
  begin(group: string, job: string): void {
    const { live } = this.terminal;
    if (live === undefined) {
      if (group !== this.#group) this.terminal.note(group);
    } else if (this.now() - this.#drawn >= MILLISECONDS_BETWEEN_DRAWINGS) {
      live.write(drawBar(this.#done / this.total, `${group} · ${job}`, live.width, live.style));
      this.#drawn = this.now();
    }
    this.#group = group;
  }

  /** After a job. */
  advance(): void {
    this.#done++;
  }

  end(): void {
    this.terminal.live?.clear();
  }
}
