import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormatError, ParameterError } from "../core/errors.js";
import { firstInvalid } from "./encoding.js";
import { type CsvGuess, parseCsv } from "./index.js";

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, little: boolean) =>
  Uint8Array.from(
    [...text].flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return little ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );

describe("the encoding of bytes", () => {
  const names = "Name,Age\nMüller,31\nMöller,45\n";

  it("bytes that are not UTF-8 are an error that names the encoding that they look like", () => {
    expect(() => parseCsv(latin1(names))).toThrow(FormatError);
    expect(() => parseCsv(latin1(names))).toThrow(
      'parseCsv: the text in line 2 must be UTF-8, got the byte 0xFC, as Windows-1252 (Latin-1) has it ("Müller,31"). ' +
        'Pass { encoding: "windows-1252" } if that is right, or save the file as UTF-8.',
    );
    expect(() => parseCsv(latin1(names), { encoding: "utf-8" })).toThrow(/must be UTF-8/);
  });

  it("the option reads them, and no two names become one", () => {
    const table = parseCsv(latin1(names), { encoding: "windows-1252" });
    expect(table.toRows()).toEqual([
      { Name: "Müller", Age: 31 },
      { Name: "Möller", Age: 45 },
    ]);
    // Every byte of Windows-1252 that Latin-1 has no letter for, as its table has it.
    const upper = Uint8Array.from([0x61, 0x0a, ...Array.from({ length: 32 }, (_, k) => 0x80 + k), 0x0a]);
    expect(parseCsv(upper, { encoding: "windows-1252" }).toRows()).toEqual([
      { a: "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ" },
    ]);
    expect(parseCsv(Uint8Array.of(0x61, 0x0a, 0xa4, 0x0a), { encoding: "iso-8859-15" }).toRows()).toEqual([
      { a: "€" },
    ]);
  });

  it("UTF-16 is read with a mark, without one it is guessed, and the guess says so", () => {
    for (const little of [true, false]) {
      let guess: CsvGuess | undefined;
      const onGuess = (found: CsvGuess) => {
        guess = found;
      };
      const expected = [
        { Name: "Müller", Age: 31 },
        { Name: "Möller", Age: 45 },
      ];
      expect(parseCsv(utf16(`\ufeff${names}`, little), { onGuess }).toRows()).toEqual(expected);
      expect([guess!.encoding, guess!.encodingGuessed]).toEqual([little ? "utf-16le" : "utf-16be", false]);
      expect(parseCsv(utf16(names, little), { onGuess }).toRows()).toEqual(expected);
      expect(guess!.encodingGuessed).toBe(true);
      expect(String(guess)).toContain("(guessed)");
    }
  });

  it("UTF-16 that begins with other letters is an error that says so", () => {
    const text = utf16("名,a\nü,1\n".repeat(20), true);
    expect(() => parseCsv(text)).toThrow(/as UTF-16 has it/);
    expect(parseCsv(text, { encoding: "utf-16le" }).columnNames).toEqual(["名", "a"]);
  });

  it("an unknown name is an error", () => {
    expect(() => parseCsv(latin1("a\n1"), { encoding: "latin-99" })).toThrow(ParameterError);
    expect(() => parseCsv(latin1("a\n1"), { encoding: "latin-99" })).toThrow(
      /encoding must be one that TextDecoder knows/,
    );
  });

  it("finds what TextDecoder finds", () => {
    const strict = new TextDecoder("utf-8", { fatal: true });
    const isValid = (bytes: Uint8Array) => {
      try {
        strict.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0x80, 0xa0, 0xbf),
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 12 }),
        fc.array(byte, { maxLength: 6 }),
        fc.string({ unit: "binary", maxLength: 8 }),
        (a, b, text) => {
          const bytes = Uint8Array.from([...new TextEncoder().encode(text), ...b, ...a]);
          const at = firstInvalid(bytes);
          expect(at < 0).toBe(isValid(bytes));
          if (at >= 0) expect(isValid(bytes.subarray(0, at))).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("Excel's first line", () => {
  it.each(["sep=;\n", "sep=;\r\n", '"sep=;"\r\n', "\ufeffsep=;\n", "SEP=;\n"])(
    "%j says what divides cells",
    (line) => {
      const table = parseCsv(`${line}a;b\n1,5;x\n2,5;y\n`);
      expect(table.toRows()).toEqual([
        { a: 1.5, b: "x" },
        { a: 2.5, b: "y" },
      ]);
    },
  );

  it("counts as a line in errors, and may name a delimiter that is not guessed", () => {
    expect(parseCsv("sep=^\na^b\n1^2\n").toRows()).toEqual([{ a: 1, b: 2 }]);
    expect(() => parseCsv("sep=;\na;b\n1;2\n3\n")).toThrow(/line 4 must be 2 cells/);
  });
});

describe("years as names", () => {
  const names = (text: string) => parseCsv(text).columnNames;
  it("above other numbers, beside a name above text", () => {
    expect(names("country,1990,2000\nNorway,4241,4491\nItaly,56719,56942\n")).toEqual([
      "country",
      "1990",
      "2000",
    ]);
    expect(names("country,code,2001,2000\nNorway,NO,4.2,4.4\n")).toEqual(["country", "code", "2001", "2000"]);
    expect(names("country;1990;2000\nNorway;4,2;\n")).toEqual(["country", "1990", "2000"]);
  });

  it("not where the rows below have years too, nor above numbers alone, nor one number", () => {
    const plain = (text: string) => expect(names(text)[0]).toBe("column1");
    plain("Norway,1990,2000\nItaly,1991,2003\n");
    plain("1990,2000\n1,2\n3,4\n");
    plain("rent,1900\nfood,300\n");
    plain("rent,1200,1300\nfood,300,320\n");
    plain("1,2,3\n4,5,6\n");
    plain("Norway,2000,1990,2010\nItaly,1,2,3\n");
  });
});
