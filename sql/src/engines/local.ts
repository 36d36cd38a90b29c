import { createHash } from "node:crypto";
import type { Column, Table } from "argmax";
import type { Condition, Expression } from "../expressions/expression.js";
import {
  type Aggregate,
  type KeyValue,
  mergedGroups,
  type SumGroup,
  type SumQuery,
} from "../expressions/sums.js";
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
    const table = this.#table;
    const columns = table.columnNames.map((name) => ({ name, type: typeOf(table.column(name)) }));
    return Promise.resolve({
      columns,
      isSnapshot: true,
      sums: (queries: readonly SumQuery[]) => Promise.resolve(queries.map((query) => sums(table, query))),
      batches: (list: readonly BatchColumn[], options: BatchOptions) => batches(table, list, options),
      close: () => Promise.resolve(),
    });
  }
}

const kinds = {
  numeric: "number",
  boolean: "boolean",
  date: "date",
  categorical: "text",
  text: "text",
} as const;
const typeOf = ({ kind }: Column) => kinds[kind];

function sums(table: Table, { groupBy, aggregates }: SumQuery): SumGroup[] {
  const evaluator = new Evaluator(table);
  const keys = groupBy.map(({ of }) => evaluator.row(of));
  const values = aggregates.map(({ of }) => evaluator.row(of));
  const rows = Array.from(
    { length: table.rows },
    (_, i): SumGroup => ({
      keys: keys.map((key, g) => keyOf(key(i), groupBy[g]!.type)),
      count: 1,
      values: Float64Array.from(values, (value, a) => numberOf(value(i), aggregates[a]!.kind)),
    }),
  );
  return mergedGroups(rows, aggregates);
}

const numberOf = (value: Value, kind: Aggregate["kind"]): number =>
  value === null ? (kind === "sum" ? 0 : Number.NaN) : Number(value);

function keyOf(value: Value, type: "number" | "text" | "boolean"): KeyValue {
  if (value === null) return null;
  return type === "number" ? Number(value) : type === "boolean" ? Boolean(value) : String(value);
}

async function* batches(
  table: Table,
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
  readonly #table: Table;
  readonly #known = new Map<Expression, Row>();

  constructor(table: Table) {
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
      case "column":
        return this.#column(e.name, e.as);
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
        return (i) => {
          const x = args.map((arg) => arg(i));
          return x.includes(null) ? null : compute(...x.map(Number));
        };
      }
      case "element": {
        const at = this.row(e.at);
        return (i) => (at(i) === null ? null : (e.list[Number(at(i)) - 1] ?? null));
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
        return (i) => (branches.find(([test]) => test(i) === true)?.[1] ?? otherwise)(i);
      }
    }
  }

  #column(name: string, as: "number" | "text" | "any"): Row {
    const cells = this.#table.column(name).toArray() as readonly unknown[];
    return (i) => {
      const cell = cells[i];
      if (cell === null || cell === undefined || Number.isNaN(cell)) return null;
      if (as === "text") return String(cell);
      return as === "number" ? Number(cell) : (cell as Value);
    };
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
