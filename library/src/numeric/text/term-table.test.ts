import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heap } from "../runtime/heap.js";
import { type CountedRow, type Ngrams, type Strings, TermTable } from "./term-table.js";

const encoder = new TextEncoder();

function stringsOf(texts: readonly string[]): Strings {
  const parts = texts.map((text) => encoder.encode(text));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  const starts = new Int32Array(parts.length);
  const ends = new Int32Array(parts.length);
  let at = 0;
  parts.forEach((part, t) => {
    bytes.set(part, at);
    starts[t] = at;
    at += part.length;
    ends[t] = at;
  });
  return { bytes, starts, ends };
}

class Row implements CountedRow {
  nonZeros = 0;
  indices = new Int32Array(0);
  values = new Int32Array(0);
  reserve(entries: number): void {
    const longer = (list: Int32Array) => {
      const copy = new Int32Array(this.nonZeros + entries);
      copy.set(list);
      return copy;
    };
    this.indices = longer(this.indices);
    this.values = longer(this.values);
  }
  get entries(): [number, number][] {
    return Array.from({ length: this.nonZeros }, (_, e) => [this.indices[e]!, this.values[e]!]);
  }
}

/** The same by a RegExp and a Map. */
function plainCounts(
  terms: readonly string[],
  words: readonly string[],
  [least, greatest]: readonly [number, number] = [1, 1],
): [number, number][] {
  const columns = new Map(terms.map((term, j) => [term, j]));
  const counts = new Map<number, number>();
  for (let n = least; n <= greatest; n++) {
    for (let i = 0; i + n <= words.length; i++) {
      const column = columns.get(words.slice(i, i + n).join(" "));
      if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a], [b]) => a - b);
}

const wordsOf = (text: string, shortest: number): string[] =>
  (text.match(/\w+/g) ?? []).filter((word) => word.length >= shortest);

function counted(table: TermTable, text: string, shortest: number): [number, number][] {
  const out = new Row();
  table.countWords(encoder.encode(`${text}word_`), text.length, shortest, out);
  return out.entries;
}

function withTable<T>(
  terms: readonly string[],
  work: (table: TermTable) => T,
  stopWords: readonly string[] = [],
): T {
  const table = new TermTable("test", {
    strings: stringsOf(terms),
    stopWords: stringsOf(stopWords),
    cols: terms.length,
  });
  try {
    return work(table);
  } finally {
    table.close();
  }
}

/** Few letters, so that words repeat; runs of up to 40, so that words cross every boundary of 8, 16 and 64 bytes. */
const word = fc.string({
  unit: fc.constantFrom("a", "b", "Z", "0", "9", "_"),
  minLength: 1,
  maxLength: 40,
});
const gap = fc.string({
  unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 3,
});
const text = fc.array(fc.tuple(word, gap), { maxLength: 40 }).chain((list) =>
  fc.boolean().map((isCut) => {
    const whole = list.map(([letters, other]) => letters + other).join("");
    return isCut ? whole.trimEnd() : whole;
  }),
);

describe("countWords", () => {
  it("counts what a RegExp and a Map count", () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 1, max: 5 }),
        fc.array(word, { maxLength: 3 }),
        (learned, read, shortest, stopWords) => {
          const terms = [...new Set(wordsOf(learned, 1).concat("a"))];
          const words = wordsOf(read, shortest).filter((one) => !stopWords.includes(one));
          withTable(
            terms,
            (table) => {
              expect(counted(table, read, shortest)).toEqual(plainCounts(terms, words));
              expect(counted(table, "", shortest)).toEqual([]);
              // The counts of a document are gone with it.
              expect(counted(table, read, shortest)).toEqual(plainCounts(terms, words));
            },
            stopWords,
          );
        },
      ),
    );
  });

  it("takes letters, digits and underscores for words, and no other byte", () => {
    const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const found = withTable(all, (table) => counted(table, all.map((c) => `.${c}.`).join(""), 1));
    expect(found.map(([column]) => all[column]!)).toEqual(all.filter((c) => /\w/.test(c)));
  });

  it("finds words of every length at every place of a block", () => {
    for (let length = 1; length <= 130; length++) {
      const term = "x".repeat(length);
      withTable([`${term}y`, term, `${"x".repeat(length - 1)}z`, `y${term}`], (table) => {
        // What is left of it behind the texts that follow must not matter.
        counted(table, "x".repeat(500), 1);
        for (let before = 0; before <= 64; before++) {
          expect(counted(table, " ".repeat(before) + term, 1)).toEqual([[1, 1]]);
          expect(counted(table, `${" ".repeat(before)}${term}-${term}y-`, 1)).toEqual([
            [0, 1],
            [1, 1],
          ]);
        }
      });
    }
  });

  it("tells long words apart by any one byte", () => {
    const base = "abcdefghijklmnopqrstuvwxyzabcdefghijklmno";
    const terms = [base, ...Array.from(base, (_, k) => `${base.slice(0, k)}_${base.slice(k + 1)}`)];
    withTable(terms, (table) => {
      for (const [j, term] of terms.entries()) expect(counted(table, term, 1)).toEqual([[j, 1]]);
    });
  });

  it("finds terms of the same slot, and goes on at the start of the table after its end", () => {
    // The hash of up to eight bytes, as the kernel computes it.
    const slotOf = (term: string) => {
      let key = BigInt(term.length);
      [...term].forEach((c, k) => {
        key ^= BigInt(c.charCodeAt(0)) << BigInt(8 * k);
      });
      return Number(BigInt.asUintN(64, key * 0x9e3779b97f4a7c15n) >> 60n);
    };
    const colliding: string[] = [];
    for (let n = 0; colliding.length < 12; n++) if (slotOf(`w${n}`) === 15) colliding.push(`w${n}`);
    const terms = colliding.slice(0, 8);
    withTable(terms, (table) => {
      expect(counted(table, colliding.join(" "), 1)).toEqual(terms.map((_, j) => [j, 1]));
    });
  });

  it("counts thousands of different words in one document, more than it has reserved memory for", () => {
    const terms = Array.from({ length: 200_000 }, (_, j) => `term${j}`);
    const read = terms
      .filter((_, j) => j % 7 === 0)
      .concat("term", "unknown", terms[1]!, terms[199_999]!, terms[7]!);
    withTable(terms, (table) => {
      const found = counted(table, read.toReversed().join("\n"), 2);
      expect(found).toEqual(plainCounts(terms, read));
      expect(found.length).toBe(28_574);
      const long = "y".repeat(1e6);
      expect(counted(table, `${long} term9 ${long}`, 2)).toEqual([[9, 1]]);
    });
  });

  it("passes over every word if none is long enough, even for lengths beyond 32 bits", () => {
    withTable(["aa"], (table) => expect(counted(table, "aa aa", 2 ** 40)).toEqual([]));
  });
});

