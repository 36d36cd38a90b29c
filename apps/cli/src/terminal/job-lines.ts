import { maxOf } from "argmax/numeric";
import { showDuration } from "./duration.js";
import { widthOf } from "./table.js";
import type { LiveLine, Style, Terminal } from "./terminal.js";

const MILLISECONDS_BETWEEN_DRAWINGS = 80;
/** Times go on while nothing is reported. */
const MILLISECONDS_BETWEEN_LOOKS = 500;
const BAR = 20;

interface Job {
  readonly name: string;
  done: number;
  readonly started: number;
  /** Whether it is known when it began. */
  readonly isTimed: boolean;
  /** What is known so far, as the mean of its scores. */
  news: string;
}

/**
 * The progress of jobs of equally many steps that run side by side: on a terminal one line for each, with a bar and the time left; otherwise a
 * line when one has ended.
 */
export class JobLines {
  readonly #jobs = new Map<string, Job>();
  readonly #started: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #steps = 0;
  /** Steps of all jobs, 0 while that is not known. */
  #total = 0;
  #drawn = Number.NEGATIVE_INFINITY;

  constructor(
    readonly terminal: Terminal,
    readonly stepsPerJob: number,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#started = now();
    if (terminal.live === undefined) return;
    terminal.live.write(terminal.live.style.dim("the first folds are measured …"));
    this.#timer = setInterval(() => this.#draw(), MILLISECONDS_BETWEEN_LOOKS);
    this.#timer.unref();
  }

  /** A job begins. */
  begin(name: string): void {
    this.#jobs.set(name, { name, done: 0, started: this.now(), isTimed: true, news: "" });
    this.#draw();
  }

  /** A step of a job is done, one of `total` steps of all jobs. */
  advance(name: string, news: string, total: number): void {
    // One that nobody has announced is seen for the first time when its first step is done: it began at about the time of the step before.
    const job = this.#jobs.get(name) ?? { name, done: 0, started: this.now(), isTimed: false, news };
    this.#jobs.set(name, job);
    job.done++;
    job.news = news;
    this.#steps++;
    this.#total = total;
    if (this.terminal.live !== undefined) this.#draw();
    else if (job.done === this.stepsPerJob) this.terminal.note(`${name}: ${news}`);
  }

  #draw(): void {
    const { live } = this.terminal;
    const now = this.now();
    if (live === undefined || this.#jobs.size === 0 || now - this.#drawn < MILLISECONDS_BETWEEN_DRAWINGS)
      return;
    this.#drawn = now;
    live.draw([...this.#lines(now, live), this.#summary(now, live)]);
  }

  end(): void {
    clearInterval(this.#timer);
    this.terminal.live?.clear();
  }

  #lines(now: number, { width, height, style }: LiveLine): string[] {
    const jobs = [...this.#jobs.values()];
    const names = maxOf(jobs.map(({ name }) => widthOf(name)));
    // On a low screen the latest ones.
    const shown = jobs.slice(-Math.max(1, height - 2));
    return shown.map((job) => drawJob(job, this.stepsPerJob, names, now, width, style));
  }

  #summary(now: number, { width, style }: LiveLine): string {
    const elapsed = now - this.#started;
    if (this.#total === 0)
      return style.dim(`the first folds are measured … ${showDuration(elapsed)}`.slice(0, width));
    const left = (elapsed / this.#steps) * (this.#total - this.#steps);
    // The first models are the slow ones: too early, the rest looks longer than it is.
    const estimate = this.#steps < this.#total / 8 ? "" : `, ${showDuration(left)} left`;
    const text = `${this.#steps} of ${this.#total} folds${estimate}`;
    return style.dim(text.slice(0, width));
  }
}

function drawJob(job: Job, steps: number, names: number, now: number, width: number, style: Style): string {
  const { name, done, news } = job;
  const label = name.padEnd(names);
  const text = done === steps ? news : [news, timeLeft(job, steps, now)].filter(Boolean).join("  ");
  const cells = Math.max(0, Math.min(BAR, width - names - 4 - widthOf(text)));
  if (names + 4 + cells + widthOf(text) > width) return label.slice(0, width);
  const filled = Math.round((done / steps) * cells);
  const bar = style.accent("━".repeat(filled)) + style.dim("─".repeat(cells - filled));
  return `${label}  ${bar}  ${done === steps ? text : style.dim(text)}`;
}

/** Of a job whose beginning is not known, from the steps after the first. */
function timeLeft({ done, started, isTimed }: Job, steps: number, now: number): string {
  const timed = isTimed ? done : done - 1;
  if (timed < 1) return isTimed ? showDuration(now - started) : "…";
  return `${showDuration(((now - started) / timed) * (steps - done))} left`;
}
