import { createHash } from "node:crypto";
import type { Column, Table } from "argmax";
import type { Condition, Expression } from "../expressions/expression.js";
import { joined, type KeyValue, type SumGroup, type SumQuery } from "../expressions/sums.js";
import type { BatchColumn, BatchOptions, BatchValues, Engine, EngineSession } from "./engine.js";

type Value = number | string | boolean | null;
type Row = (i: number) => Value;

/** A table in memory as a database: what the others are compared with. */
export class LocalEngine implements Engine {
  readonly dialect = "duckdb";
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  open(): Promise<EngineSession> {
    const given = this.#table;
    const columns = given.columnNames.map((name) => ({ name, type: typeOf(given.column(name)) }));
    const table = new Cells(given);
    return Promise.resolve({
      columns,
      isSnapshot: true,
      sums: (queries: readonly SumQuery[]) => Promise.resolve(queries.map((query) => sums(table, query))),
      batches: (list: readonly BatchColumn[], options: BatchOptions) => batches(table, list, options),
      close: () => Promise.resolve(),
    });
  }
}

/** The cells of a table as expressions read them, made once per column. */
class Cells {
  readonly rows: number;
  readonly #table: Table;
  readonly #known = new Map<string, readonly Value[]>();

  constructor(table: Table) {
    this.rows = table.rows;
    this.#table = table;
  }

  of(name: string, as: "number" | "text" | "any"): readonly Value[] {
    const key = `${as} ${name}`;
    let cells = this.#known.get(key);
    if (cells === undefined) {
      const given = this.#table.column(name).toArray() as readonly unknown[];
      cells = Array.from(given, (cell) => cellOf(cell, as));
      this.#known.set(key, cells);
    }
    return cells;
  }
}

function cellOf(cell: unknown, as: "number" | "text" | "any"): Value {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null;
  if (as === "text") return String(cell);
  return as === "number" ? Number(cell) : (cell as Value);
}

const kinds = {
  numeric: "number",
  boolean: "boolean",
  date: "date",
  categorical: "text",
  text: "text",
} as const;
const typeOf = ({ kind }: Column) => kinds[kind];

/** Sums row by row, added to their group at once. */
function sums(table: Cells, { groupBy, aggregates }: SumQuery): SumGroup[] {
  const evaluator = new Evaluator(table);
  const keys = groupBy.map(({ of }) => evaluator.row(of));
  const values = aggregates.map(({ of }) => evaluator.row(of));
  const groups = new Map<string, { keys: KeyValue[]; count: number; values: Float64Array }>();
  const start = Float64Array.from(aggregates, ({ kind }) => (kind === "sum" ? 0 : Number.NaN));
  for (let i = 0; i < table.rows; i++) {
    const own = keys.map((key, g) => keyOf(key(i), groupBy[g]!.type));
    const name = JSON.stringify(own);
    let group = groups.get(name);
    if (group === undefined) {
      group = { keys: own, count: 0, values: start.slice() };
      groups.set(name, group);
    }
    group.count++;
    for (let a = 0; a < values.length; a++) {
      const value = values[a]!(i);
      if (value === null) continue;
      group.values[a] = joined(aggregates[a]!.kind, group.values[a]!, Number(value));
    }
  }
  return [...groups.values()];
}

function keyOf(value: Value, type: "number" | "text" | "boolean"): KeyValue {
  if (value === null) return null;
  return type === "number" ? Number(value) : type === "boolean" ? Boolean(value) : String(value);
}

async function* batches(
  table: Cells,
  columns: readonly BatchColumn[],
  { rows, where, orderBy, limit = Infinity }: BatchOptions,
): AsyncIterable<readonly BatchValues[]> {
  const evaluator = new Evaluator(table);
  const kept = Array.from({ length: table.rows }, (_, i) => i);
  const condition = where && evaluator.row(where);
  const order = orderBy && evaluator.row(orderBy);
  const chosen = condition ? kept.filter((i) => Number(condition(i)) >= 1) : kept;
  if (order) chosen.sort((a, b) => Number(order(a)) - Number(order(b)));
  const listed = chosen.slice(0, Math.min(limit, chosen.length));
  const values = columns.map(({ of }) => evaluator.row(of));
  for (let from = 0; from < listed.length; from += rows) {
    const block = listed.slice(from, from + rows);
    yield values.map((value, c) =>
      columns[c]!.type === "text"
        ? block.map((i) => (value(i) === null ? null : String(value(i))))
        : Float64Array.from(block, (i) => (value(i) === null ? Number.NaN : Number(value(i)))),
    );
  }
}

/** Expressions as functions of a row number. What is shared is computed once per row. */
class Evaluator {
  readonly #table: Cells;
  readonly #known = new Map<Expression, Row>();

