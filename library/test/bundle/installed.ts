import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./bundle.js";

/** A project as a user has it, with the tarball of the package unpacked where npm would put it. */
export interface InstalledProject {
  readonly folder: string;
  /** Where the package is. */
  readonly installed: string;
  /** Lets the project find what this repository has installed under a name. */
  link(...names: readonly string[]): void;
  remove(): void;
}

export function installTarball(): InstalledProject {
  // Some tools compare real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "argmax-package-")));
  const installed = join(folder, "node_modules/argmax");
  const pack = ["pack", "--workspace", "library", "--pack-destination", folder, "--silent"];
  const tarball = execFileSync("npm", pack, { cwd: repository, encoding: "utf8" }).trim().split("\n").at(-1)!;
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["xzf", join(folder, tarball), "--strip-components=1", "-C", installed]);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  return {
    folder,
    installed,
    link(...names) {
      for (const name of names) {
        const place = join(folder, "node_modules", name);
        mkdirSync(join(place, ".."), { recursive: true });
        symlinkSync(join(repository, "node_modules", name), place);
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
