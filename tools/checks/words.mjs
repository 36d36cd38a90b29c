/**
 * Words that readers would stumble over, in source, comments, messages and the guide, each with the usual one.
 * `node tools/checks/words.mjs [root]` prints every use as file:line and ends with code 1 if there is one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lineOf } from "./source.mjs";

/** After "is no", these are usual: "is no longer", "is no better than chance", "is no help". */
const USUAL =
  "longer|more|less|fewer|matter|better|worse|easier|wider|larger|smaller|other|later|earlier|help|limit|such|different|reason|need|way";

export const rules = [
  {
    pattern: new RegExp(
      `(?<!\\b(?:there|There|where|that there|which there) )\\b(?:is|are|was|were) no (?!(?:${USUAL})\\b)[A-Za-z]`,
      "g",
    ),
    advice: "is not a …, are not …",
  },
  { pattern: /(?<![Tt]here )\b(?:is|are|was|were) none\b/g, advice: "is not one" },
  { pattern: /\bby heart\b/gi, advice: "memorises" },
  { pattern: /\bflatter(?:s|ed|ing)\b/gi, advice: "is optimistically biased" },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, advice: "fix, retry" },
  { pattern: /\b(?:un)?bearable\b/gi, advice: "tolerated" },
  { pattern: /\bbelieved\b/gi, advice: "trusted" },
  { pattern: /(?<!const )\b[Ss]hares? of\b/g, advice: "fraction of" },
  { pattern: /\bNothing to warn of\b/g, advice: "No warnings." },
  { pattern: /\btells? the answer\b/g, advice: "leaks the target" },
  { pattern: /\b[Tt]elling[A-Z]\w*/g, advice: "informative…" },
  { pattern: /\bsound[A-Z]\w*/g, advice: "check…" },
];

const folders = [
  "library/src",
  "library/wasm",
  "library/test",
  "apps",
  "docs/guide",
  "README.md",
  "CONTRIBUTING.md",
  "MAP.md",
];
const isText = (path) => /\.(?:tsx?|mjs|md|html|css)$/.test(path) && !path.includes("/included/");

export function findWords(text) {
  return rules
    .flatMap(({ pattern, advice }) =>
      [...text.matchAll(pattern)].map((match) => ({
        line: lineOf(text, match.index),
        words: match[0],
        advice,
      })),
    )
    .sort((a, b) => a.line - b.line);
}

export function checkTree(root) {
  const files = execFileSync("git", ["ls-files", "-z", ...folders], { cwd: root, encoding: "utf8" });
  return files
    .split("\0")
    .filter((file) => isText(file) && existsSync(join(root, file)))
    .flatMap((file) =>
      findWords(readFileSync(join(root, file), "utf8")).map((found) => ({ file, ...found })),
    );
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = checkTree(root);
  for (const { file, line, words, advice } of problems)
    console.error(`${file}:${line}: "${words}": ${advice}`);
  if (problems.length > 0) process.exit(1);
}
