import { grown } from "../terms.js";
import { countGroups, isNullable, type PatternNode, UnboundedPattern } from "./pattern-tree.js";

/** Instructions of the program of a pattern. */
const CHARACTER = 0;
const PLACE = 1;
/** Two ways: the next instruction is tried first, then the one that is named. */
const SPLIT = 2;
const JUMP = 3;
/** The capturing group begins, ends, and is forgotten. */
const OPEN = 4;
const CLOSE = 5;
const FORGET = 6;
const END = 7;

/** Instructions of a program; counts such as {2,50} are written out. */
const MOST_INSTRUCTIONS = 2000;

/** Numbers of a way that is tried later: instruction, place, and the group as it was. */
const ENTRY = 5;

/**
 * The matches of a regular expression in a time that is linear in the text, whatever the pattern: the ways of a backtracking matcher in
 * the same order, so that it finds the same matches, but no way twice. What failed from an instruction at a place fails there again,
 * also for matches that begin later. [Cox, Regular expression matching: the virtual machine approach, 2009; BitState of RE2.]
 */
export class LinearPattern {
  readonly #codes: number[] = [];
  readonly #first: number[] = [];
  readonly #second: number[] = [];
  readonly #flags: string;
  readonly #characters: CharacterTest[] = [];
  readonly #places: RegExp[] = [];
  readonly #known = new Map<string, number>();
  readonly #hasGroup: boolean;
  #splits = 0;
  /** A bit per place of the text and split of the program: what was tried. */
  #tried = new Uint32Array(0);
  #stack = new Int32Array(64 * ENTRY);
  #groupStart = -1;
  #groupEnd = -1;

  /** `flags` are those of the RegExp, without g and y. */
  constructor(tree: PatternNode, flags: string) {
    this.#flags = flags;
    this.#hasGroup = countGroups(tree) > 0;
    this.#add(tree);
    this.#emit(END);
  }

