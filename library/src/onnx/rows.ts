import { show } from "../core/errors.js";
import { refuse } from "./converter.js";
import type { Graph, Value } from "./graph.js";

export type CellType = "number" | "text";

/** One column of a table: rows × 1. */
export interface Column {
  readonly name: string;
  /** Throws if the column holds the other type. */
  as(type: CellType): Value;
}

/** A column that a step has computed. */
export const computed = (name: string, type: CellType, value: Value): Column => ({
  name,
  as: (wanted) => (wanted === type ? value : refuseType(name, wanted)),
});

/** A column as an input of its own. The first step that reads it decides its type; what no step reads is not an input. */
export function inputColumn(graph: Graph, name: string): Column {
  let own: Column | undefined;
  return {
    name,
    as: (type) => {
      own ??= computed(name, type, graph.input(name, type === "text" ? "string" : "double", 1));
      return own.as(type);
    },
  };
}

function refuseType(name: string, wanted: CellType): never {
  const [numbers, texts] = ["numbers", "categories"];
  return refuse(
    `the column ${show(name)}`,
    wanted === "number" ? numbers : texts,
    wanted === "number" ? texts : numbers,
  );
}

/** The rows that a step reads: a matrix, or the columns of a table. */
export class Rows {
  private constructor(
    readonly cols: number,
    /** rows × cols; undefined of a table. */
    readonly whole: Value | undefined,
    readonly columns: readonly Column[],
  ) {}

  static matrix(value: Value, cols: number): Rows {
    return new Rows(cols, value, []);
  }

  static table(columns: readonly Column[]): Rows {
    return new Rows(columns.length, undefined, columns);
  }

  /** As a matrix of numbers. */
  matrix(graph: Graph): Value {
    return (
      this.whole ??
      joined(
        graph,
        this.columns.map((column) => column.as("number")),
      )
    );
  }

  /** One column: rows × 1. */
  column(graph: Graph, j: number, type: CellType): Value {
    if (this.whole === undefined) return this.columns[j]!.as(type);
    if (type === "text") refuseType(String(j), "number");
    return this.select(graph, [j]).whole!;
  }

  /** Some columns, in the order given. */
  select(graph: Graph, columns: readonly number[]): Rows {
    if (this.whole === undefined) return Rows.table(columns.map((j) => this.columns[j]!));
    const isAll = columns.length === this.cols && columns.every((j, k) => j === k);
    if (isAll) return this;
    const indices = graph.integers(columns, [columns.length]);
    return Rows.matrix(graph.op("Gather", [this.whole, indices], { axis: { int: 1 } }), columns.length);
  }
}

/** Blocks of columns, side by side. */
export const joined = (graph: Graph, blocks: readonly Value[]): Value =>
  blocks.length === 1 ? blocks[0]! : graph.op("Concat", blocks, { axis: { int: 1 } });

/** Blocks of columns side by side, some of which may have none. */
export function sideBySide(blocks: readonly Rows[], graph: Graph): Rows {
  const some = blocks.filter(({ cols }) => cols > 0);
  if (some.length === 0) return Rows.table([]);
  const all = joined(
    graph,
    some.map((rows) => rows.matrix(graph)),
  );
  return Rows.matrix(
    all,
    some.reduce((sum, { cols }) => sum + cols, 0),
  );
}
