import { type Command, readOptions, UsageError } from "./command.js";
import { commandHelp, programHelp } from "./help.js";
import type { Terminal } from "./terminal.js";

export type ExitCode = 0 | 1 | 2;

/** Runs the named command; without a name, the first one. */
export async function run(
  commands: readonly Command[],
  words: readonly string[],
  terminal: Terminal,
  program: string,
): Promise<ExitCode> {
  try {
    const named = words[0] !== undefined && !words[0].startsWith("-");
    const command = named ? commands.find(({ name }) => name === words[0]) : commands[0];
    if (command === undefined) {
      const names = commands.map(({ name }) => name).join(", ");
      throw new UsageError(`There is no command ${JSON.stringify(words[0])}. The commands are ${names}.`);
    }
    const values = readOptions(command, named ? words.slice(1) : words);
    if (values.help) {
      terminal.print(
        named ? commandHelp(program, command, command === commands[0]) : programHelp(program, commands),
      );
      return 0;
    }
    await command.run(values, terminal, program);
    return 0;
  } catch (error) {
    return report(error, terminal, program);
  }
}

/** Errors of the user are printed as one sentence; errors of the program with their stack. */
function report(error: unknown, terminal: Terminal, program: string): ExitCode {
  terminal.live?.clear();
  if (error instanceof UsageError) {
    terminal.note(`${error.message}\nSee ${program} --help.`);
    return 2;
  }
  const expected = error instanceof Error && "code" in error;
  terminal.note(expected ? error.message : String(error instanceof Error ? error.stack : error));
  return 1;
}