  /** Every match, or what its group matched: as `matchAll` finds them. */
  *words(text: string): Generator<string> {
    this.#prepare(text.length + 1);
    for (let start = 0; start <= text.length; ) {
      const end = this.#run(text, start);
      if (end < 0) {
        start += widthAt(text, start);
        continue;
      }
      if (this.#hasGroup) yield this.#groupStart < 0 ? "" : text.slice(this.#groupStart, this.#groupEnd);
      else yield text.slice(start, end);
      // What was tried at the end of a match has not failed.
      this.#forget(end);
      start = end > start ? end : end + widthAt(text, end);
    }
  }

  #prepare(places: number): void {
    const words = Math.ceil((places * this.#splits) / 32);
    if (this.#tried.length < words) this.#tried = new Uint32Array(words);
    else this.#tried.fill(0, 0, words);
  }

  #forget(place: number): void {
    for (let bit = place * this.#splits; bit < (place + 1) * this.#splits; bit++)
      this.#tried[bit >>> 5]! &= ~(1 << (bit & 31));
  }

  /** Where the match that begins at `start` ends; −1 if there is none. */
  #run(text: string, start: number): number {
    const codes = this.#codes;
    let depth = 0;
    let at = start;
    let pc = 0;
    let open = -1;
    let from = -1;
    let to = -1;
    for (;;) {
      let failed = false;
      switch (codes[pc]!) {
        case CHARACTER: {
          const point = at < text.length ? text.codePointAt(at)! : -1;
          failed = point < 0 || !this.#characters[this.#first[pc++]!]!.has(point);
          at += point > 0xffff ? 2 : 1;
          break;
        }
        case PLACE: {
          const place = this.#places[this.#first[pc++]!]!;
          place.lastIndex = at;
          failed = !place.test(text);
          break;
        }
        case SPLIT: {
          const bit = at * this.#splits + this.#second[pc]!;
          const mask = 1 << (bit & 31);
          failed = (this.#tried[bit >>> 5]! & mask) !== 0;
          if (failed) break;
          this.#tried[bit >>> 5]! |= mask;
          this.#push(depth++, this.#first[pc++]!, at, open, from, to);
          break;
        }
        case JUMP:
          pc = this.#first[pc]!;
          break;
        case OPEN:
          open = at;
          pc++;
          break;
        case CLOSE:
        case FORGET:
          [from, to] = codes[pc++] === CLOSE ? [open, at] : [-1, -1];
          break;
        default:
          this.#groupStart = from;
          this.#groupEnd = to;
          return at;
      }
      if (!failed) continue;
      if (depth === 0) return -1;
      const stack = this.#stack;
      const entry = ENTRY * --depth;
      pc = stack[entry]!;
      at = stack[entry + 1]!;
      open = stack[entry + 2]!;
      from = stack[entry + 3]!;
      to = stack[entry + 4]!;
    }
  }

  /** A way to try later. */
  #push(depth: number, pc: number, at: number, open: number, from: number, to: number): void {
    const entry = ENTRY * depth;
    if (entry + ENTRY > this.#stack.length) this.#stack = grown(this.#stack, entry + ENTRY);
    const stack = this.#stack;
    stack[entry] = pc;
    stack[entry + 1] = at;
    stack[entry + 2] = open;
    stack[entry + 3] = from;
    stack[entry + 4] = to;
  }

  #emit(code: number, first = 0, second = 0): number {
    if (this.#codes.length >= MOST_INSTRUCTIONS)
      throw new UnboundedPattern(`more than ${MOST_INSTRUCTIONS} steps; write shorter counts`);
    this.#codes.push(code);
    this.#first.push(first);
    this.#second.push(second);
    return this.#codes.length - 1;
  }

  /** A split whose second way is set later. */
  #split(): number {
    return this.#emit(SPLIT, 0, this.#splits++);
  }

  #add(node: PatternNode): void {
    switch (node.kind) {
      case "character":
        this.#emit(
          CHARACTER,
          this.#test(node.source, this.#characters, () => new CharacterTest(node.source, this.#flags)),
        );
        break;
      case "place":
        this.#emit(
          PLACE,
          this.#test(node.source, this.#places, () => new RegExp(node.source, `${this.#flags}y`)),
        );
        break;
      case "sequence":
        for (const part of node.parts) this.#add(part);
        break;
      case "choice":
        this.#addChoice(node.parts);
        break;
      case "group":
        this.#emit(OPEN);
        this.#add(node.body);
        this.#emit(CLOSE);
        break;
      case "repeat":
        this.#addRepeat(node);
    }
  }

  #test<T>(source: string, list: T[], make: () => T): number {
    const key = `${list === (this.#places as unknown) ? "place" : "character"} ${source}`;
    let index = this.#known.get(key);
    if (index === undefined) {
      index = list.push(make()) - 1;
      this.#known.set(key, index);
    }
    return index;
  }

  #addChoice(parts: readonly PatternNode[]): void {
    const ends: number[] = [];
    for (const [k, part] of parts.entries()) {
      if (k === parts.length - 1) {
        this.#add(part);
        break;
      }
      const split = this.#split();
      this.#add(part);
      ends.push(this.#emit(JUMP));
      this.#first[split] = this.#codes.length;
    }
    for (const jump of ends) this.#first[jump] = this.#codes.length;
  }

  #addRepeat({ body, least, most, isGreedy }: Extract<PatternNode, { kind: "repeat" }>): void {
    // A RegExp goes on where a repetition was empty, which depends on more than the instruction and the place.
    if (most > least && isNullable(body))
      throw new UnboundedPattern("a repeated part that may be empty, as (?:a*)*; write a*");
    const once = () => {
      if (countGroups(body) > 0) this.#emit(FORGET);
      this.#add(body);
    };
    for (let count = 0; count < least; count++) {
      const before = this.#codes.length;
      once();
      // Nothing, however often.
      if (this.#codes.length === before) return;
    }
    if (most === Number.POSITIVE_INFINITY) {
      const loop = this.#codes.length;
      this.#optional(isGreedy, () => {
        once();
        this.#emit(JUMP, loop);
      });
      return;
    }
    const nested = (left: number): void => {
      if (left === 0) return;
      this.#optional(isGreedy, () => {
        once();
        nested(left - 1);
      });
    };
    nested(most - least);
  }

  /** The body or nothing, in the order that greed wants. */
  #optional(isGreedy: boolean, body: () => void): void {
    const split = this.#split();
    if (isGreedy) {
      body();
      this.#first[split] = this.#codes.length;
      return;
    }
    const over = this.#emit(JUMP);
    this.#first[split] = this.#codes.length;
    body();
    this.#first[over] = this.#codes.length;
  }
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** Whether a character is of a class, found out once per character. */
class CharacterTest {
  readonly #pattern: RegExp;
  /** 0: unknown; 1: no; 2: yes. */
  readonly #ascii = new Uint8Array(128);
  readonly #others = new Map<number, boolean>();

  constructor(source: string, flags: string) {
    this.#pattern = new RegExp(`^(?:${source})$`, flags);
  }

  has(point: number): boolean {
    if (point < 128) {
      const known = this.#ascii[point]!;
      if (known > 0) return known === 2;
      const found = this.#test(point);
      this.#ascii[point] = found ? 2 : 1;
      return found;
    }
    let found = this.#others.get(point);
    if (found === undefined) {
      found = this.#test(point);
      this.#others.set(point, found);
    }
    return found;
  }

  #test(point: number): boolean {
    return this.#pattern.test(String.fromCodePoint(point));
  }
}
