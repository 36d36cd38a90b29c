import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Runs a script of fixtures/ on the built library in a process of its own, and reads the JSON it prints. The script may
 * call the collector; `flags` are Node's, `variables` of its environment.
 */
export async function runChild<T>(
  script: string,
  words: string[] = [],
  flags: string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<T> {
  const file = fileURLToPath(new URL(`./fixtures/${script}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", ...flags, file, ...words], {
    env: { ...process.env, ...variables },
  });
  return JSON.parse(stdout) as T;
}

export const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
