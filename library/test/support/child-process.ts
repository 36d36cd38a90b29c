import { spawn } from "node:child_process";

/** What a Node program writes, and how it ended. It gets half a gigabyte, so that a number in a file cannot ask for more. */
export function runScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly lines: readonly string[]; readonly code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--max-old-space-size=512", script, ...args], {
      env: { ...process.env, ...env },
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += chunk;
      });
    }
    child.on("close", (code) => resolve({ lines: text.trim().split("\n"), code }));
  });
}
