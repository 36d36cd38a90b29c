#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { commands } from "./commands/index.js";
import { run } from "./run.js";
import { openTerminal } from "./terminal/terminal.js";

// `argmax | head` closes the pipe early, which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

/** The first Ctrl-C asks the command to stop; the second ends the program. */
const interrupt = new AbortController();
const onSignal = () => {
  if (interrupt.signal.aborted) process.exit(1);
  interrupt.abort();
};
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const isStart = process.env.npm_lifecycle_event === "start";
const terminal = openTerminal(process.stdout, process.stderr, process.env, process.stdin);
const settings = {
  // So that help and hints can be pasted.
  program: isStart ? "npm start --" : "argmax",
  ...(isStart ? { usual: ["compare", "breastCancer", "--save", "none"] } : {}),
  version,
  signal: interrupt.signal,
};

const words = process.argv.slice(2);
// `npm start` without a command compares models on an included dataset, then serves the studio.
const plain = /^(-h|--help|-V|--version|--json)$/;
const isTour = isStart && words[0]?.startsWith("-") !== false && !words.some((word) => plain.test(word));
process.exitCode = await run(
  commands,
  words.filter((word) => !(isStart && word === "--no-studio")),
  terminal,
  settings,
);
if (isTour && process.exitCode === 0 && !words.includes("--no-studio")) {
  terminal.print("");
  process.exitCode = await run(commands, ["studio"], terminal, settings);
}
