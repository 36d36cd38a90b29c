import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Action, reduce } from "../actions.js";
import { firstDocument, limits, type StudioDocument } from "../document.js";
import { documentOf, linkTo } from "../link.js";
import { readDocument } from "./read-document.js";

const isLegal = (document: StudioDocument | undefined): void => {
  if (document === undefined) return;
  // What was read is read the same again: nothing illegal is left.
  expect(readDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
  expect(document.models.length).toBeLessThanOrEqual(limits.models);
  expect(document.split.folds).toBeGreaterThanOrEqual(2);
  expect(document.split.folds).toBeLessThanOrEqual(limits.folds);
  expect(document.decision.threshold).toBeGreaterThanOrEqual(0);
  expect(document.decision.threshold).toBeLessThanOrEqual(1);
  if (document.source.kind === "generated") expect(document.source.rows).toBeLessThanOrEqual(limits.rows);
  if (document.source.kind === "painted")
    expect(document.source.points.length).toBeLessThanOrEqual(limits.painted);
  if (document.selected !== null) expect(document.models.map(({ id }) => id)).toContain(document.selected);
};

describe("readDocument", () => {
  test("reads every document that the studio writes", () => {
    expect(readDocument(JSON.parse(JSON.stringify(firstDocument)))).toEqual(firstDocument);
  });

  test("refuses what is not a document of this version", () => {
    for (const given of [undefined, null, 3, "x", [], {}, { version: 2 }, { version: "1" }])
      expect(readDocument(given)).toBeUndefined();
  });

  test("makes a legal document of anything else", () => {
    const keys = Object.keys(firstDocument).filter((key) => key !== "version");
    const anything = fc.record(Object.fromEntries(keys.map((key) => [key, fc.anything()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(anything, (given) => isLegal(readDocument({ ...given, version: 1 }))),
      { numRuns: 500 },
    );
  });

  test("keeps what is legal when one entry is replaced by anything", () => {
    const text = JSON.stringify(firstDocument);
    const paths = pathsOf(firstDocument);
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.oneof(fc.anything(), fc.double(), fc.constant(1e308)),
        (path, value) => {
          const given = JSON.parse(text) as StudioDocument;
          const parent = path
            .slice(0, -1)
            .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], given);
          (parent as Record<string, unknown>)[path.at(-1)!] = value;
          isLegal(readDocument(given));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Every place of a value, as keys from the root. */
function pathsOf(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  return Object.entries(value).flatMap(([key, entry]) => [[...at, key], ...pathsOf(entry, [...at, key])]);
}

describe("links", () => {
  test("hold the document", async () => {
    const document = reduce(firstDocument, { type: "setParam", id: "m2", name: "C", value: 0.25 });
    const link = await linkTo(document);
    expect(link).toMatch(/^#s=1\.[\w-]+$/);
    expect(link.length).toBeLessThan(1500);
    expect(await documentOf(link)).toEqual(document);
  });

  test("of anything else are nothing", async () => {
    expect(await documentOf("")).toBeUndefined();
    expect(await documentOf("#s=2.abc")).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        expect(await documentOf(`#s=1.${text}`)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test("that unpack to much more than a document are refused", async () => {
    const bomb = { ...firstDocument, roles: { x: "y".repeat(4_000_000) } };
    const link = await linkTo(bomb as never);
    expect(link.length).toBeLessThan(20_000);
    expect(await documentOf(link)).toBeUndefined();
  });
});

describe("reduce", () => {
  const after = (...actions: Action[]) => actions.reduce(reduce, firstDocument);

  test("there is one target and at most one group", () => {
    const { roles } = after(
      { type: "setRole", column: "island", role: "target" },
      { type: "setRole", column: "sex", role: "group" },
      { type: "setRole", column: "bodyMass", role: "group" },
    );
    const held = (role: string) => Object.keys(roles).filter((name) => roles[name] === role);
    expect([held("target"), held("group")]).toEqual([["island"], ["bodyMass"]]);
  });

  test("a new model is selected and has an id of its own; a removed one comes back where it was", () => {
    const added = after({ type: "removeModel", id: "m2" }, { type: "addModel", estimator: "GaussianNB" });
    expect(added.selected).toBe("m7");
    expect(new Set(added.models.map(({ id }) => id)).size).toBe(6);
    const [first] = firstDocument.models;
    const undone = after({ type: "removeModel", id: "m1" }, { type: "insertModel", model: first!, at: 0 });
    expect(undone.models).toEqual(firstDocument.models);
  });

  test("the selection is always a model that exists", () => {
    const actions = fc.oneof(
      fc.record({
        type: fc.constant("removeModel" as const),
        id: fc.constantFrom("m1", "m2", "m3", "m4", "m5", "m6", "m7"),
      }),
      fc.record({ type: fc.constant("addModel" as const), estimator: fc.constantFrom("SVC", "GaussianNB") }),
    );
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 40 }), (list) => {
        const { models, selected } = after(...list);
        expect(models.length === 0 ? selected : models.map(({ id }) => id).includes(selected!)).toBe(
          models.length === 0 ? null : true,
        );
        expect(models.length).toBeLessThanOrEqual(limits.models);
      }),
    );
  });

  test("a parameter that is set back leaves no trace", () => {
    const set = after(
      { type: "setParam", id: "m1", name: "C", value: 3 },
      { type: "setParam", id: "m1", name: "C", value: undefined },
    );
    expect(set.models).toEqual(firstDocument.models);
  });
});
