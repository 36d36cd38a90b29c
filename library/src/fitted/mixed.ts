import type { Model } from "../core/model.js";

/** A class of models that others extend. */
export type ModelBase<A extends readonly unknown[], M> = abstract new (...args: A) => M;

/** `Base` with the methods of each of `Methods`, the first of which wins: for models that already extend a class of their family. */
export function mixed<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
  ...Methods: readonly ModelBase<never, Model>[]
): never {
  abstract class Mixed extends (Base as abstract new () => Model) {}
  const given = new Set<PropertyKey>(["constructor"]);
  for (const { prototype } of Methods) {
    for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (given.has(name)) continue;
      Object.defineProperty(Mixed.prototype, name, method);
      given.add(name);
    }
  }
  return Mixed as never;
}
