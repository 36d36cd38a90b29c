import { ArgmaxError, type Column, type Table } from "argmax";
import { Failure } from "../command.js";
import { columnsOf } from "../data/columns.js";
import { inputNames, type OpenedModel } from "../model-file.js";

/** The columns of the data that a model reads. */
interface Inputs {
  /** Undefined if the model does not know names: then the columns of numbers, in their order. */
  readonly names: readonly string[] | undefined;
  of(batch: Table): Table;
}

/** `asked` are the columns of a model that knows no names. */
export function inputsOf(path: string, opened: OpenedModel, asked: readonly string[] | undefined): Inputs {
  const names = inputNames(opened);
  if (names !== undefined) return { names, of: (batch) => batch.select([...names]) };
  const { nFeatures } = opened.model as { readonly nFeatures?: number };
  return {
    names,
    of(batch) {
      const numbers = columnsOf(asked === undefined ? batch : batch.select([...asked])).filter(
        ([, { kind }]) => kind === "numeric" || kind === "boolean",
      );
      if (nFeatures !== undefined && numbers.length !== nFeatures)
        throw new Failure(
          `${path} was trained on ${nFeatures} columns without names, and the data has ${numbers.length} columns of numbers. ` +
            "Name those of the training in their order with --columns.",
        );
      return batch.select(numbers.map(([name]) => name));
    },
  };
}

/** What a model refuses, with the row and the column of a cell that may be the reason. */
export function refusedRows(label: string, error: unknown, batch: Table, before: number): unknown {
  if (!(error instanceof ArgmaxError)) return error;
  const gap = firstGap(batch);
  if (gap !== undefined && /NaN|missing|finite/.test(error.message))
    return new Failure(
      `${label}, row ${before + gap.row + 1}, column ${JSON.stringify(gap.name)} has no entry, which this model does not take. ` +
        "Fill it, leave the row out, or train with a pipeline that imputes.",
    );
  return new Failure(`${label}, rows ${before + 1} to ${before + batch.rows}: ${error.message}`);
}

function firstGap(batch: Table): { name: string; row: number } | undefined {
  const found = columnsOf(batch)
    .filter(([, { missing }]) => missing > 0)
    .map(([name, column]) => ({ name, row: firstMissing(column) }));
  return found.sort((a, b) => a.row - b.row)[0];
}

function firstMissing(column: Column): number {
  for (let i = 0; i < column.length; i++) if (column.at(i) === null) return i;
  return -1;
}
