import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The built program. */
export const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program in a folder. */
export function runProgram(folder: string, ...words: string[]): Ran {
  const env = { PATH: process.env["PATH"] };
  return spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: "utf8", env });
}

/** Runs a line of the shell in which `argmax` is the built program. */
export function runShell(folder: string, line: string): Ran {
  const script = `argmax() { "${process.execPath}" "${main}" "$@"; }\n${line}`;
  const env = { PATH: process.env["PATH"] };
  return spawnSync("bash", ["--norc", "-o", "pipefail", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env,
    timeout: 120_000,
  });
}
