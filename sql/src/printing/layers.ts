import type { Dialect } from "../dialects/dialect.js";
import type { Condition, Expression } from "../expressions/expression.js";
import { Printer } from "./print.js";

/** Columns of subqueries that others are computed from. */
const NAME = "_argmax_";

/** Rows with what several expressions are made of as columns. `print` writes an expression over them. */
export interface LayeredRows {
  readonly source: string;
  print(e: Expression): string;
}

export interface LayerOptions {
  /** Whether columns get names of their own even if each is used once. */
  readonly always?: boolean;
  /** The number of columns of a subquery. */
  readonly columns?: number;
}

/**
 * A table with what several of the expressions are made of as columns of subqueries, computed once: subqueries are nested as deep as such
 * columns depend on each other, and each has only the columns that are needed above it.
 */
export function layered(
  dialect: Dialect,
  roots: readonly Expression[],
  from: string,
  { always = false }: { readonly always?: boolean } = {},
): LayeredRows {
  const { layers, lastUse } = layersOf(roots, { always, columns: dialect.limits.columns });
  const names = new Map<Expression, string>();
  let source = from;
  for (const [l, layer] of layers.entries()) {
    const printer = new Printer(dialect, new Map(names));
    const kept = [...names].filter(([e]) => lastUse.get(e)! > l).map(([, name]) => name);
    const made = layer.map((e) => {
      const name = dialect.identifier(`${NAME}${names.size}`);
      names.set(e, name);
      return `${printer.define(e)} AS ${name}`;
    });
    source = `(SELECT ${[...kept, ...made].join(", ")} FROM ${source}${dialect.fence}) AS ${dialect.identifier(`${NAME}rows`)}`;
  }
  const printer = new Printer(dialect, names);
  return { source, print: (e) => printer.print(e) };
}

/** SELECT of outputs from a table, and of the columns `keep`. */
export function layeredSelect(
  dialect: Dialect,
  outputs: readonly (readonly [name: string, expression: Expression])[],
  from: string,
  keep: readonly string[],
): string {
  const kept = keep.map((name): [string, Expression] => [
    name,
    { kind: "column", name, type: undefined, as: "any" },
  ]);
  const all = [...kept, ...outputs];
  const roots = all.map(([, expression]) => expression);
  const { source, print } = layered(dialect, roots, from, { always: dialect.aliasesHideColumns });
  return `SELECT ${all.map(([name, e]) => `${print(e)} AS ${dialect.identifier(name)}`).join(", ")} FROM ${source}`;
}

interface Layers {
  /** What is computed once, by how deep it depends on each other. */
  readonly layers: readonly (readonly Expression[])[];
  /** The layer that reads it last; the number of layers for what `roots` read. */
  readonly lastUse: ReadonlyMap<Expression, number>;
}

/** What is used more than once, and the columns that are read above the first layer. */
export function layersOf(
  roots: readonly Expression[],
  { always = false, columns = Number.POSITIVE_INFINITY }: LayerOptions = {},
): Layers {
  const repeated = repeatedIn(roots, columns);
  const isRepeated = (e: Expression) => repeated.has(e);
  const depths = new Map<Expression, number>();
  /** The number of layers below e, with its own. */
  const depthOf = (e: Expression): number => {
    const known = depths.get(e);
    if (known !== undefined) return known;
    const below = partsOf(e).reduce((most, part) => Math.max(most, depthOf(part)), 0);
    const depth = below + (isRepeated(e) ? 1 : 0);
    depths.set(e, depth);
    return depth;
  };
  const last = roots.reduce((most, root) => Math.max(most, depthOf(root)), always ? 1 : 0);
  const layers: Expression[][] = Array.from({ length: last }, () => []);
  const lastUse = new Map<Expression, number>();
  for (const [e, depth] of depths) if (isRepeated(e)) layers[depth - 1]!.push(e);
  /** Notes what a definition in a layer reads. A column that it reads above the first layer comes through all layers below. */
  const read = (e: Expression, layer: number): void => {
    if (e.kind === "column" && !isRepeated(e) && layer > 0 && !lastUse.get(e)) layers[0]!.push(e);
    if (isRepeated(e) || e.kind === "column") lastUse.set(e, Math.max(lastUse.get(e) ?? 0, layer));
    else for (const part of partsOf(e)) read(part, layer);
  };
  for (const [l, layer] of layers.entries())
    for (const e of [...layer]) for (const part of partsOf(e)) read(part, l);
  for (const root of roots) read(root, last);
  return { layers: layers.filter((layer) => layer.length > 0), lastUse };
}

/** What is used more than once. Of more than there may be columns, those that are made of least are repeated instead. */
function repeatedIn(roots: readonly Expression[], columns: number): ReadonlySet<Expression> {
  const uses = new Map<Expression, number>();
  const count = (e: Expression): void => {
    const before = uses.get(e) ?? 0;
    uses.set(e, before + 1);
    if (before === 0) for (const part of partsOf(e)) count(part);
  };
  for (const root of roots) count(root);
  const found = [...uses].flatMap(([e, n]) =>
    (e.kind === "shared" || e.kind === "column") && n > 1 ? [e] : [],
  );
  if (found.length <= columns) return new Set(found);
  const sizeOf = sizes();
  return new Set(found.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, columns));
}

/** How many operations an expression is, if what is shared is written out wherever it is used. */
export function sizes(): (e: Expression) => number {
  const known = new Map<Expression, number>();
  const sizeOf = (e: Expression): number => {
    const size = known.get(e) ?? partsOf(e).reduce((sum, part) => sum + sizeOf(part), 1);
    known.set(e, size);
    return size;
  };
  return sizeOf;
}

/** The columns of the source that expressions read. */
export function columnNames(roots: readonly Expression[]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Expression>();
  const visit = (e: Expression): void => {
    if (seen.has(e)) return;
    seen.add(e);
    if (e.kind === "column") names.add(e.name);
    for (const part of partsOf(e)) visit(part);
  };
  for (const root of roots) visit(root);
  return names;
}

function partsOf(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case "shared":
      return [e.of];
    case "arithmetic":
      return [e.a, e.b];
    case "call":
      return e.args;
    case "element":
      return [e.at];
    case "hash":
      return e.of;
    case "case":
      return [...e.branches.flatMap(({ test, value }) => [...expressionsIn(test), value]), e.otherwise];
    default:
      return [];
  }
}

function expressionsIn(c: Condition): readonly Expression[] {
  switch (c.kind) {
    case "compare":
      return [c.a, c.b];
    case "isNull":
      return [c.a];
    case "in":
      return [c.a, ...c.list];
    case "and":
    case "or":
      return c.all.flatMap(expressionsIn);
    case "not":
      return expressionsIn(c.a);
  }
}
