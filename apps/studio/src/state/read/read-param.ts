import { limits } from "../document.js";
import type { EventBlock, HiddenLayer, NamedPart, ParamValue, Part, Stage } from "../param-value.js";
import { activationNames, eventModels, hiddenLayers } from "../param-value.js";
import { integer, listOf, namesOf, number, oneOf, recordOf, textOf } from "./read-values.js";

/** The value of a parameter; undefined where it is not legal. What a list of estimators refers to is checked when it is resolved. */
export function readParam(value: unknown): ParamValue | undefined {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return readNumber(value);
  if (typeof value === "string") return value.slice(0, 200);
  if (!Array.isArray(value)) return readPart(value) ?? readNamedPart(value);
  for (const { read, most } of entries) {
    const list = value.slice(0, most).map(read);
    if (list.length > 0 && list.every((entry) => entry !== undefined)) return list as unknown as ParamValue;
  }
  return undefined;
}

/** What lists may consist of. */
const entries: readonly { readonly read: (value: unknown) => unknown; readonly most: number }[] = [
  { read: readNumber, most: 20 },
  { read: textOf, most: limits.columns },
  { read: readRow, most: 20 },
  { read: readPart, most: limits.parts },
  { read: readStage, most: limits.parts },
  { read: readBlock, most: limits.parts },
  { read: readLayer, most: limits.parts },
];

/** A link writes −0 as 0. */
function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined;
}

function readRow(value: unknown): readonly number[] | undefined {
  const row = listOf(value, 20).map(readNumber);
  return row.length > 0 && row.every((entry) => entry !== undefined) ? row : undefined;
}

function readPart(value: unknown): Part | undefined {
  const { estimator, model } = recordOf(value) ?? {};
  if (typeof model === "string" && /^\w{1,20}$/.test(model)) return { model };
  return typeof estimator === "string" && /^\w{1,60}$/.test(estimator) ? { estimator } : undefined;
}

function readNamedPart(value: unknown): NamedPart | undefined {
  const { name, settings } = recordOf(value) ?? {};
  if (typeof name !== "string" || !/^\w{1,60}$/.test(name)) return undefined;
  return { name, settings: namesOf(settings, 10, readNumber) };
}

function readStage(value: unknown): Stage | undefined {
  const from = recordOf(value) ?? {};
  const part = readPart(from["part"]);
  if (part === undefined) return undefined;
  const { sensitivity } = from;
  return {
    part,
    columns: columnsOf(from["columns"]),
    cost: number(from["cost"], 0, 1e9, 1),
    sensitivity: typeof sensitivity === "number" ? number(sensitivity, 0.001, 1, 1) : null,
  };
}

function readBlock(value: unknown): EventBlock | undefined {
  const from = recordOf(value) ?? {};
  const event = oneOf(from["event"], eventModels, undefined);
  return event === undefined ? undefined : { event, columns: columnsOf(from["columns"]) };
}

function readLayer(value: unknown): HiddenLayer | undefined {
  const from = recordOf(value) ?? {};
  const layer = oneOf(from["layer"], hiddenLayers, undefined);
  if (layer === "dense") {
    const activation = oneOf(from["activation"], activationNames, "relu");
    return { layer, units: integer(from["units"], 1, 4096, 16), activation };
  }
  if (layer === "dropout") return { layer, rate: number(from["rate"], 0, 0.95, 0.2) };
  return layer === undefined ? undefined : { layer };
}

const columnsOf = (value: unknown): readonly string[] =>
  listOf(value, limits.columns).flatMap((name) => textOf(name) ?? []);
