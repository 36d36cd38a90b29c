import { AbortError, type SignalLike } from "argmax/core";
import {
  type Engine,
  type EngineSession,
  type PassOptions,
  type Source,
  TransientError,
} from "../engines/engine.js";

export interface RetryOptions extends PassOptions {
  /** How often a pass is tried again after a lost connection or a time limit. */
  readonly retries: number;
}

/** Milliseconds before the first retry of a pass; each further one waits twice as long. */
const FIRST_PAUSE = 200;

/** A session that is opened again where it is lost. What runs in it is tried again where that may help. */
export class LastingSession {
  readonly #where: string;
  readonly #rows: { readonly engine: Engine; readonly source: Source };
  readonly #options: RetryOptions;
  readonly #check: (session: EngineSession) => Promise<void>;
  #session: EngineSession | undefined;
  #opening: Promise<EngineSession> | undefined;
  #hasEnded = false;

  /** `check` refuses a session whose rows are not those of the one before. */
  constructor(
    where: string,
    rows: { readonly engine: Engine; readonly source: Source },
    options: RetryOptions,
    check: (session: EngineSession) => Promise<void>,
  ) {
    this.#where = where;
    this.#rows = rows;
    this.#options = options;
    this.#check = check;
  }

  async retried<T>(run: (session: EngineSession) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await run(await this.opened());
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        if (error.isLost) await this.close();
        if (attempt >= this.#options.retries) throw error;
        await pause(FIRST_PAUSE * 2 ** attempt, this.#where, this.#options.signal);
      }
    }
  }

  /** The session. Several calls that find it lost wait for the same new one. */
  opened(): Promise<EngineSession> {
    if (this.#session) return Promise.resolve(this.#session);
    // A learner beside one that failed may still ask: nobody would close what is opened for it.
    if (this.#hasEnded) return Promise.reject(new Error(`${this.#where} has ended.`));
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<EngineSession> {
    const session = await this.#rows.engine.open(this.#rows.source, this.#options);
    try {
      await this.#check(session);
    } catch (error) {
      await session.close().catch(() => undefined);
      throw error;
    }
    this.#session = session;
    return session;
  }

  /** Closes it for good. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#opening?.catch(() => undefined);
    await this.close();
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close().catch(() => undefined);
  }
}

/** Waits, and less if the fit is aborted meanwhile. */
async function pause(milliseconds: number, where: string, signal: SignalLike | undefined): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener?.("abort", stop);
  });
  signal?.removeEventListener?.("abort", stop);
  if (signal?.aborted) throw new AbortError(where, signal);
}
