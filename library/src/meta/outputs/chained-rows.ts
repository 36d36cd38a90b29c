import { CsrMatrix } from "../../data/csr-matrix.js";
import { isTable } from "../../data/feature-names-in.js";
import { Matrix } from "../../data/matrix.js";
import { joinColumns } from "../../data/table/join-columns.js";
import { Table } from "../../data/table/table.js";
import { columnsOfMembers, type MemberRows } from "../../ensembles/member-rows.js";

/** X followed by the outputs that come before a member in its chain. Sparse rows stay sparse, and a table gets columns of new names. */
export function chainedRows(given: MemberRows, outputs: readonly Float64Array[]): MemberRows {
  if (outputs.length === 0) return given;
  const x = columnsOfMembers("RegressorChain", given);
  if (isTable(x)) {
    const taken = new Set(x.columnNames);
    const columns = new Map(x.columnNames.map((name) => [name, x.column(name)] as const));
    for (const [c, output] of outputs.entries()) columns.set(newName(`output ${c}`, taken), output as never);
    return Table.fromColumns(columns);
  }
  const blocks = outputs.map((output) => new Matrix(output, x.rows, 1));
  return joinColumns([x, ...blocks], x.rows, x instanceof CsrMatrix);
}

function newName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let e = 2; taken.has(name); e++) name = `${wanted} (${e})`;
  return name;
}
