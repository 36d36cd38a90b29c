import { expect, it } from "vitest";
import type { Role } from "../data/roles.js";
import { type Action, reduce } from "./actions.js";
import { firstDocument } from "./document.js";
import { readDocument } from "./read/read-document.js";

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

it("compares at most four models, and forgets what was marked with the models", () => {
  const act = (document: typeof firstDocument, ...actions: readonly Action[]) =>
    actions.reduce(reduce, document);
  const ticked = act(
    firstDocument,
    ...["m1", "m2", "m3", "m4", "m5"].map((id): Action => ({ type: "compare", id, on: true })),
    { type: "pin", id: "m2", on: true },
  );
  expect(ticked.board.compared).toEqual(["m1", "m2", "m3", "m4"]);
  const removed = reduce(ticked, { type: "removeModel", id: "m2" });
  expect([removed.board.compared, removed.board.pinned]).toEqual([["m1", "m3", "m4"], []]);
  const model = ticked.models[1]!;
  const undone = reduce(removed, { type: "insertModel", model, at: 1, board: ticked.board });
  expect(undone.board).toEqual(ticked.board);
  const replaced = reduce(ticked, { type: "setModels", models: ticked.models });
  expect([replaced.board.compared, replaced.board.pinned]).toEqual([[], []]);
});

it("a model that comes back has an id and marks of its own; no new one takes the place of a member", () => {
  const model = firstDocument.models[5]!;
  const removed = reduce(firstDocument, { type: "removeModel", id: "m6" });
  const added = reduce(removed, { type: "addModel", estimator: "GaussianNB" });
  const board = { ...firstDocument.board, pinned: ["m6"] };
  const undone = reduce(added, { type: "insertModel", model, at: 5, board });
  expect(undone.models.slice(5).map(({ id, estimator }) => [id, estimator])).toEqual([
    ["m7", "MLPClassifier"],
    ["m6", "GaussianNB"],
  ]);
  expect([undone.selected, undone.board.pinned]).toEqual(["m7", ["m7"]]);

  const params = { estimators: [{ model: "m1" }, { model: "m7" }] };
  const vote = reduce(removed, { type: "addModel", estimator: "VotingClassifier", params });
  expect(reduce(vote, { type: "addModel", estimator: "GaussianNB" }).selected).toBe("m8");
});

it("a model that comes back leaves alone what was ticked and sorted since", () => {
  const act = (document: typeof firstDocument, ...actions: readonly Action[]) =>
    actions.reduce(reduce, document);
  const tick = (id: string): Action => ({ type: "compare", id, on: true });
  const before = act(firstDocument, tick("m1"), tick("m2"));
  const since = act(before, { type: "removeModel", id: "m1" }, tick("m3"), { type: "sortBoard", by: "size" });
  const back: Action = { type: "insertModel", model: before.models[0]!, at: 0, board: before.board };
  const { sort, compared } = reduce(since, back).board;
  expect([sort, compared]).toEqual(["size", ["m1", "m2", "m3"]]);
  const full = act(since, tick("m4"), tick("m5"));
  expect(reduce(full, back).board.compared).toEqual(["m2", "m3", "m4", "m5"]);
});

it("sorts by a column from the best on, and the other way round when asked again", () => {
  const once = reduce(firstDocument, { type: "sortBoard", by: "fit" });
  expect(once.board).toMatchObject({ sort: "fit", reversed: false });
  const twice = reduce(once, { type: "sortBoard", by: "fit" });
  expect(twice.board).toMatchObject({ sort: "fit", reversed: true });
  expect(reduce(twice, { type: "sortBoard", by: "score" }).board.reversed).toBe(false);
});

it("a link names models to compare that exist, each once and no more than four", () => {
  const board = {
    sort: "constructor",
    reversed: "yes",
    pinned: ["m9", "m1", "m1", { id: "m2" }],
    compared: ["m6", "m6", "m5", "m4", "m3", "m2"],
  };
  const read = readDocument(JSON.parse(JSON.stringify({ ...firstDocument, board })));
  expect(read?.board).toEqual({
    sort: "score",
    reversed: false,
    pinned: ["m1"],
    compared: ["m6", "m5", "m4", "m3"],
  });
});

it("ids survive the link", () => {
  const document = reduce(firstDocument, { type: "setRole", column: "__proto__", role: "id" });
  expect(readDocument(JSON.parse(JSON.stringify(document)))?.roles).toEqual(document.roles);
});
