import { setImmediate } from "node:timers/promises";
import { Failure } from "../command.js";
import { ProgressBar } from "../terminal/progress.js";
import type { Terminal } from "../terminal/terminal.js";

/** Milliseconds between two looks at Ctrl-C. */
const MILLISECONDS = 50;

/** The steps of a long computation: a bar on a terminal, and an end by Ctrl-C. */
export interface Pace {
  /** After every step, of which there are `total`. */
  step(job: string, total: number): Promise<void>;
  end(): void;
}

/** Without a bar and without an end, for tests and short computations. */
export const noPace: Pace = { step: async () => {}, end: () => {} };

/** `advice`: what to do instead, for the message after Ctrl-C. */
export function terminalPace(terminal: Terminal, signal: AbortSignal, name: string, advice: string): Pace {
  let bar: ProgressBar | undefined;
  let looked = performance.now();
  return {
    async step(job, total) {
      if (terminal.live) {
        bar ??= new ProgressBar(terminal, total);
        bar.begin(name, job);
        bar.advance();
      }
      if (performance.now() - looked < MILLISECONDS) return;
      // Signals are handled between two turns of the event loop only.
      await setImmediate();
      looked = performance.now();
      if (!signal.aborted) return;
      bar?.end();
      throw new Failure(`Stopped. ${advice}`);
    },
    end: () => bar?.end(),
  };
}
