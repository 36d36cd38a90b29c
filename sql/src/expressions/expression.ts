/**
 * SQL expressions as data: what a model computes from one row, before a dialect writes it as text. NULL is a gap: arithmetic with it is NULL,
 * comparisons with it hold for neither side.
 */
export type Expression =
  | ColumnExpression
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "arithmetic"; readonly op: Arithmetic; readonly a: Expression; readonly b: Expression }
  | { readonly kind: "call"; readonly name: SqlFunction; readonly args: readonly Expression[] }
  | ElementExpression
  | { readonly kind: "case"; readonly branches: readonly Branch[]; readonly otherwise: Expression }
  | HashExpression
  | SharedExpression;

/** A column of the table, as the type that is computed with; NaN is NULL. */
export interface ColumnExpression {
  readonly kind: "column";
  readonly name: string;
  /** What the table has, if that is known. */
  readonly type: ColumnType | undefined;
  /** "any": only compared with NULL. */
  readonly as: "number" | "text" | "any";
}

/** Types of columns that must be told apart when they become numbers or text. */
export type ColumnType = "number" | "text" | "boolean" | "date";

/** One of a list of constants, by its place from 1 on. */
export interface ElementExpression {
  readonly kind: "element";
  readonly list: readonly number[];
  readonly at: Expression;
}

/** A whole number from 0 to 2³² − 1 that depends on nothing but these values as text: the first 32 bits of their MD5. */
export interface HashExpression {
  readonly kind: "hash";
  readonly of: readonly Expression[];
}

/** An expression that is used more than once: a SELECT computes it once, in a subquery. */
export interface SharedExpression {
  readonly kind: "shared";
  readonly of: Expression;
}

export interface Branch {
  readonly test: Condition;
  readonly value: Expression;
}

export type Arithmetic = "+" | "-" | "*" | "/";

/** Functions of doubles that all dialects have, under whatever name. */
export type SqlFunction =
  | "abs"
  | "cos"
  | "exp"
  | "floor"
  | "greatest"
  | "least"
  | "log"
  | "power"
  | "sin"
  | "sqrt";

export type Condition =
  | { readonly kind: "compare"; readonly op: Comparison; readonly a: Expression; readonly b: Expression }
  | { readonly kind: "isNull"; readonly a: Expression }
  | { readonly kind: "in"; readonly a: Expression; readonly list: readonly Expression[] }
  | { readonly kind: "and" | "or"; readonly all: readonly Condition[] }
  | { readonly kind: "not"; readonly a: Condition };

export type Comparison = "<" | "<=" | "=" | ">" | ">=";

export const number = (value: number): Expression => ({ kind: "number", value });
export const text = (value: string): Expression => ({ kind: "text", value });
export const nothing: Expression = { kind: "null" };

const isNumber = (e: Expression, value: number): boolean => e.kind === "number" && e.value === value;

/** a + b, without what adds nothing. Constants are added at once. */
export function add(a: Expression, b: Expression): Expression {
  if (isNumber(a, 0)) return b;
  if (isNumber(b, 0)) return a;
  if (a.kind === "number" && b.kind === "number") return number(a.value + b.value);
  return { kind: "arithmetic", op: "+", a, b };
}

export function subtract(a: Expression, b: Expression): Expression {
  if (isNumber(b, 0)) return a;
  if (a.kind === "number" && b.kind === "number") return number(a.value - b.value);
  return { kind: "arithmetic", op: "-", a, b };
}

/** a · b. A product with 0 stays, since it is NULL where the other factor is. */
export function multiply(a: Expression, b: Expression): Expression {
  if (isNumber(a, 1)) return b;
  if (isNumber(b, 1)) return a;
  if (a.kind === "number" && b.kind === "number") return number(a.value * b.value);
  return { kind: "arithmetic", op: "*", a, b };
}

export function divide(a: Expression, b: Expression): Expression {
  if (isNumber(b, 1)) return a;
  if (a.kind === "number" && b.kind === "number") return number(a.value / b.value);
  return { kind: "arithmetic", op: "/", a, b };
}

/** Σ of the terms as a balanced tree: engines limit how deep an expression may be. */
export function sum(terms: readonly Expression[]): Expression {
  if (terms.length === 0) return number(0);
  if (terms.length === 1) return terms[0]!;
  const half = terms.length >> 1;
  return add(sum(terms.slice(0, half)), sum(terms.slice(half)));
}

export function product(factors: readonly Expression[]): Expression {
  if (factors.length === 0) return number(1);
  if (factors.length === 1) return factors[0]!;
  const half = factors.length >> 1;
  return multiply(product(factors.slice(0, half)), product(factors.slice(half)));
}

export const call = (name: SqlFunction, ...args: Expression[]): Expression => ({ kind: "call", name, args });

export const negative = (a: Expression): Expression => subtract(number(0), a);

export const compare = (a: Expression, op: Comparison, b: Expression): Condition => ({
  kind: "compare",
  op,
  a,
  b,
});
export const isNull = (a: Expression): Condition => ({ kind: "isNull", a });
export const both = (...all: Condition[]): Condition => (all.length === 1 ? all[0]! : { kind: "and", all });
export const either = (...all: Condition[]): Condition => (all.length === 1 ? all[0]! : { kind: "or", all });
export const not = (a: Condition): Condition => ({ kind: "not", a });

/** Whether a is in the list; not, if the list is empty. */
export const isIn = (a: Expression, list: readonly Expression[]): Condition => ({ kind: "in", a, list });

/** The first branch whose condition holds. */
export const choose = (branches: readonly Branch[], otherwise: Expression = nothing): Expression => ({
  kind: "case",
  branches,
  otherwise,
});

/** The value where the condition holds, `otherwise` where it does not; conditions with gaps do not hold. */
export const when = (test: Condition, value: Expression, otherwise: Expression): Expression =>
  choose([{ test, value }], otherwise);

const isCostly: ReadonlySet<Expression["kind"]> = new Set(["arithmetic", "call", "case", "hash"] as const);

/** An expression that others are made of: cheap ones are simply repeated. */
export function shared(of: Expression): Expression {
  return isCostly.has(of.kind) ? { kind: "shared", of } : of;
}

/** The largest of several that are gaps together or not at all. */
export const largestOf = (list: readonly Expression[]): Expression =>
  list.length === 1 ? list[0]! : shared({ kind: "call", name: "greatest", args: list });

/** The smallest of several that are gaps together or not at all. */
export const leastOf = (list: readonly Expression[]): Expression =>
  list.length === 1 ? list[0]! : shared({ kind: "call", name: "least", args: list });

/** x, or the nearer end of an interval. */
export const clipped = (given: Expression, low: number, high: number): Expression => {
  const x = shared(given);
  const ends = [
    { test: compare(x, "<", number(low)), value: number(low) },
    { test: compare(x, ">", number(high)), value: number(high) },
  ];
  return choose(ends, x);
};