  constructor(table: Cells) {
    this.#table = table;
  }

  row(e: Expression): Row {
    const known = this.#known.get(e);
    if (known !== undefined) return known;
    const made = this.#made(e);
    const row = e.kind === "shared" ? remembered(made) : made;
    this.#known.set(e, row);
    return row;
  }

  #made(e: Expression): Row {
    switch (e.kind) {
      case "column": {
        const cells = this.#table.of(e.name, e.as);
        return (i) => cells[i]!;
      }
      case "number":
        return constant(Number.isNaN(e.value) ? null : e.value);
      case "text":
      case "truth":
        return constant(e.value);
      case "null":
        return constant(null);
      case "shared":
        return this.row(e.of);
      case "arithmetic": {
        const [a, b] = [this.row(e.a), this.row(e.b)];
        const compute = arithmetic[e.op];
        return (i) => known2(a(i), b(i), compute);
      }
      case "call": {
        const args = e.args.map((arg) => this.row(arg));
        const compute = functions[e.name] as (...x: number[]) => number;
        const [first, second] = args;
        if (args.length === 1) return (i) => known1(first!(i), compute);
        if (args.length === 2) return (i) => known2(first!(i), second!(i), compute);
        return (i) => {
          const x = args.map((arg) => arg(i));
          return x.includes(null) ? null : compute(...x.map(Number));
        };
      }
      case "element": {
        const at = this.row(e.at);
        return (i) => {
          const place = at(i);
          return place === null ? null : (e.list[Number(place) - 1] ?? null);
        };
      }
      case "hash": {
        const parts = e.of.map((part) => this.row(part));
        return (i) => {
          const text = parts.map((part) => String(part(i) ?? "")).join("|");
          return createHash("md5").update(text).digest().readUInt32BE(0);
        };
      }
      case "case": {
        const branches = e.branches.map(({ test, value }) => [this.#test(test), this.row(value)] as const);
        const otherwise = this.row(e.otherwise);
        return (i) => {
          for (const [test, value] of branches) if (test(i) === true) return value(i);
          return otherwise(i);
        };
      }
    }
  }

  /** Whether a condition holds; null where gaps leave it open. */
  #test(c: Condition): (i: number) => boolean | null {
    switch (c.kind) {
      case "compare": {
        const [a, b] = [this.row(c.a), this.row(c.b)];
        const holds = comparisons[c.op];
        return (i) => {
          const [x, y] = [a(i), b(i)];
          return x === null || y === null ? null : holds(x, y);
        };
      }
      case "isNull": {
        const a = this.row(c.a);
        return (i) => a(i) === null;
      }
      case "in": {
        const [a, list] = [this.row(c.a), c.list.map((entry) => this.row(entry))];
        return (i) => {
          const x = a(i);
          return list.length === 0 ? false : x === null ? null : list.some((entry) => entry(i) === x);
        };
      }
      case "and": {
        const all = c.all.map((one) => this.#test(one));
        return (i) => threeValued(all, i, false);
      }
      case "or": {
        const all = c.all.map((one) => this.#test(one));
        return (i) => threeValued(all, i, true);
      }
      case "not": {
        const a = this.#test(c.a);
        return (i) => {
          const found = a(i);
          return found === null ? null : !found;
        };
      }
    }
  }
}

/** Whether one of them is what decides; null if none is and one is open. */
function threeValued(
  all: readonly ((i: number) => boolean | null)[],
  i: number,
  decides: boolean,
): boolean | null {
  let open = false;
  for (const one of all) {
    const found = one(i);
    if (found === decides) return decides;
    open ||= found === null;
  }
  return open ? null : !decides;
}

const constant = (value: Value) => () => value;

function remembered(row: Row): Row {
  let last = -1;
  let value: Value = null;
  return (i) => {
    if (i !== last) {
      value = row(i);
      last = i;
    }
    return value;
  };
}

const known1 = (a: Value, compute: (a: number) => number): Value => (a === null ? null : compute(Number(a)));

const known2 = (a: Value, b: Value, compute: (a: number, b: number) => number): Value =>
  a === null || b === null ? null : compute(Number(a), Number(b));

const arithmetic = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
};

const functions = {
  abs: Math.abs,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  greatest: Math.max,
  least: Math.min,
  log: Math.log,
  power: Math.pow,
  sin: Math.sin,
  sqrt: Math.sqrt,
};

const comparisons = {
  "<": (a: Value, b: Value) => a! < b!,
  "<=": (a: Value, b: Value) => a! <= b!,
  "=": (a: Value, b: Value) => a === b,
  ">": (a: Value, b: Value) => a! > b!,
  ">=": (a: Value, b: Value) => a! >= b!,
};
