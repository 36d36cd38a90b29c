import type { Style, Terminal } from "./terminal.js";

/** More often than this and the eye sees nothing more. */
const MILLISECONDS_BETWEEN_DRAWINGS = 50;

/** Bar, share and label in one line of at most `width` columns; on a terminal narrower than 7 only the share. */
export function drawBar(share: number, label: string, width: number, style: Style): string {
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const cells = Math.max(0, Math.min(40, width - percent.length - 3 - 24));
  const filled = Math.round(share * cells);
  const room = Math.max(0, width - cells - percent.length - 3);
  const shown = label.length <= room ? label : room === 0 ? "" : `${label.slice(0, room - 1)}…`;
  return `${style.accent("━".repeat(filled))}${style.dim("─".repeat(cells - filled))} ${percent}  ${shown}`;
}

/**
 * Shows how far a number of equal jobs has come: a bar that redraws itself where that works, otherwise one plain
 * line for every group of jobs that begins.
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
