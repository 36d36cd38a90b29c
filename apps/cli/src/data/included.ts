import { type Column, type ColumnValues, type Matrix, NumericColumn, parseCsv, Table } from "argmax";
import { csvDatasetNames, type DatasetName, datasetNames, loadCsv, loadDataset } from "argmax/datasets";
import type { LoadedTable } from "./source.js";

/** An included dataset as a table, with the target as its last column (or where its own table has it). */
export async function loadIncluded(name: string): Promise<LoadedTable> {
  const csvName = csvDatasetNames.find((one) => one === name);
  if (csvName !== undefined) {
    const { csv, targetName } = await loadCsv(csvName);
    return { name, table: parseCsv(csv), remarks: [], target: targetName };
  }
  const found = datasetNames.find((one) => one === name) as DatasetName;
  const dataset = await loadDataset(found);
  if ("table" in dataset) return { name, table: dataset.table, remarks: [], target: dataset.targetName };
  const columns = matrixColumns(dataset.X, dataset.featureNames);
  const y = Table.fromColumns(new Map<string, ColumnValues>([[dataset.targetName, dataset.y]]));
  columns.set(dataset.targetName, y.column(dataset.targetName));
  return { name, table: Table.fromColumns(columns), remarks: [], target: dataset.targetName };
}

/** The columns of a matrix by name. */
export function matrixColumns(X: Matrix, names: readonly string[]): Map<string, Column> {
  const all = new Map<string, Column>();
  for (const [j, name] of names.entries()) all.set(name, new NumericColumn(Float64Array.from(X.column(j))));
  return all;
}
