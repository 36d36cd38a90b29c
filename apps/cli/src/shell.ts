/** A word as a shell reads it: quoted only if it must be. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command line that can be pasted. */
export const commandLine = (program: string, ...words: readonly string[]): string =>
  [program, ...words.map(shellWord)].join(" ");
