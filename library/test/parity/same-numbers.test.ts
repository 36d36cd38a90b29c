import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { differences } from "../deep/same-numbers.js";

const folder = new URL("./fixtures/", import.meta.url);
const fixture = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

/** Every number moved by a fraction of itself. */
const moved = (value: unknown, by: number): unknown =>
  JSON.parse(JSON.stringify(value), (_, entry) => (typeof entry === "number" ? entry * (1 + by) : entry));

describe("fixtures that are written anew", () => {
  // Documents have no numbers.
  const numeric = readdirSync(folder).filter((name) => name !== "text-documents.json");

  it.each(numeric)("%s: are the same within an oracle's rounding, and not beyond", (name) => {
    const committed = fixture(name);
    expect(differences(committed, fixture(name))).toEqual([]);
    expect(differences(committed, moved(committed, 1e-8) as never)).toEqual([]);
    expect(differences(committed, moved(committed, 1e-3) as never)).not.toEqual([]);
  });

  it("differ in structure, text and truth values exactly", () => {
    const committed = { name: "a", cases: [{ x: [1, 2], fine: true }] };
    const found = (anew: unknown) => differences(committed, anew as never);
    expect(found({ ...committed, name: "b" })).toEqual(['.name: "a" is now "b"']);
    expect(found({ name: "a", cases: [] })).toEqual([".cases: 1 entries are now 0"]);
    expect(found({ name: "a", cases: [{ x: [1, 2], fine: false }] })).toEqual([
      ".cases[0].fine: true is now false",
    ]);
    expect(found({ name: "a", cases: [{ x: [1, 2] }] })).toEqual([
      ".cases[0].fine: only in the committed one",
    ]);
    expect(found({ name: "a", cases: [{ x: [1, null], fine: true }] })).toEqual([
      ".cases[0].x[1]: 2 is now null",
    ]);
    expect(found({ name: "a", cases: [{ x: [1, 2.1], fine: true }] })).toEqual([
      ".cases[0].x[1]: 2 is now 2.1",
    ]);
  });

  it("compare the numbers of a text of several lines like others, and its words exactly", () => {
    const model = "svm_type c_svc\nrho 0.25\n1 1:0.5 2:-1\n";
    expect(differences(model, model.replace("0.25", "0.250000001"))).toEqual([]);
    expect(differences(model, model.replace("0.25", "0.26"))).toHaveLength(1);
    expect(differences(model, model.replace("c_svc", "nu_svc"))).toHaveLength(1);
    expect(differences(model, model.replace(" 2:-1", ""))).toHaveLength(1);
  });

  it("measure small entries of a list by its largest, and rounding of 0 not at all", () => {
    expect(differences([1e3, 1e-9], [1e3, 2e-9])).toEqual([]);
    expect(differences({ objective: 1.46e-27 }, { objective: 1.41e-27 })).toEqual([]);
    expect(differences({ objective: 1.46e-3 }, { objective: 1.41e-3 })).toHaveLength(1);
  });
});
