import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, ParameterError } from "../../core/errors.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { CountVectorizer, HashingVectorizer, TfidfVectorizer } from "../index.js";
import { LinearPattern } from "./linear-pattern.js";
import { countGroups, isLinear, parsePattern, UnboundedPattern } from "./pattern-tree.js";
import { compilePattern } from "./token-pattern.js";

const words = (pattern: string, text: string): string[] => [...compilePattern("test", pattern)(text)];

/** What the engine finds: the group, where there is one. */
const expected = (pattern: RegExp, text: string): string[] =>
  Array.from(text.matchAll(pattern), (match) => (match.length === 1 ? match[0] : (match[1] ?? "")));

/** Small patterns over few letters, so that they match often, are ambiguous, and can be pumped. */
const patterns = fc.letrec<{ node: string; atom: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("atom"),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??"))
      .map(([a, count]) => `(?:${a})${count}`),
  ),
  atom: fc.constantFrom("a", "b", "[ab]", "[^a]", "(?=a)", "(?<!b)", "^", "$", "."),
})).node;
/** Not beyond U+FFFF: there V8 tries places within a character, which Python does not have. */
const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 12 });

/** Undefined for a pattern that is refused. */
function linearOf(source: string): LinearPattern | undefined {
  try {
    return new LinearPattern(parsePattern(source), "u");
  } catch (error) {
    expect(error).toBeInstanceOf(UnboundedPattern);
    return undefined;
  }
}

describe("LinearPattern", () => {
  it("finds the same matches as the engine", () => {
    fc.assert(
      fc.property(patterns, texts, fc.boolean(), (pattern, text, hasGroup) => {
        const source = hasGroup ? `(${pattern})b?` : pattern;
        const linear = linearOf(source);
        fc.pre(linear !== undefined);
        expect([...linear.words(text)]).toEqual(expected(new RegExp(source, "gu"), text));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds the same words as the engine in texts of any script", () => {
    const usual = [
      "\\b\\w+\\b",
      "(\\w+)[-'’]",
      "\\w+(?:[-']\\w+)*",
      "\\b[a-zA-Z]{3,}\\b",
      "\\S+@\\S+",
      "(?i)[a-z]+\\d",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...usual), fc.string({ unit: "grapheme" }), (pattern, text) => {
        const source = pattern.replace("(?i)", "");
        const flags = pattern.startsWith("(?i)") ? "gui" : "gu";
        // ASCII: there \w and \b of the engine are Python's.
        const plain = text.replaceAll(/[^\x20-\x7e]/g, "-");
        expect(words(pattern, plain)).toEqual(expected(new RegExp(source, flags), plain));
      }),
    );
  });

  it("reads characters beyond U+FFFF as one", () => {
    expect(words("(?:.)+?b", "😀b😀😀b")).toEqual(["😀b", "😀😀b"]);
  });

  it("takes linear time where a backtracking matcher takes exponential or quadratic time", () => {
    const hostile = ["(?:a+)+b|\\w+", "(?:a|a)*b", "(?:a?){25}a{25}b", "a+a+a+a+b", "\\w+!", "(?:a|ab|b)*c"];
    const text = `${"a".repeat(50_000)}.`;
    for (const pattern of hostile) {
      const start = performance.now();
      words(pattern, text);
      // 50,000 characters: exponential time would not end, and quadratic time took 3 s and more.
      expect(performance.now() - start, pattern).toBeLessThan(2000);
    }
    expect(words("(?:a+)+b|\\w+", "a".repeat(34))).toEqual(["a".repeat(34)]);
  });

  it("takes time that grows with a pumped text as the text does (property)", () => {
    fc.assert(
      fc.property(patterns, fc.constantFrom("a", "b", "ab", "aab"), (pattern, pump) => {
        const start = performance.now();
        if (linearOf(pattern) !== undefined) words(pattern, `${pump.repeat(3000)}c`);
        expect(performance.now() - start).toBeLessThan(1500);
      }),
      { numRuns: 100 },
    );
  });
});

describe("isLinear", () => {
  it("leaves the usual patterns to the engine", () => {
    for (const source of [
      "\\S+",
      "[^\\s]+",
      "\\w+|[^\\w\\s]",
      "(?<=#)\\w+",
      "[A-M]\\w*",
      "x*",
      "https?:\\/\\/\\S+",
      "(?:a|b)+",
    ])
      expect(isLinear(parsePattern(source)), source).toBe(true);
  });

  it("does not trust what may go back", () => {
    for (const source of ["(?:a+)+", "\\w+!", "a*a*", "(?:a|b)*c", "a{1,2000}b", "(?:(?:a|a){10}){10}"])
      expect(isLinear(parsePattern(source)), source).toBe(false);
  });
});

describe("patterns whose time cannot be bounded", () => {
  it.each([
    ["(a)\\1", "a reference to a group"],
    ["(?=a*b)a", "lookahead or lookbehind that may be of any length"],
    ["(?:a*)*b", "repeated part that may be empty"],
    ["(?=(a))a+b", "capturing group in a lookahead"],
    ["(?:a{1000}){1000}b", "more than 2000 steps"],
    [`${"(?:".repeat(120)}a${")".repeat(120)}`, "nested more than 100 deep"],
    ["a".repeat(2000), "at most 1000 characters"],
  ])("%#: is refused", (pattern, reason) => {
    expect(() => compilePattern("test", pattern)).toThrow(ParameterError);
    expect(() => compilePattern("test", pattern)).toThrow(reason);
  });

  it("are refused by constructors, and by loadModel as a FormatError", () => {
    for (const Vectorizer of [CountVectorizer, TfidfVectorizer, HashingVectorizer])
      expect(() => new Vectorizer({ tokenPattern: "(a)\\1" })).toThrow(ParameterError);
    const state = new CountVectorizer({ tokenPattern: "(a)b" }).fit(["ab"]).toState();
    const params = { ...state.params, tokenPattern: "(a)\\1" };
    const forged = saveModel({ toState: () => ({ ...state, params }) } as never);
    expect(() => loadModel(forged)).toThrow(FormatError);
  });

  it("counts groups, and not what looks like one", () => {
    expect(countGroups(parsePattern("(a)(?:b)[(]\\((?<n>c)"))).toBe(2);
  });
});
