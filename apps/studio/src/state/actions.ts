import type { Role } from "../data/roles.js";
import type { Source } from "../data/source.js";
import type { ColumnKind } from "../data/table.js";
import type { Split } from "../work/protocol.js";
import {
  type Board,
  type BoardColumn,
  type Cascade,
  type Decision,
  type Layer,
  limits,
  type ModelEntry,
  type ParamValue,
  type Screen,
  type StudioDocument,
  type View,
} from "./document.js";
import { modelsIn } from "./param-value.js";

export type Action =
  | { readonly type: "show"; readonly screen: Screen }
  | { readonly type: "open"; readonly document: StudioDocument }
  | {
      readonly type: "load";
      readonly source: Source;
      readonly roles: Readonly<Record<string, Role>>;
      readonly axes: readonly [string, string] | null;
      /** Of the pictures; a slice unless given. */
      readonly plane?: View["plane"];
      /** Models for another task than before. */
      readonly models?: readonly ModelEntry[];
    }
  | { readonly type: "setRole"; readonly column: string; readonly role: Role }
  | { readonly type: "setRoles"; readonly columns: readonly string[]; readonly role: "feature" | "ignore" }
  | { readonly type: "setKind"; readonly column: string; readonly kind: ColumnKind }
  | { readonly type: "setSplit"; readonly split: Partial<Split> }
  | { readonly type: "setAxes"; readonly axes: readonly [string, string] | null }
  | { readonly type: "addModel"; readonly estimator: string; readonly params?: ModelEntry["params"] }
  | {
      readonly type: "insertModel";
      readonly model: ModelEntry;
      readonly at: number;
      /** As it was when the model was there: what marked it then marks it again. */
      readonly board?: Board;
    }
  | { readonly type: "removeModel"; readonly id: string }
  | { readonly type: "setModels"; readonly models: readonly ModelEntry[] }
  | {
      readonly type: "setParam";
      readonly id: string;
      readonly name: string;
      readonly value: ParamValue | undefined;
    }
  | { readonly type: "select"; readonly id: string }
  | { readonly type: "sortBoard"; readonly by: BoardColumn }
  | { readonly type: "pin"; readonly id: string; readonly on: boolean }
  | { readonly type: "compare"; readonly id: string; readonly on: boolean }
  | { readonly type: "compareNone" }
  | { readonly type: "setView"; readonly view: Partial<View> }
  | { readonly type: "setLayer"; readonly layer: Layer; readonly on: boolean }
  | { readonly type: "setDecision"; readonly decision: Partial<Decision> }
  | { readonly type: "setCascade"; readonly cascade: Partial<Cascade> }
  | { readonly type: "setStory"; readonly story: StudioDocument["story"] };

