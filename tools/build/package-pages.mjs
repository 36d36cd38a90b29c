/**
 * Before a package is packed, copies the licence of the repository into it, where npm looks for it; into the library also the README, whose
 * links lead nowhere there and become text. npm runs it in the folder of the package.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const from = new URL("../../", import.meta.url);
const to = pathToFileURL(`${resolve(".")}/`);

copyFileSync(new URL("LICENSE", from), new URL("LICENSE", to));
if (basename(resolve(".")) === "library") {
  const readme = readFileSync(new URL("README.md", from), "utf8");
  writeFileSync(new URL("README.md", to), readme.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1"));
}
