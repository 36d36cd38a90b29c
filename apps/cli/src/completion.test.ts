import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { completion } from "./commands/completion.js";
import { commands } from "./commands/index.js";
import { noStyle } from "./terminal/terminal.js";

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

test("bash completes parameters of the model, and their values", async () => {
  const script = await scriptFor("bash");
  const train = ["argmax", "train", "x.csv", "-m"];
  expect(complete(script, ...train, "random-forest", "--set", "maxD")).toEqual(["maxDepth="]);
  expect(complete(script, ...train, "svc", "--set", "ker")).toEqual(["kernel="]);
  // Of a classifier and its regressor.
  const criteria = complete(script, ...train, "decision-tree", "--set", "criterion", "=");
  expect(criteria).toEqual(expect.arrayContaining(["gini", "entropy", "squaredError"]));
  expect(complete(script, ...train, "decision-tree-classifier", "--set", "criterion", "=", "gi")).toEqual([
    "gini",
  ]);
  expect(complete(script, ...train, "no-such-model", "--set", "")).toEqual([]);
});

test("fish has a line per option, and unknown shells are refused", async () => {
  const fish = await scriptFor("fish");
  expect(fish).toContain("__fish_seen_subcommand_from tune' -l method");
  expect(fish).toContain("'criterion=gini'");
  expect(fish).toMatch(/-l set .*__argmax_settings/);
  expect(fish).not.toContain("undefined");
  expect(await scriptFor("zsh")).toContain("bashcompinit");
  await expect(scriptFor("powershell")).rejects.toThrow("SHELL must be bash, zsh, fish");
});
