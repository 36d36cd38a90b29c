#!/usr/bin/env node
import { commands } from "./commands/index.js";
import { run } from "./run.js";
import { openTerminal } from "./terminal.js";

// `argmax | head` closes the pipe early, which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

/** The command that started the program, so that help and hints can be pasted. */
const program = process.env.npm_lifecycle_event === "start" ? "npm start --" : "argmax";
const terminal = openTerminal(process.stdout, process.stderr, process.env);
process.exitCode = await run(commands, process.argv.slice(2), terminal, program);
