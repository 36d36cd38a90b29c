import { ranked } from "../measures/ranked.js";
import type { Answer, Ask, Held } from "../protocol.js";
import type { Context } from "./context.js";

/** Sorts the held-out rows of a large table. */
export async function rank(
  { held: key, classes, positive }: Ask<"rank">,
  { held }: Context<"rank">,
): Promise<Answer<"rank">> {
  return ranked(held.get<Held>(key), classes, positive);
}
