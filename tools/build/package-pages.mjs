/** Copies README and licence of the repository into the package, where npm looks for them; links lead nowhere there, and become text. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

const from = new URL("../../", import.meta.url);
const to = new URL("library/", from);

const readme = readFileSync(new URL("README.md", from), "utf8");
writeFileSync(new URL("README.md", to), readme.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1"));
copyFileSync(new URL("LICENSE", from), new URL("LICENSE", to));
