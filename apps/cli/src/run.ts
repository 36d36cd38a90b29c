import { type CommandEntry, checkArguments, readWords, UsageError } from "./command.js";
import { commandHelp, programHelp } from "./help.js";
import { jsonTerminal, type Terminal } from "./terminal/terminal.js";

type ExitCode = 0 | 1 | 2;

interface RunOptions {
  readonly program: string;
  /** The command and its words that run if no command is named; without it, the help is shown. */
  readonly usual?: readonly string[];
  readonly version?: string;
  readonly signal?: AbortSignal;
}

/** Runs the named command. */
export async function run(
  commands: readonly CommandEntry[],
  given: readonly string[],
  terminal: Terminal,
  { program, usual, version = "", signal = new AbortController().signal }: RunOptions,
): Promise<ExitCode> {
  let output = terminal;
  let help = `${program} --help`;
  try {
    const named = given[0] !== undefined && !given[0].startsWith("-");
    const only = given.length === 1 ? given[0] : undefined;
    if (only === "--version" || only === "-V") {
      terminal.print(version);
      return 0;
    }
    if (only === "--help" || only === "-h" || (only === "help" && named) || (!named && usual === undefined)) {
      if (!named && given.length > 1) throw new UsageError(`${given[0]} must follow the name of a command.`);
      terminal.print(programHelp(program, commands, usual));
      return 0;
    }
    const words = named ? given : [...usual!, ...given];
    const name = words[0] === "help" ? words[1]! : words[0]!;
    const entry = commands.find((one) => one.name === name);
    if (entry === undefined) {
      const names = commands.map((one) => one.name).join(", ");
      throw new UsageError(`There is no command ${JSON.stringify(name)}. The commands are ${names}.`);
    }
    help = `${program} ${name} --help`;
    const command = await entry.load();
    const { values, args } = readWords(command, words.slice(1));
    if (values.help || words[0] === "help") {
      terminal.print(commandHelp(program, entry, command, terminal.width));
      return 0;
    }
    if (values.json) output = jsonTerminal(terminal);
    checkArguments(name, command, args);
    await command.run({ values, args, terminal: output, program, signal });
    return 0;
  } catch (error) {
    return report(error, output, help);
  }
}

/** Errors of the user are printed as one sentence; errors of the program with their stack. */
function report(error: unknown, terminal: Terminal, help: string): ExitCode {
  terminal.live?.clear();
  if (error instanceof UsageError) {
    terminal.emit({ type: "error", kind: "usage", message: error.message });
    terminal.note(`${error.message}\nSee ${help}.`);
    return 2;
  }
  const expected = error instanceof Error && "code" in error;
  const message = expected ? error.message : String(error instanceof Error ? error.stack : error);
  terminal.emit({ type: "error", kind: expected ? "failure" : "bug", message });
  terminal.note(message);
  return 1;
}