/** The document after an action; the same object where nothing changes. */
export function reduce(document: StudioDocument, action: Action): StudioDocument {
  switch (action.type) {
    case "show":
      return { ...document, screen: action.screen };
    case "open":
      return action.document;
    case "load": {
      const { source, roles, axes } = action;
      const models = action.models ?? document.models;
      const selected = models.some(({ id }) => id === document.selected)
        ? document.selected
        : (models[0]?.id ?? null);
      const view = { ...document.view, row: null, step: null, plane: action.plane ?? "slice" };
      const board = action.models === undefined ? document.board : withoutMarks(document.board);
      return { ...document, source, roles, axes, models, selected, board, view, kinds: {} };
    }
    case "setRole":
      return { ...document, ...withRole(document, action.column, action.role) };
    case "setRoles": {
      const changes = action.columns.map((column): [string, Role] => [column, action.role]);
      const others = Object.entries(document.roles);
      return { ...document, roles: Object.fromEntries([...others, ...changes]) };
    }
    case "setKind":
      // A computed key is an own property even if it is `__proto__`.
      return { ...document, kinds: { ...document.kinds, [action.column]: action.kind } };
    case "setSplit":
      return { ...document, split: { ...document.split, ...action.split } };
    case "setAxes":
      return { ...document, axes: action.axes, view: { ...document.view, row: null } };
    case "addModel": {
      const { models } = document;
      if (models.length >= limits.models) return document;
      const model = { id: nextId(document), estimator: action.estimator, params: action.params ?? {} };
      return { ...document, models: [...models, model], selected: model.id };
    }
    case "insertModel": {
      if (document.models.length >= limits.models) return document;
      const { board, models } = document;
      const isTaken = models.some(({ id }) => id === action.model.id);
      const model = isTaken ? { ...action.model, id: nextId(document) } : action.model;
      const marks = (key: "pinned" | "compared", most: number) =>
        markedAgain(board[key], action.board?.[key].indexOf(action.model.id) ?? -1, model.id, most);
      return {
        ...document,
        models: models.toSpliced(action.at, 0, model),
        selected: model.id,
        board: {
          ...board,
          pinned: marks("pinned", limits.models),
          compared: marks("compared", limits.compared),
        },
      };
    }
    case "removeModel": {
      const models = document.models.filter(({ id }) => id !== action.id);
      const selected = document.selected === action.id ? (models[0]?.id ?? null) : document.selected;
      const { pinned, compared } = document.board;
      const others = (ids: readonly string[]) => ids.filter((id) => id !== action.id);
      const board = { ...document.board, pinned: others(pinned), compared: others(compared) };
      return { ...document, models, selected, board };
    }
    case "setModels": {
      const { models } = action;
      return { ...document, models, selected: models[0]?.id ?? null, board: withoutMarks(document.board) };
    }
    case "setParam":
      return {
        ...document,
        models: document.models.map((model) =>
          model.id === action.id
            ? { ...model, params: withParam(model.params, action.name, action.value) }
            : model,
        ),
      };
    case "select":
      return { ...document, selected: action.id, view: { ...document.view, step: null } };
    case "sortBoard": {
      const { sort, reversed } = document.board;
      const board = { ...document.board, sort: action.by, reversed: sort === action.by && !reversed };
      return { ...document, board };
    }
    case "pin": {
      const pinned = marked(document.board.pinned, action.id, action.on, limits.models);
      return { ...document, board: { ...document.board, pinned } };
    }
    case "compare": {
      const compared = marked(document.board.compared, action.id, action.on, limits.compared);
      return { ...document, board: { ...document.board, compared } };
    }
    case "compareNone":
      return { ...document, board: { ...document.board, compared: [] } };
    case "setView":
      return { ...document, view: { ...document.view, ...action.view } };
    case "setLayer": {
      const layers = { ...document.view.layers, [action.layer]: action.on };
      return { ...document, view: { ...document.view, layers } };
    }
    case "setDecision":
      return { ...document, decision: { ...document.decision, ...action.decision } };
    case "setCascade":
      return { ...document, cascade: { ...document.cascade, ...action.cascade } };
    case "setStory":
      return { ...document, story: action.story };
  }
}

/** There is one target, at most one group and at most one id. A target or group before becomes a feature; an id before is left out. */
function withRole({ roles }: StudioDocument, column: string, role: Role): Pick<StudioDocument, "roles"> {
  const others = Object.entries(roles).flatMap(([name, other]): [string, Role][] => {
    if (other !== role || role === "ignore" || role === "feature") return [[name, other]];
    return role === "id" ? [[name, "ignore"]] : [];
  });
  return { roles: { ...Object.fromEntries(others), [column]: role } };
}

function withParam(
  params: ModelEntry["params"],
  name: string,
  value: ParamValue | undefined,
): ModelEntry["params"] {
  const { [name]: _, ...others } = params;
  return value === undefined ? others : { ...others, [name]: value };
}

const withoutMarks = (board: Board): Board => ({ ...board, pinned: [], compared: [] });

/** The ids with or without one; no more than `most`. */
function marked(ids: readonly string[], id: string, on: boolean, most: number): readonly string[] {
  const others = ids.filter((other) => other !== id);
  return on ? [...others, id].slice(0, most) : others;
}

/** The ids with one that was `at` this place among them before (−1: nowhere); no more than `most`. */
function markedAgain(ids: readonly string[], at: number, id: string, most: number): readonly string[] {
  return at < 0 || ids.length >= most ? ids : ids.toSpliced(at, 0, id);
}

/** An id that no model has, and none that votes, stacks or stages still ask for: they must not be made of another model unasked. */
function nextId({ models, cascade }: StudioDocument): string {
  const taken = new Set([
    ...models.map(({ id }) => id),
    ...models.flatMap(({ params }) => Object.values(params).flatMap(modelsIn)),
    ...cascade.stages.map(({ model }) => model),
  ]);
  let number = models.length + 1;
  while (taken.has(`m${number}`)) number++;
  return `m${number}`;
}
