import type { Options } from "./command.js";

/** A word as a shell reads it: quoted only if it must be. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command line that can be pasted. */
export const commandLine = (program: string, ...words: readonly string[]): string =>
  [program, ...words.map(shellWord)].join(" ");

/** Command lines to try next, each from its words. */
export const nextSteps = (program: string, ...commands: readonly (readonly string[])[]): string[] => [
  "Try next:",
  ...commands.map((words) => `  ${commandLine(program, ...words)}`),
];

/** The options of a command line as they were. */
function optionWords(values: Readonly<Record<string, unknown>>, options: Options): string[] {
  const words: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === options[name]?.default || name === "resume") continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, String(one));
  }
  return words;
}

/** The options of a command line as they were, with --resume. */
export const resumeWords = (values: Readonly<Record<string, unknown>>, options: Options): string[] => [
  ...optionWords(values, options),
  "--resume",
];

/** The options of a command line as they were, with --in-database. */
export const inDatabaseWords = (values: Readonly<Record<string, unknown>>, options: Options): string[] => [
  ...optionWords(values, options),
  "--in-database",
];
