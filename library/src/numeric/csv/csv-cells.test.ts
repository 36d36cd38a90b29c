import fc from "fast-check";
import { expect, it } from "vitest";
import { withArena } from "../runtime/arena.js";
import { type BadRow, CsvCells, CsvText, type Dialect } from "./csv-cells.js";

const encoder = new TextEncoder();
const comma: Dialect = { delimiter: 44, quote: 34, trim: true };

/** What `read` makes of the cells of a text. */
const cellsOf = <T>(text: string, dialect: Dialect, read: (cells: CsvCells) => T, most?: number): T =>
  withArena("test", (arena) => read(new CsvCells(new CsvText(arena, encoder.encode(text)), dialect, most)));

interface Found {
  readonly starts: number[];
  readonly ends: number[];
  readonly badRows: BadRow[];
  readonly isBad: boolean;
}

/** The cells of a text, one character after the other. */
function plainCells(given: string, { delimiter, quote, trim }: Dialect): Found {
  const bytes = encoder.encode(given.endsWith("\n") ? given : `${given}\n`);
  const isBreak = (code: number) => code === delimiter || code === 10 || code === 13;
  const [starts, ends, badRows]: [number[], number[], BadRow[]] = [[], [], []];
  let cols = -1;
  for (let at = 0; at < bytes.length; ) {
    const rowStart = at;
    const row: [number, number][] = [];
    for (let code = delimiter; code === delimiter; at++) {
      if (trim) while (bytes[at] === 32) at++;
      if (bytes[at] === quote) {
        const start = ++at;
        let isDoubled = false;
        while (at < bytes.length && (bytes[at] !== quote || bytes[at + 1] === quote)) {
          if (bytes[at] === quote) isDoubled = true;
          at += bytes[at] === quote ? 2 : 1;
        }
        if (at >= bytes.length) return { starts, ends, badRows, isBad: true };
        row.push([start, isDoubled ? ~at : at]);
        at++;
        if (trim) while (bytes[at] === 32) at++;
        if (!isBreak(bytes[at]!)) return { starts, ends, badRows, isBad: true };
      } else {
        const start = at;
        while (!isBreak(bytes[at]!)) at++;
        let end = at;
        if (trim) while (end > start && bytes[end - 1] === 32) end--;
        row.push([start, end]);
      }
      code = bytes[at]!;
    }
    if (bytes[at - 1] === 13 && bytes[at] === 10) at++;
    const [[start, end]] = row as [[number, number]];
    if (row.length === 1 && start === end && (start === 0 || bytes[start - 1] !== quote)) continue;
    if (cols >= 0 && row.length !== cols) badRows.push({ at: rowStart, width: row.length });
    else {
      cols = row.length;
      starts.push(...row.map(([from]) => from));
      ends.push(...row.map(([, to]) => to));
    }
  }
  return { starts, ends, badRows, isBad: false };
}

it("finds the cells that a plain loop finds, in any dialect", () => {
  const piece = fc.constantFrom(
    "a",
    "bcd",
    "a long cell of text",
    '"',
    '""',
    "'",
    ",",
    ";",
    "\t",
    " ",
    "\r",
    "\n",
    "é",
  );
  const dialect = fc.record({
    delimiter: fc.constantFrom(44, 59, 9, 32),
    quote: fc.constantFrom(34, 39, 256),
    trim: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), dialect, (pieces, how) => {
      const text = pieces.join("");
      const plain = plainCells(text, how);
      const found = cellsOf(text, how, ({ starts, ends, badRows, badQuote }) => ({
        starts: [...starts],
        ends: [...ends],
        badRows,
        isBad: badQuote !== undefined,
      }));
      expect(found.isBad).toBe(plain.isBad);
      if (!plain.isBad) expect(found).toEqual(plain);
    }),
    { numRuns: 3000 },
  );
});

it("makes room for more cells than a sample has at first", () => {
  const row = `${Array.from({ length: 300 }, (_, j) => j).join(",")}\n`;
  const text = row.repeat(100);
  const all = plainCells(text, comma);
  const sample = cellsOf(text, comma, (cells) => ({ starts: [...cells.starts], rows: cells.rows }), 50);
  expect(sample).toEqual({ starts: all.starts.slice(0, 300 * 50), rows: 50 });
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 21n }), fc.integer({ min: 0, max: 22 }))
    .map(([digits, point]) => {
      const text = String(digits).padStart(point + 1, "0");
      return `${text.slice(0, text.length - point)}.${text.slice(text.length - point)}`;
    }),
  fc
    .tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.integer({ min: -30, max: 30 }))
    .map(([x, e]) => `${x}e${e}`),
);

