import { short } from "../../ui/figures.js";
import type { Flip } from "../../work/protocol.js";

/** "Adelie → Chinstrap if billLength rose from 41.2 to 44.8". */
export function flipSentence({ name, from, to, answer, label }: Flip): string {
  const [before, after] = [answer, label].map((one) => (/^-?\d+$/.test(one) ? `“${one}”` : one));
  return `${before} → ${after} if ${name} ${to > from ? "rose" : "fell"} from ${short(from)} to ${digits(to)}`;
}

/** As many as the search found necessary. */
const digits = (value: number): string => String(Number(value.toPrecision(8)));
