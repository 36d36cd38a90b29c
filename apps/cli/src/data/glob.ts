import { glob } from "tinyglobby";

/** Whether a name stands for several files. */
export const isGlob = (source: string): boolean => /[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/.test(source);

/** The files that a pattern names, sorted. `**` stands for any number of folders. Hidden names must be asked for. */
export const matchFiles = async (pattern: string): Promise<string[]> =>
  (await glob(pattern, { expandDirectories: false, absolute: pattern.startsWith("/") })).sort();
