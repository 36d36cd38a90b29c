import { type Role, roles } from "../../data/roles.js";
import { includedSets, type PaintedPoint, type Source, shapes } from "../../data/source.js";
import type { Split } from "../../work/protocol.js";
import type {
  Board,
  Cascade,
  CascadeStage,
  Decision,
  Layer,
  ModelEntry,
  StudioDocument,
  View,
} from "../document.js";
import { boardColumns, decisionRules, firstDocument, layers, limits, screens } from "../document.js";
import { readParam } from "./read-param.js";
import { integer, listOf, namesOf, number, oneOf, recordOf, textOf } from "./read-values.js";

/**
 * A document from a link or a file, which anybody may have written: what is not legal becomes the default, numbers are clamped, lists cut.
 * Undefined if it is not a document at all.
 */
export function readDocument(given: unknown): StudioDocument | undefined {
  const from = recordOf(given);
  if (from?.["version"] !== 1) return undefined;
  const first = firstDocument;
  const models = listOf(from["models"], limits.models).flatMap(readModel);
  const unique = models.filter(({ id }, i) => models.findIndex((other) => other.id === id) === i);
  const selected = textOf(from["selected"]);
  return {
    version: 1,
    screen: oneOf(from["screen"], screens, first.screen),
    source: readSource(from["source"]) ?? first.source,
    kinds: namesOf(from["kinds"], limits.names, (kind) =>
      oneOf(kind, ["number", "category", "text"] as const, undefined),
    ),
    roles: namesOf(from["roles"], limits.names, (role) => oneOf<Role, undefined>(role, roles, undefined)),
    split: readSplit(from["split"]),
    axes: readAxes(from["axes"]),
    models: unique,
    selected: unique.some(({ id }) => id === selected) ? selected! : (unique[0]?.id ?? null),
    board: readBoard(from["board"], unique),
    view: readView(from["view"]),
    decision: readDecision(from["decision"]),
    cascade: readCascade(from["cascade"]),
    story: readStory(from["story"]),
  };
}

function readSource(given: unknown): Source | undefined {
  const from = recordOf(given) ?? {};
  switch (from["kind"]) {
    case "included":
      return { kind: "included", name: oneOf(from["name"], includedSets, "penguins") };
    case "generated":
      return {
        kind: "generated",
        shape: oneOf(from["shape"], shapes, "moons"),
        rows: integer(from["rows"], 10, limits.rows, 200),
        noise: number(from["noise"], 0, 2, 0.2),
        balance: number(from["balance"], 0.02, 0.98, 0.5),
        seed: integer(from["seed"], 0, 2 ** 31, 0),
      };
    case "painted": {
      const points = listOf(from["points"], limits.painted).flatMap((point): PaintedPoint[] => {
        const [x, y, label] = listOf(point, 3);
        return [[number(x, 0, 1, 0), number(y, 0, 1, 0), integer(label, 0, 7, 0)]];
      });
      return { kind: "painted", points };
    }
    case "file": {
      const sha256 = textOf(from["sha256"]) ?? "";
      const name = textOf(from["name"]) ?? "table.csv";
      return { kind: "file", name, sha256, rows: integer(from["rows"], 0, 2 ** 31, 0) };
    }
  }
  return undefined;
}

function readSplit(given: unknown): Split {
  const from = recordOf(given) ?? {};
  const { kind, folds, seed } = firstDocument.split;
  return {
    kind: oneOf(from["kind"], ["folds", "holdout", "groups", "time"] as const, kind),
    folds: integer(from["folds"], 2, limits.folds, folds),
    seed: integer(from["seed"], 0, 2 ** 31, seed),
  };
}

function readModel(given: unknown): ModelEntry[] {
  const from = recordOf(given) ?? {};
  const id = textOf(from["id"]);
  const estimator = textOf(from["estimator"]);
  if (id === undefined || estimator === undefined || !/^\w{1,20}$/.test(id) || !/^\w{1,60}$/.test(estimator))
    return [];
  return [{ id, estimator, params: namesOf(from["params"], limits.names, readParam) }];
}

function readAxes(given: unknown): StudioDocument["axes"] {
  const [x, y] = listOf(given, 2).map(textOf);
  return x === undefined || y === undefined ? null : [x, y];
}

function readView(given: unknown): View {
  const from = recordOf(given) ?? {};
  const on = recordOf(from["layers"]) ?? {};
  const first = firstDocument.view;
  const flags = layers.map((layer) => [
    layer,
    typeof on[layer] === "boolean" ? on[layer] : first.layers[layer],
  ]);
  return {
    layers: Object.fromEntries(flags) as Record<Layer, boolean>,
    step: from["step"] === null || from["step"] === undefined ? null : integer(from["step"], 0, 1e6, 0),
    row: from["row"] === null || from["row"] === undefined ? null : integer(from["row"], 0, 2 ** 31, 0),
    plane: oneOf(from["plane"], ["slice", "projection"] as const, first.plane),
  };
}

function readBoard(given: unknown, models: readonly ModelEntry[]): Board {
  const from = recordOf(given) ?? {};
  const ids = (list: unknown, most: number) => {
    const named = new Set(listOf(list, limits.models).map(textOf));
    return [...named].filter((id) => models.some((model) => model.id === id)).slice(0, most) as string[];
  };
  return {
    sort: oneOf(from["sort"], boardColumns, firstDocument.board.sort),
    reversed: from["reversed"] === true,
    pinned: ids(from["pinned"], limits.models),
    compared: ids(from["compared"], limits.compared),
  };
}

function readDecision(given: unknown): Decision {
  const from = recordOf(given) ?? {};
  return {
    positive: integer(from["positive"], 0, 1000, 1),
    threshold: number(from["threshold"], 0, 1, 0.5),
    costFalsePositive: number(from["costFalsePositive"], 0, 1e6, 1),
    costFalseNegative: number(from["costFalseNegative"], 0, 1e6, 1),
    rule: oneOf(from["rule"], decisionRules, "likeliest"),
  };
}

function readCascade(given: unknown): Cascade {
  const from = recordOf(given) ?? {};
  const stages = listOf(from["stages"], limits.stages).flatMap((stage): CascadeStage[] => {
    const one = recordOf(stage);
    const model = textOf(one?.["model"]);
    if (one === undefined || model === undefined) return [];
    const cost = one["cost"] === null ? null : number(one["cost"], 0, 1e9, 1);
    const low = number(one["low"], 0, 1, 0.2);
    return [{ model, cost, low, high: number(one["high"], low, 1, Math.max(low, 0.8)) }];
  });
  const { budget } = from;
  return { stages, budget: typeof budget === "number" ? number(budget, 0, 1e12, 0) : null };
}

function readStory(given: unknown): StudioDocument["story"] {
  const from = recordOf(given);
  const name = textOf(from?.["name"]);
  return name === undefined ? null : { name, page: integer(from!["page"], 0, 100, 0) };
}