it("reads numbers as Number does, to the last bit", () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), (texts) => {
      const rules = { mark: 46, exactly: false, emptyIsMissing: true };
      const read = cellsOf(`x,y\n${texts.map((text) => `0,${text}`).join("\n")}`, comma, (cells) =>
        cells.numbers(1, 1, rules, (row) => Number(texts[row])),
      );
      expect(read).toEqual(Float64Array.from(texts, Number));
    }),
    { numRuns: 2000 },
  );
});

/** Up to 18 digits, zeros in front included, with a mark anywhere or without one. */
const digits = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 18 }),
    fc.integer({ min: -1, max: 18 }),
  )
  .map(([sign, text, point]) =>
    point < 0 || point > text.length ? sign + text : `${sign}${text.slice(0, point)},${text.slice(point)}`,
  );

it("reads numbers with any sign, mark and zeros in front, of every length, wherever they stand", () => {
  fc.assert(
    fc.property(fc.array(digits, { minLength: 1, maxLength: 30 }), fc.boolean(), (texts, isAlone) => {
      const rules = { mark: 44, exactly: false, emptyIsMissing: true };
      const front = isAlone ? "" : "9;";
      let others = 0;
      const text = texts.map((cell) => front + cell).join("\n");
      const read = cellsOf(text, { ...comma, delimiter: 59 }, (cells) =>
        cells.numbers(isAlone ? 0 : 1, 0, rules, () => {
          others++;
          return undefined;
        }),
      );
      expect(others).toBe(0);
      expect(read).toEqual(Float64Array.from(texts, (cell) => Number(cell.replace(",", "."))));
    }),
    { numRuns: 2000 },
  );
});

it("reads nearly all numbers by itself, as programs print them", () => {
  // A congruential generator: doubles with all their digits.
  let state = 1;
  const numbers = Array.from({ length: 2000 }, () => {
    state = (state * 48271) % 2147483647;
    return 1000 * (state / 2147483647 - 0.5);
  });
  let others = 0;
  const rules = { mark: 46, exactly: true, emptyIsMissing: true };
  const read = cellsOf(`${numbers.join("\n")}\n`, comma, (cells) =>
    cells.numbers(0, 0, rules, (row) => {
      others++;
      return numbers[row];
    }),
  );
  expect(read).toEqual(Float64Array.from(numbers));
  expect(others).toBeLessThan(20);
});

it.each([
  ["text", "12a"],
  ["nothing but a sign", "-"],
  ["a point alone", "."],
  ["an exponent without digits", "1e"],
  ["two points", "1.2.3"],
  ["a quoted quote", '"1"""'],
  ["a leading zero", "007"],
  ["more digits than a double has", "1234567890123456"],
  ["an exponent that is out of reach", "1e400"],
])("leaves %s to the caller, and stops where it refuses", (_, text) => {
  const rules = { mark: 46, exactly: true, emptyIsMissing: false };
  const rows: number[] = [];
  const stopped = cellsOf(`1\n${text}\n2\n`, comma, (cells) =>
    cells.numbers(0, 0, rules, (row) => {
      rows.push(row);
      return undefined;
    }),
  );
  expect([stopped, rows]).toEqual([1, [1]]);
});

it("reads days as Date does, and leaves others to the caller", () => {
  const day = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(day, { minLength: 1 }), (dates) => {
      const texts = dates.map((date) => date.toISOString().slice(0, 10));
      const read = cellsOf(texts.join("\n"), comma, (cells) => cells.days(0, 0, true, () => undefined));
      expect(read).toEqual(Float64Array.from(texts, Date.parse));
    }),
  );
  for (const text of ["2023-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-1-001", "20a4-01-01"])
    expect(
      cellsOf(text, comma, (cells) => cells.days(0, 0, true, () => undefined)),
      text,
    ).toBe(0);
});

it("numbers different cells as they appear, however long and many they are", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 900 }),
      fc.integer({ min: 1, max: 400 }),
      (texts, most) => {
        const known = new Map<string, number>();
        const codes = texts.map((text) => known.get(text) ?? known.set(text, known.size).size - 1);
        const found = cellsOf(texts.map((text) => `${text},1`).join("\n"), comma, (cells) => {
          const categories = cells.categories(0, 0, most);
          return (
            categories && { codes: [...categories.codes], rows: Array.from(categories.cells, (f) => f / 2) }
          );
        });
        const first = [...known.keys()].map((text) => texts.indexOf(text));
        expect(found).toEqual(known.size > most ? undefined : { codes, rows: first });
      },
    ),
  );
});
