import { table } from "../src/work/answers/tables.js";
import { Held } from "../src/work/held.js";
import type { Roles } from "../src/work/protocol.js";

/** What an answer is given by a worker that nobody stops and nobody listens to. */
export const quietContext = (held: Held) => ({
  held,
  news: () => {},
  isStopped: () => false,
  breathe: async () => {},
});

type Included = "penguins" | "diabetes" | "breastCancer" | "digits";

/** A worker that holds included tables by their names, and 120 points of two moons. */
export async function heldTables(...names: readonly (Included | "moons")[]): Promise<Held> {
  const held = new Held();
  for (const name of names)
    held.set(
      name,
      await table({
        source:
          name === "moons"
            ? { kind: "generated", shape: "moons", rows: 120, noise: 0.2, balance: 0.5, seed: 2 }
            : { kind: "included", name },
      }),
    );
  return held;
}

/** The species of penguins by two of their measures. */
export const speciesRoles: Roles = {
  table: "penguins",
  features: ["billLength", "flipperLength"],
  target: "species",
  group: null,
  task: "classification",
};

/** The class of the points of two moons. */
export const moonRoles: Roles = { ...speciesRoles, table: "moons", features: ["x", "y"], target: "class" };
