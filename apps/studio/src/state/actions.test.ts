import { expect, it } from "vitest";
import { reduce } from "./actions.js";
import { firstDocument, type Role } from "./document.js";
import { readDocument } from "./read-document.js";

const withRoles = (...given: readonly (readonly [string, Role])[]) =>
  given.reduce(
    (document, [column, role]) => reduce(document, { type: "setRole", column, role }),
    reduce(firstDocument, { type: "load", source: firstDocument.source, roles: {}, axes: null }),
  ).roles;

it("keeps one target and one group: the one before becomes a feature", () => {
  expect(withRoles(["a", "target"], ["b", "target"])).toEqual({ b: "target" });
  expect(withRoles(["a", "group"], ["b", "group"], ["c", "target"])).toEqual({ b: "group", c: "target" });
});

it("keeps one id: the one before names no rows and is not learned from", () => {
  expect(withRoles(["a", "id"], ["b", "id"], ["c", "ignore"], ["d", "ignore"])).toEqual({
    a: "ignore",
    b: "id",
    c: "ignore",
    d: "ignore",
  });
});

it("ids survive the link", () => {
  const document = reduce(firstDocument, { type: "setRole", column: "__proto__", role: "id" });
  expect(readDocument(JSON.parse(JSON.stringify(document)))?.roles).toEqual(document.roles);
});
