/**
 * The tree of a regular expression, as far as it says how long a match takes. The source is that of a RegExp in Unicode mode that was
 * compiled before, so that its syntax is right.
 */
export type PatternNode =
  /** One character: a literal, an escape or a class. */
  | { readonly kind: "character"; readonly source: string }
  /** A place between characters: an anchor, or what must or must not be around it. */
  | { readonly kind: "place"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "group"; readonly body: PatternNode }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly least: number;
      readonly most: number;
      readonly isGreedy: boolean;
    };

/** A pattern whose time cannot be bounded; the message follows "got". */
export class UnboundedPattern extends Error {}

/** Steps of a bounded part: beyond, the part is taken for unbounded. */
export const MOST_STEPS = 1000;

/** What trying a part at one place costs at most: its steps, and the ways in which it can match. Infinite if it is not bounded. */
export interface PatternCost {
  readonly steps: number;
  readonly ways: number;
}

const UNBOUNDED: PatternCost = { steps: Number.POSITIVE_INFINITY, ways: Number.POSITIVE_INFINITY };

export function costOf(node: PatternNode): PatternCost {
  switch (node.kind) {
    case "character":
    case "place":
      return { steps: 1, ways: 1 };
    case "group":
      return costOf(node.body);
    case "sequence":
      return node.parts.map(costOf).reduce(followedBy, { steps: 0, ways: 1 });
    case "choice":
      return node.parts
        .map(costOf)
        .reduce((a, b) => ({ steps: a.steps + b.steps, ways: a.ways + b.ways }), { steps: 0, ways: 0 });
    case "repeat": {
      if (node.most > MOST_STEPS) return UNBOUNDED;
      const body = costOf(node.body);
      let total: PatternCost = { steps: 0, ways: 1 };
      let ways = node.least === 0 ? 1 : 0;
      for (let count = 1; count <= node.most; count++) {
        total = followedBy(total, body);
        if (total.steps > MOST_STEPS) return UNBOUNDED;
        if (count >= node.least) ways += total.ways;
      }
      return { steps: total.steps + 1, ways };
    }
  }
}

/** The second part is tried once for every way in which the first matches. */
const followedBy = (a: PatternCost, b: PatternCost): PatternCost => ({
  steps: a.steps + a.ways * b.steps,
  ways: a.ways * b.ways,
});

/**
 * Whether a backtracking matcher takes linear time for all matches of a text: every alternative begins with parts of bounded cost, and
 * only its end may repeat without bound, since nothing follows that could fail and send the matcher back.
 */
export function isLinear(node: PatternNode): boolean {
  switch (node.kind) {
    case "group":
      return isLinear(node.body);
    case "choice":
      return node.parts.every(isLinear);
    case "sequence": {
      const [last] = node.parts.slice(-1);
      const before = costOf({ kind: "sequence", parts: node.parts.slice(0, -1) });
      return (
        before.steps <= MOST_STEPS && before.ways <= MOST_STEPS && (last === undefined || isLinear(last))
      );
    }
    case "repeat": {
      const least = { ...node, most: Math.max(1, node.least) };
      return costOf(node.body).ways <= MOST_STEPS && costOf(least).steps <= MOST_STEPS;
    }
    default:
      return true;
  }
}

export function parsePattern(source: string): PatternNode {
  return new PatternParser(source).parse();
}

/** Nesting of groups; each level is a level of the stack. */
const DEEPEST = 100;

class PatternParser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): PatternNode {
    const parts: PatternNode[] = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!))
      parts.push(this.#repeated(this.#atom()));
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  #repeated(body: PatternNode): PatternNode {
    const [text, braces] = this.#match(/[*+?]|\{(\d+(?:,\d*)?)\}/y) ?? [];
    if (text === undefined) return body;
    const [least = 0, most] = braces === undefined ? COUNTS[text]! : countsOf(braces);
    const isGreedy = this.#match(/\?/y) === undefined;
    return { kind: "repeat", body, least, most: most ?? Number.POSITIVE_INFINITY, isGreedy };
  }

  #atom(): PatternNode {
    const source = this.#source;
    const start = this.#at;
    if (source[start] === "(") return this.#group();
    if (this.#match(/[$^]/y)) return { kind: "place", source: source[start]! };
    if (this.#match(/\\(?:[1-9]|k<)/y))
      throw new UnboundedPattern("a reference to a group, which takes time without bound");
    this.#match(CHARACTER) ?? this.#match(/[\s\S]/uy);
    return { kind: "character", source: source.slice(start, this.#at) };
  }

  #group(): PatternNode {
    const start = this.#at;
    const [opening] = this.#match(/\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y)!;
    if (this.#source[this.#at] === "?")
      throw new UnboundedPattern("flags inside of it; put them at its beginning");
    if (++this.#depth > DEEPEST) throw new UnboundedPattern(`groups nested more than ${DEEPEST} deep`);
    const body = this.parse();
    this.#depth--;
    this.#at++;
    const source = this.#source.slice(start, this.#at);
    if (/^\(\?<?[=!]$/.test(opening!)) return lookaround(body, source);
    if (opening === "(?:") return isPlace(body) ? { kind: "place", source } : body;
    return { kind: "group", body };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }
}

/** A class, or an escape; two escapes that are the halves of one character are one. */
const CHARACTER =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])/uy;

const COUNTS: Readonly<Record<string, readonly [number, number?]>> = { "*": [0], "+": [1], "?": [0, 1] };

/** `2`, `2,` or `2,5`. */
function countsOf(braces: string): readonly [number, number?] {
  const [least, most] = braces.split(",");
  if (most === undefined) return [Number(least), Number(least)];
  return most === "" ? [Number(least)] : [Number(least), Number(most)];
}

/** Whether a part matches nothing but a place. */
function isPlace(node: PatternNode): boolean {
  if (node.kind === "place") return true;
  if (node.kind !== "sequence" && node.kind !== "choice") return false;
  return node.parts.every(isPlace) && costOf(node).steps <= MOST_STEPS;
}

/** What is around a place is looked at anew at every place, and must be short. */
function lookaround(body: PatternNode, source: string): PatternNode {
  const { steps, ways } = costOf(body);
  if (steps > MOST_STEPS || ways > MOST_STEPS)
    throw new UnboundedPattern(
      "a lookahead or lookbehind that may be of any length; give it a length, as {1,20}",
    );
  if (countGroups(body) > 0)
    throw new UnboundedPattern("a capturing group in a lookahead or lookbehind; write (?:…)");
  return { kind: "place", source };
}

/** Whether a part matches the empty text, at some place at least. */
export function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case "character":
      return false;
    case "place":
      return true;
    case "group":
      return isNullable(node.body);
    case "sequence":
      return node.parts.every(isNullable);
    case "choice":
      return node.parts.some(isNullable);
    case "repeat":
      return node.least === 0 || isNullable(node.body);
  }
}

/** Capturing groups. */
export function countGroups(node: PatternNode): number {
  switch (node.kind) {
    case "group":
      return 1 + countGroups(node.body);
    case "repeat":
      return countGroups(node.body);
    case "sequence":
    case "choice":
      return node.parts.reduce((count, part) => count + countGroups(part), 0);
    default:
      return 0;
  }
}
