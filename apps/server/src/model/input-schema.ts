import type { InputColumn, InputKind, LoadedModel, ModelCard, Samples } from "argmax";
import { ArgmaxError, Matrix } from "argmax";
import { exampleCell, tableOfCells } from "./cells.js";
import { predict } from "./prediction.js";

/** A field of a row. "any" is a column that a model without a card names but does not describe. */
export interface Field {
  readonly name: string;
  readonly kind: InputKind | "any";
  /** Whether the model predicts rows in which the entry is missing. */
  readonly nullable: boolean;
  /** Whether every row must name it; a field that had gaps in the training rows, too, may be left out instead of null. */
  readonly required: boolean;
  readonly categories?: readonly string[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly example?: string | number | boolean | undefined;
}

/** What X is made of rows: numbers in a matrix, columns of a table, or documents. */
export type InputForm = "matrix" | "table" | "text";

export interface InputSchema {
  readonly form: InputForm;
  readonly fields: readonly Field[];
}

/** More fields than these are probed for missing entries all at once: one prediction each would make loading slow. */
const MOST_PROBES = 64;

/** The fields of a model: those of its card, or else what the model itself stores. Throws if the two do not fit. */
export function inputSchema(model: LoadedModel, card: ModelCard | undefined): InputSchema {
  const form = inputForm(model, card);
  const columns = card ? columnsOfCard(model, card, form) : columnsOfModel(model, form);
  const described = {
    form,
    fields: columns.map((column) => ({ ...column, nullable: false, required: true })),
  };
  if (form === "text") return described;
  const schema = card === undefined && form === "table" ? withExamples(model, described) : described;
  const accepted = nullableFields(model, schema);
  const fields = schema.fields.map((field, j) => ({
    ...field,
    nullable: accepted[j]!,
    required: !(accepted[j] && field.missing === true),
  }));
  return { form, fields };
}

type FieldColumn = Omit<InputColumn, "kind" | "missing"> & {
  readonly kind: Field["kind"];
  readonly missing?: boolean;
};

function inputForm(model: LoadedModel, card: ModelCard | undefined): InputForm {
  if (model.featureNamesIn === undefined && accepts(model, ["a few words"])) return "text";
  if (card === undefined) return model.featureNamesIn === undefined ? "matrix" : "table";
  // A matrix is faster to make, but some transformers of named columns take nothing else than a table.
  const isNumeric = card.inputs.every(({ kind }) => kind === "numeric");
  const example = card.inputs.map((input) => exampleCell({ ...input, nullable: false, required: true }));
  return isNumeric && accepts(model, rowMatrix(example)) ? "matrix" : "table";
}

function columnsOfCard(model: LoadedModel, { inputs }: ModelCard, form: InputForm): readonly FieldColumn[] {
  const width = form === "text" ? 1 : model.nFeatures;
  if (inputs.length !== width)
    throw new Error(`The card has ${inputs.length} inputs, but the model takes ${width}.`);
  const known = model.featureNamesIn;
  if (known === undefined) return inputs;
  return known.map((name) => {
    const column = inputs.find((input) => input.name === name);
    if (column === undefined) throw new Error(`The card has no input ${JSON.stringify(name)}.`);
    return column;
  });
}

function columnsOfModel({ featureNamesIn, nFeatures }: LoadedModel, form: InputForm): readonly FieldColumn[] {
  if (form === "text") return [{ name: "text", kind: "text" }];
  if (featureNamesIn) return featureNamesIn.map((name) => ({ name, kind: "any" }));
  return Array.from({ length: nFeatures }, (_, j) => ({ name: `x${j}`, kind: "numeric" }));
}

/**
 * Columns that a model without a card names may hold numbers or text. The error of a model names the column that must be text: these
 * get an example of text.
 */
function withExamples<F extends Field>(model: LoadedModel, schema: { form: InputForm; fields: F[] }) {
  let { fields } = schema;
  for (let tries = 0; tries < fields.length; tries++) {
    try {
      predict(model, tableOfCells(fields, [fields.map((field) => exampleCell(field))]), {
        probabilities: false,
      });
      break;
    } catch (error) {
      const subject = error instanceof ArgmaxError ? error.subject : "";
      fields = fields.map((field) =>
        subject.startsWith(`column ${JSON.stringify(field.name)}`) ? { ...field, example: "a" } : field,
      );
    }
  }
  return { ...schema, fields };
}

/** Whether the model computes something for X. The answer is that of the model, not of a list of classes. */
function accepts(model: LoadedModel, x: Samples): boolean {
  try {
    predict(model, x, { probabilities: false });
    return true;
  } catch {
    return false;
  }
}

/** Per field, whether a row with a gap there is accepted. */
function nullableFields(model: LoadedModel, { form, fields }: InputSchema): boolean[] {
  const example = fields.map((field) => exampleCell(field));
  const probe = (isGap: (j: number) => boolean) => {
    const cells = example.map((cell, j) => (isGap(j) ? null : cell));
    return accepts(model, form === "matrix" ? rowMatrix(cells) : tableOfCells(fields, [cells]));
  };
  if (form === "matrix" || fields.length > MOST_PROBES) return fields.map(always(probe(() => true)));
  return fields.map((_, gap) => probe((j) => j === gap));
}

const always =
  <T>(value: T) =>
  (): T =>
    value;

const rowMatrix = (cells: readonly unknown[]): Matrix =>
  new Matrix(
    Float64Array.from(cells, (cell) => (typeof cell === "number" ? cell : Number.NaN)),
    1,
    cells.length,
  );
