import type { Graph, Value } from "./graph.js";

/** One column of a table, as an input of its own. */
export interface InputColumn {
  readonly name: string;
  readonly kind: "number" | "text";
  /** rows × 1. */
  readonly value: Value;
}

/** The rows that a step reads: a matrix, or the columns of a table. */
export class Rows {
  private constructor(
    readonly cols: number,
    /** rows × cols; undefined of a table. */
    readonly whole: Value | undefined,
    readonly columns: readonly InputColumn[],
  ) {}

  static matrix(value: Value, cols: number): Rows {
    return new Rows(cols, value, []);
  }

  static table(columns: readonly InputColumn[]): Rows {
    return new Rows(columns.length, undefined, columns);
  }

  /** As a matrix; undefined if a column is text. */
  matrix(graph: Graph): Value | undefined {
    if (this.whole !== undefined) return this.whole;
    if (this.columns.some(({ kind }) => kind === "text")) return undefined;
    return joined(
      graph,
      this.columns.map(({ value }) => value),
    );
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
