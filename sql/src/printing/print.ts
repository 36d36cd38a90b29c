import { DataError } from "argmax";
import type { Dialect } from "../dialects/dialect.js";
import type { Branch, Condition, Expression } from "../expressions/expression.js";

/** More text than this is not sent to a database: PostgreSQL reads at most a gigabyte, others far less. */
const MOST_LETTERS = 64 * 2 ** 20;

/** Expressions as text. Those in `names` are columns of a subquery by then, written as the name says. */
export class Printer {
  readonly #dialect: Dialect;
  readonly #names: ReadonlyMap<Expression, string>;
  #letters = 0;

  constructor(dialect: Dialect, names: ReadonlyMap<Expression, string> = new Map()) {
    this.#dialect = dialect;
    this.#names = names;
  }

  print(e: Expression): string {
    const parts: string[] = [];
    this.#letters = 0;
    this.#write(e, parts);
    return parts.join("");
  }

  /** `e` itself, even if it has a name. */
  define(e: Expression): string {
    return this.print(e.kind === "shared" ? e.of : { ...e });
  }

  #write(e: Expression, out: string[]): void {
    const name = this.#names.get(e);
    if (name !== undefined) {
      this.#push(out, name);
      return;
    }
    switch (e.kind) {
      case "shared":
        this.#write(e.of, out);
        return;
      case "arithmetic":
        this.#push(out, "(");
        this.#write(e.a, out);
        this.#push(out, ` ${e.op} `);
        this.#write(e.b, out);
        this.#push(out, ")");
        return;
      case "call":
        this.#push(
          out,
          this.#dialect.function(
            e.name,
            e.args.map((arg) => this.#text(arg)),
          ),
        );
        return;
      case "element": {
        const list = e.list.map((value) => this.#dialect.number(value));
        this.#push(out, this.#dialect.element(list, this.#text(e.at)));
        return;
      }
      case "hash":
        this.#push(out, this.#dialect.hash(e.of.map((part) => this.#text(part))));
        return;
      case "case":
        this.#writeCase(e.branches, e.otherwise, out);
        return;
      default:
        this.#push(out, this.#leaf(e));
    }
  }

  #leaf(
    e: Exclude<Expression, { kind: "shared" | "arithmetic" | "call" | "element" | "hash" | "case" }>,
  ): string {
    switch (e.kind) {
      case "column":
        return this.#dialect.column(e);
      case "number": {
        const digits = this.#dialect.number(e.value);
        return digits.startsWith("-") ? `(${digits})` : digits;
      }
      case "text":
        return this.#dialect.text(e.value);
      case "truth":
        return this.#dialect.truth(e.value);
      case "null":
        return "NULL";
    }
  }

  #writeCase(branches: readonly Branch[], otherwise: Expression, out: string[]): void {
    this.#push(out, "CASE");
    for (const { test, value } of branches) {
      this.#push(out, ` WHEN ${this.#condition(test)} THEN `);
      this.#write(value, out);
    }
    if (otherwise.kind !== "null") {
      this.#push(out, " ELSE ");
      this.#write(otherwise, out);
    }
    this.#push(out, " END");
  }

  #condition(c: Condition): string {
    switch (c.kind) {
      case "compare":
        return `${this.#text(c.a)} ${c.op} ${this.#text(c.b)}`;
      case "isNull":
        return `${this.#text(c.a)} IS NULL`;
      case "in":
        if (c.list.length === 0) return `${this.#dialect.truth(false)}`;
        return `${this.#text(c.a)} IN (${c.list.map((entry) => this.#text(entry)).join(", ")})`;
      case "and":
      case "or":
        return `(${c.all.map((one) => this.#condition(one)).join(c.kind === "and" ? " AND " : " OR ")})`;
      case "not":
        return `NOT (${this.#condition(c.a)})`;
    }
  }

  #text(e: Expression): string {
    const parts: string[] = [];
    this.#write(e, parts);
    return parts.join("");
  }

  #push(out: string[], part: string): void {
    this.#letters += part.length;
    if (this.#letters > MOST_LETTERS)
      throw new DataError(
        "toSql",
        "the model",
        `small enough for an expression of ${MOST_LETTERS / 2 ** 20} MB`,
        "a longer one",
        "Take select(), which computes shared parts once, or a model with fewer trees or units.",
      );
    out.push(part);
  }
}
