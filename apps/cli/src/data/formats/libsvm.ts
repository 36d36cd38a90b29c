import { ArgmaxError, NumericColumn, parseSvmlight, Table } from "argmax";
import { Failure } from "../../command.js";
import { readWhole } from "../bytes.js";
import { matrixColumns } from "../included.js";
import type { DataFile } from "../locate.js";
import type { SourceOptions } from "../source.js";

/** One gigabyte of numbers. */
const MOST_CELLS = 2 ** 27;

/** The column of the labels; features are x1, x2, …. */
export const libsvmTarget = "label";

/** The rows of a LIBSVM file, dense. */
export async function loadLibsvmFile(file: DataFile, options: SourceOptions): Promise<Table> {
  const { X, y } = parse(file.label, await readWhole(file, options));
  if (X.rows === 0) throw new Failure(`${file.label} is empty: it has no rows.`);
  if (X.rows * X.cols > MOST_CELLS)
    throw new Failure(
      `${file.label} has ${X.rows} rows × ${X.cols} columns, more than fit into memory as a table. ` +
        "The library reads such files as sparse rows: parseSvmlight.",
    );
  const names = Array.from({ length: X.cols }, (_, j) => `x${j + 1}`);
  return Table.fromColumns(
    new Map([[libsvmTarget, new NumericColumn(y)], ...matrixColumns(X.toDense(), names)]),
  );
}

function parse(label: string, bytes: Uint8Array) {
  try {
    return parseSvmlight(bytes);
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    const { subject, expected, received, advice } = error;
    throw new Failure(`${label}, ${subject} must be ${expected}, got ${received}. ${advice}`.trim());
  }
}
