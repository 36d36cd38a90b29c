import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { completion } from "./commands/completion.js";
import { commands } from "./commands/index.js";
import { noStyle } from "./terminal.js";

async function scriptFor(shell: string): Promise<string> {
  const printed: string[] = [];
  await completion.run({
    values: {},
    args: [shell],
    program: "argmax",
    signal: new AbortController().signal,
    terminal: {
      print: (text) => void printed.push(text),
      emit: () => {},
      note: () => {},
      width: 80,
      style: noStyle,
    },
  });
  return printed.join("\n");
}

/** What bash would offer for the words so far. */
function complete(script: string, ...words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${list})\nCOMP_CWORD=${words.length - 1}\n_argmax\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

test("bash completes commands, options, models, tasks and datasets", async () => {
  const script = await scriptFor("bash");
  expect(complete(script, "argmax", "")).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
  expect(complete(script, "argmax", "comp")).toEqual(["compare", "completion"]);
  expect(complete(script, "argmax", "compare", "x.csv", "--sc")).toEqual(["--scoring"]);
  expect(complete(script, "argmax", "train", "x.csv", "--model", "random")).toEqual(["random-forest"]);
  expect(complete(script, "argmax", "train", "x.csv", "--task", "r")).toEqual(["regression"]);
  expect(complete(script, "argmax", "compare", "titan")).toEqual(["titanic"]);
});

test("fish has a line per option, and unknown shells are refused", async () => {
  const fish = await scriptFor("fish");
  expect(fish).toContain("__fish_seen_subcommand_from tune' -l method");
  expect(fish).not.toContain("undefined");
  expect(await scriptFor("zsh")).toContain("bashcompinit");
  await expect(scriptFor("powershell")).rejects.toThrow("SHELL must be bash, zsh, fish");
});
