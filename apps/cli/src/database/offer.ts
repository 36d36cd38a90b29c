import { Failure } from "../command.js";
import type { Terminal } from "../terminal/terminal.js";
import { TooLarge } from "../training/memory.js";

/**
 * What is read into memory; undefined if it is too large for that and the user wants DuckDB to do the work where the data lie. Where nobody
 * answers, the error has the command.
 */
export async function readOrOffer<T>(
  read: () => Promise<T>,
  { ask }: Terminal,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TooLarge) || ask === undefined || !error.isForDatabase) throw error;
    const [size = ""] = error.message.split("\n");
    const isWanted = await ask(`${size.replace(/:$/, ".")}\nLet it learn there?`, signal).catch(() => {
      throw new Failure("Stopped. Nothing was saved.");
    });
    if (isWanted) return undefined;
    throw error;
  }
}
