import { CsrMatrix } from "argmax";

export interface LabelledRows {
  readonly X: CsrMatrix;
  readonly y: readonly number[];
}

/**
 * Reads the LIBSVM text format: one row a line, `label index:value …`, indices from 1 and ascending. `cols` widens the
 * matrix when the file happens to lack the last features.
 */
export function parseLibsvm(text: string, cols = 0): LabelledRows {
  const y: number[] = [];
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  let width = cols;
  text.split("\n").forEach((line, number) => {
    const content = line.replace(/#.*/, "").trim();
    if (content === "") return;
    const [label, ...cells] = content.split(/\s+/);
    y.push(finite(label!, number, "a label"));
    let previous = 0;
    for (const cell of cells) {
      const [index, value] = cell.split(":");
      const column = finite(index!, number, "an index");
      if (!Number.isInteger(column) || column <= previous) {
        throw new Error(`line ${number + 1}: indices must be integers ≥ 1 that ascend, got ${index}.`);
      }
      previous = column;
      indices.push(column - 1);
      values.push(finite(value ?? "", number, "a value"));
    }
    width = Math.max(width, previous);
    indptr.push(indices.length);
  });
  const X = new CsrMatrix({
    rows: y.length,
    cols: width,
    indptr: Int32Array.from(indptr),
    indices: Int32Array.from(indices),
    values: Float64Array.from(values),
  });
  return { X, y };
}

function finite(text: string, line: number, what: string): number {
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) {
    throw new Error(`line ${line + 1}: ${what} must be a finite number, got ${JSON.stringify(text)}.`);
  }
  return value;
}
