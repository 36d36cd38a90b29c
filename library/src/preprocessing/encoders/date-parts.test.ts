import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Table } from "../../data/table/table.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { DateParts } from "../index.js";
import { momentOf } from "./calendar.js";

const sent = [new Date("2024-02-29T23:59:58Z"), null, new Date("2023-12-31T00:00:00Z")];
const table = Table.fromColumns({ sent, id: [1, 2, 3] });

describe("momentOf", () => {
  it("has the parts that Date has, in every year", () => {
    const random = new Random(5);
    const times = [0, -1, 951782400000, -8.64e15, 8.64e15, -62198755200000];
    for (let r = 0; r < 3000; r++) times.push(Math.floor((random.uniform() - 0.5) * (r % 2 ? 8e12 : 1.7e16)));
    for (const time of times) {
      const date = new Date(time);
      const year = date.getUTCFullYear();
      const january = new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year);
      const midnight = new Date(time).setUTCHours(0, 0, 0, 0);
      // The first of January of the earliest year is not a date.
      const dayOfYear = Number.isNaN(january) ? undefined : Math.round((midnight - january) / 86_400_000) + 1;
      expect({ ...momentOf(time), time: 0, ...(dayOfYear === undefined && { dayOfYear }) }).toEqual({
        year,
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        weekday: (date.getUTCDay() + 6) % 7,
        dayOfYear,
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
        time: 0,
      });
    }
  });
});

describe("DateParts", () => {
  it("gives the parts that differ between rows, and gaps for gaps", () => {
    const model = new DateParts().fit(table.select(["sent"]));
    expect(model.featureNames()).toEqual(
      ["time", "year", "month", "day", "weekday", "hour", "minute", "second"].map((part) => `sent_${part}`),
    );
    expect(model.transform(table.select(["sent"])).toArray()).toEqual([
      [sent[0]!.getTime() / 86_400_000, 2024, 2, 29, 3, 23, 59, 58],
      new Array(8).fill(Number.NaN),
      [19722, 2023, 12, 31, 6, 0, 0, 0],
    ]);
    const days = Table.fromColumns({ day: [new Date("2024-01-01"), new Date("2024-01-03")] });
    expect(new DateParts().fit(days).parts).toEqual([["time", "day", "weekday"]]);
  });

  it("gives the parts that are asked for, in that order", () => {
    const model = new DateParts({ parts: ["month", "year", "dayOfYear"] }).fit(table.select(["sent"]));
    expect(model.transform([[0]]).toArray()).toEqual([[1, 1970, 1]]);
  });

  it("puts the end of a cycle next to its beginning", () => {
    const model = new DateParts({ parts: ["month", "year"], cyclic: true }).fit(table.select(["sent"]));
    expect(model.featureNames()).toEqual(["sent_month_sin", "sent_month_cos", "sent_year"]);
    const at = (month: number) => [...model.transform([[Date.UTC(2020, month - 1)]]).data].slice(0, 2);
    const distance = ([a, b]: number[], [c, d]: number[]) => Math.hypot(a! - c!, b! - d!);
    expect(distance(at(12), at(1))).toBeCloseTo(distance(at(6), at(7)), 12);
    expect(at(1)).toEqual([0, 1]);
    expect(at(4)[0]).toBeCloseTo(1, 15);
  });

  it("is saved with the parts that it chose", () => {
    const model = new DateParts().fit(table.select(["sent"]));
    expect(loadModel(saveModel(model)).transform!(table.select(["sent"]))).toEqual(
      model.transform(table.select(["sent"])),
    );
  });

  it("refuses what is not a date", () => {
    expect(() => new DateParts().fit(Table.fromColumns({ sent: ["monday"] }))).toThrow(
      /column "sent" must be dates, or milliseconds since 1970, got text/,
    );
    expect(() => new DateParts().fit([[1e17]])).toThrow(/column 0 of X, row 0, must be a date/);
    expect(() => new DateParts({ parts: ["months" as never] })).toThrow(/parts must be "auto", or a list of/);
  });
});
