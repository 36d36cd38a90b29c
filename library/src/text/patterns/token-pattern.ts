import { ParameterError, show } from "../../core/errors.js";
import { type CharacterSet, digitCharacters, spaceCharacters, wordCharacters } from "../unicode.js";
import { LinearPattern } from "./linear-pattern.js";
import { countGroups, isLinear, parsePattern, UnboundedPattern } from "./pattern-tree.js";

/** Default pattern of scikit-learn: words of two or more characters. */
export const defaultPattern = "(?u)\\b\\w\\w+\\b";

/**
 * The minimum length of a word, if the pattern matches runs of word characters and nothing else: these need no RegExp.
 * A greedy `\w…` matches a whole run, so `\b` around it changes nothing.
 */
export function shortestWord(pattern: string): number | undefined {
  const plain = /^(?:\(\?u\))?(?:\\b)?((?:\\w)*)\\w(\+|\*|\{(\d+),\})(?:\\b)?$/.exec(pattern);
  if (!plain) return undefined;
  const before = plain[1]!.length / 2;
  const least = plain[2] === "+" ? 1 : plain[2] === "*" ? 0 : Number(plain[3]);
  return before + least > 0 ? before + least : undefined;
}

const classes: Readonly<Record<string, { readonly set: CharacterSet; readonly inside: boolean }>> = {
  w: { set: wordCharacters, inside: true },
  W: { set: wordCharacters, inside: false },
  d: { set: digitCharacters, inside: true },
  D: { set: digitCharacters, inside: false },
  s: { set: spaceCharacters, inside: true },
  S: { set: spaceCharacters, inside: false },
};

/** `\b` and `\B` between word characters of any script. */
function boundary(negated: boolean): string {
  const w = `[${wordCharacters.toClass()}]`;
  return negated ? `(?:(?<=${w})(?=${w})|(?<!${w})(?!${w}))` : `(?:(?<=${w})(?!${w})|(?<!${w})(?=${w}))`;
}

/** The words of a text. */
export type WordFinder = (text: string) => Iterable<string>;

/** Characters of a pattern; those of tokens have some dozens. */
const LONGEST = 1000;

/**
 * What finds the words of a pattern as Python's `re` reads it: `\w`, `\d`, `\s` and `\b` cover every script; `(?P<name>…)`, `\A`, `\Z`,
 * escaped punctuation and leading flags such as `(?i)` are supported. A pattern may come from a model file of a stranger, so that its
 * time is linear in the text: where the engine's RegExp could go back and forth, LinearPattern finds the same words.
 */
export function compilePattern(where: string, pattern: string): WordFinder {
  if (pattern.length > LONGEST)
    return refuse(where, `a pattern of at most ${LONGEST} characters`, String(pattern.length));
  const [, letters = ""] = /^\(\?([a-z]+)\)/.exec(pattern) ?? [];
  const flags = [...new Set(letters)].filter((flag) => flag !== "u");
  const known = flags.every((flag) => "ism".includes(flag));
  const body = letters === "" ? pattern : pattern.slice(letters.length + 3);
  try {
    if (!known) throw new SyntaxError(`flags (?${letters})`);
    const compiled = new RegExp(translated(body, flags.includes("s")), `gu${flags.join("")}`);
    const tree = parsePattern(compiled.source);
    const groups = countGroups(tree);
    if (groups > 1) return refuse(where, "a pattern with at most one capturing group", `${groups} groups`);
    if (isLinear(tree)) return (text) => matchesOf(compiled, text);
    const linear = new LinearPattern(tree, compiled.flags.replace("g", ""));
    return (text) => linear.words(text);
  } catch (error) {
    if (error instanceof UnboundedPattern)
      return refuse(where, "a pattern that takes linear time", `${show(pattern)} with ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(where, "a regular expression", `${show(pattern)} (${error.message})`);
  }
}

/** The word is the match of the capturing group if the pattern has one. */
function* matchesOf(pattern: RegExp, text: string): Generator<string> {
  for (const match of text.matchAll(pattern)) yield match.length === 1 ? match[0] : (match[1] ?? "");
}

function translated(pattern: string, dotAll: boolean): string {
  let out = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at]!;
    if (c === "\\") {
      out += escaped(pattern[++at] ?? "", inClass);
      continue;
    }
    if (c === "[" && !inClass) {
      inClass = true;
      // Python reads "]" right after the opening bracket as a character.
      const negated = pattern[at + 1] === "^" ? "^" : "";
      const literal = pattern[at + 1 + negated.length] === "]";
      out += `[${negated}${literal ? "\\]" : ""}`;
      at += negated.length + (literal ? 1 : 0);
      continue;
    }
    if (c === "[") {
      out += "\\[";
      continue;
    }
    if (c === "]" && !inClass) {
      out += "\\]";
      continue;
    }
    if (c === "]") inClass = false;
    if (c === "." && !inClass && !dotAll) {
      // A RegExp's dot stops at \r, U+2028 and U+2029 too.
      out += "[^\\n]";
      continue;
    }
    if (!inClass && c === "(" && pattern.startsWith("?P<", at + 1)) {
      out += "(?<";
      at += 3;
      continue;
    }
    out += c;
  }
  return out;
}

function escaped(letter: string, inClass: boolean): string {
  const found = Object.hasOwn(classes, letter) ? classes[letter] : undefined;
  if (found) return inClass ? found.set.toClass(found.inside) : `[${found.set.toClass(found.inside)}]`;
  if (!inClass) {
    if (letter === "b" || letter === "B") return boundary(letter === "B");
    if (letter === "A") return "(?<![\\s\\S])";
    if (letter === "Z") return "(?![\\s\\S])";
    if (letter === "-") return "-";
  }
  // In Unicode mode a RegExp allows a backslash only before special characters; Python allows one before any punctuation.
  return /[\s"'#%&,:;<=>@_`~!]/.test(letter) ? letter : `\\${letter}`;
}

function refuse(where: string, expected: string, received: string): never {
  throw new ParameterError(where, "tokenPattern", expected, received);
}
