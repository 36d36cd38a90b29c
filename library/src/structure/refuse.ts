import { DataError, show } from "../core/errors.js";

/** Throws unless a value is a structure, as `structureOf` returns it. */
export function requireStructure(value: unknown): void {
  const { kind, inputs } = (value ?? {}) as {
    readonly kind?: unknown;
    readonly inputs?: { readonly count?: unknown };
  };
  if (kind === "undescribed" || (typeof kind === "string" && typeof inputs?.count === "number")) return;
  throw new DataError("evaluate", "the structure", "what structureOf returns", show(value));
}

/** Throws for what no kind of structure describes. */
export function refuseUndescribed(reason: string): never {
  const expected = "one that describes the model";
  const advice = "The model itself predicts.";
  throw new DataError("evaluate", "the structure", expected, `none, since ${reason}`, advice);
}
