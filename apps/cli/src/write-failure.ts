import { Failure } from "./command.js";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
};

/** An error of the file system as a sentence; any other error as it is. */
export function writeFailure(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  return Object.hasOwn(reasons, code) ? new Failure(`${path} cannot be written: ${reasons[code]}.`) : error;
}
