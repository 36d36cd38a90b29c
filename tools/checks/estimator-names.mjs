/**
 * Facts about estimators are declared on their classes, so that no other file decides by their names. Outside its family, the id of an
 * estimator in quotes or as a key, or a regular expression on the names of classes, is an error. `node tools/checks/estimator-names.mjs
 * [root]` prints each as file:line and ends with code 1 if there is one.
 */
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { estimatorsByFamily } from "../build/registry.mjs";
import { lineOf, maskText, sourceFiles } from "./source.mjs";

const folders = ["library/src", "apps/cli/src", "apps/server/src", "sql/src", "apps/studio/src"];

/** Files, or folders that end in a slash, that may name estimators, and why. */
export const allowed = {
  "library/src/meta/selectors/select-from-model.ts":
    "a loaded model knows its class by the id only; the rule is scikit-learn's",
  "apps/studio/src/stories/":
    "a story of a lecture is about the estimators that it names, as an example in a guide",
  "library/src/structure/evaluate-transform.ts": "words are counted by CountVectorizer itself",
};

const QUOTED = /(["'`])([A-Z]\w*)\1/g;
const KEY = /(?<=^\s*)[A-Z]\w*(?=:\s)/gm;
const PATTERN = /\/(?![*/])((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\[\n])+)\/[a-z]*/g;

const isAllowed = (file) =>
  Object.keys(allowed).some((place) => (place.endsWith("/") ? file.startsWith(place) : file === place));

/** Whether a quote or a slash at this place begins text: the mask keeps the delimiter and blanks what is inside. */
const isText = (mask, { index, 0: whole }) =>
  mask[index] === whole[0] && mask.slice(index + 1, index + 3).trim() === "";

/** Every estimator that a text names, of those that `families` has. */
export function namesIn(file, text, families) {
  const own = /^library\/src\/([^/]+)\//.exec(file)?.[1];
  const others = [...families].flatMap(([family, names]) => (family === own ? [] : names));
  const mask = maskText(text);
  const quoted = [...text.matchAll(QUOTED)].filter(
    (match) => others.includes(match[2]) && isText(mask, match),
  );
  const keys = [...text.matchAll(KEY)].filter(
    (match) => others.includes(match[0]) && mask[match.index] === match[0][0],
  );
  const patterns = [...text.matchAll(PATTERN)].filter(
    (match) =>
      isText(mask, match) &&
      (match[1].match(/[A-Z][A-Za-z]{2,}/g) ?? []).some((word) => others.some((id) => id.startsWith(word))),
  );
  return [...quoted, ...keys, ...patterns]
    .map((match) => ({ line: lineOf(text, match.index), name: match[0] }))
    .sort((a, b) => a.line - b.line);
}

export function checkTree(root) {
  const families = estimatorsByFamily(resolve(root, "library/src"));
  return folders.flatMap((folder) =>
    sourceFiles(resolve(root, folder)).flatMap(({ path, text }) => {
      const file = relative(root, path);
      if (isAllowed(file) || file.includes("/generated/")) return [];
      return namesIn(file, text, families).map((found) => ({ file, ...found }));
    }),
  );
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url)));
  const problems = checkTree(root);
  for (const { file, line, name } of problems)
    console.error(`${file}:${line}: ${name} is decided by name: declare the fact on the estimator's class`);
  if (problems.length > 0) process.exit(1);
}
