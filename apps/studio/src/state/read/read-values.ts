/** Plain values from what anybody may have written: what is not legal becomes something that is. */
export const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

export const listOf = (value: unknown, most: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, most) : [];

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value.slice(0, 300) : undefined;

export const number = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === "number" && !Number.isNaN(value) ? Math.min(most, Math.max(least, value)) : otherwise;

export const integer = (value: unknown, least: number, most: number, otherwise: number): number =>
  Math.round(number(value, least, most, otherwise));

export function oneOf<T extends string, D>(value: unknown, legal: readonly T[], otherwise: D): T | D {
  return legal.find((one) => one === value) ?? otherwise;
}

/** Values by name, without those that are not legal. */
export function namesOf<V>(
  given: unknown,
  most: number,
  read: (value: unknown) => V | undefined,
): Record<string, V> {
  const entries = Object.entries(recordOf(given) ?? {}).slice(0, most);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const legal = read(value);
      return legal === undefined ? [] : [[name.slice(0, 300), legal]];
    }),
  );
}