describe("countTerms", () => {
  const countedTerms = (table: TermTable, terms: readonly string[]) => {
    const out = new Row();
    table.countTerms({ ...stringsOf(terms), size: terms.length }, out);
    return out.entries;
  };

  it("counts any bytes: an empty term, zeros at the end, other scripts", () => {
    const any = fc.string({ unit: fc.constantFrom("\0", "a", " ", "é", "語", "𝒜"), maxLength: 9 });
    fc.assert(
      fc.property(fc.uniqueArray(any, { minLength: 1 }), fc.array(any), (terms, read) => {
        const all = read.concat(terms);
        withTable(terms, (table) => expect(countedTerms(table, all)).toEqual(plainCounts(terms, all)));
      }),
    );
  });

  it("adds its row behind those that are there", () => {
    withTable(["b", "a"], (table) => {
      const out = new Row();
      for (const read of [["a", "a"], ["c"], ["a", "b"]])
        table.countTerms({ ...stringsOf(read), size: read.length }, out);
      expect(out.entries).toEqual([
        [1, 2],
        [0, 1],
        [1, 1],
      ]);
    });
  });

  it("counts more terms than it has reserved memory for", () => {
    const read = Array.from({ length: 9000 }, (_, t) => `${t % 3}`);
    withTable(["1", "0"], (table) =>
      expect(countedTerms(table, read)).toEqual([
        [0, 3000],
        [1, 3000],
      ]),
    );
  });
});

describe("n-grams", () => {
  /** Words first, then pairs in the order of their lengths, so that the first term of a pair has its number. */
  function tableOf(terms: readonly string[], range: readonly [number, number], stopWords: readonly string[]) {
    const numbers = new Map<string, number>();
    for (const term of terms)
      for (const part of term.split(" ")) if (!numbers.has(part)) numbers.set(part, numbers.size);
    const strings = [...numbers.keys()];
    const pairs: number[] = [];
    for (const term of terms) {
      const [first, ...rest] = term.split(" ");
      let start = first!;
      for (const last of rest) {
        const whole = `${start} ${last}`;
        if (!numbers.has(whole)) {
          pairs.push(numbers.get(start)!, numbers.get(last)!, numbers.size);
          numbers.set(whole, numbers.size);
        }
        start = whole;
      }
    }
    const list = stringsOf(strings);
    const padded = (from: Int32Array, value: number) =>
      Int32Array.from({ length: numbers.size }, (_, t) => from[t] ?? value);
    const columns = Int32Array.from(numbers.keys(), (term) => terms.indexOf(term));
    const ngrams: Ngrams = { range, pairs: Int32Array.from(pairs), columns };
    return new TermTable("test", {
      strings: { bytes: list.bytes, starts: padded(list.starts, 0), ends: padded(list.ends, -1) },
      stopWords: stringsOf(stopWords),
      ngrams,
      cols: terms.length,
    });
  }

  it("are counted as if they were joined by spaces, without stop words", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 2 });
    const phrase = fc.array(short, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "));
    const range = fc.constantFrom<readonly [number, number]>([1, 1], [1, 2], [2, 2], [2, 4], [1, 255]);
    fc.assert(
      fc.property(
        fc.uniqueArray(phrase, { minLength: 1, maxLength: 30 }),
        fc.array(short, { maxLength: 60 }),
        range,
        fc.array(short, { maxLength: 2 }),
        (terms, read, [least, greatest], stopWords) => {
          const table = tableOf(terms, [least, greatest], stopWords);
          const kept = read.filter((one) => !stopWords.includes(one));
          const expected = plainCounts(terms, kept, [least, greatest]);
          expect(counted(table, read.join(", "), 1)).toEqual(expected);
          table.close();
        },
      ),
    );
  });
});

it("a table frees all of its memory", () => {
  withTable(["a"], () => {});
  const before = heap().bytesInUse;
  withTable(["a", "b".repeat(1e5)], (table) => {
    counted(table, "a ".repeat(1e5), 1);
    expect(heap().bytesInUse).toBe(before + table.bytes);
  });
  expect(heap().bytesInUse).toBe(before);
});
