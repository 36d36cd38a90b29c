import { structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { largest } from "./bars.js";
import { MOST, MOST_LINES } from "./limits.js";
import { type Parts, part } from "./parts.js";

/** Models that do not look at the columns. */
export function baseline(model: Parts, { classes, target }: About): Panel[] {
  const priors = part(model, "priors");
  if (model.prediction !== undefined)
    return [
      {
        kind: "table",
        title: "One answer",
        note: `Every row gets ${Number(model.prediction.toPrecision(6))} as its ${target}: the columns are not looked at.`,
        head: [],
        rows: [],
      },
    ];
  if (priors === undefined || part(model, "means") !== undefined || part(model, "components") !== undefined)
    return [];
  const bars = classes.map((name, k) => ({ name, value: priors[k]! }));
  const cut = bars.length > MOST ? ` The ${MOST} largest are shown.` : "";
  return [
    {
      kind: "bars",
      title: "Proportions of classes",
      note: `All that the answer depends on: the columns are not looked at.${cut}`,
      bars: largest(bars),
      areShares: true,
    },
  ];
}

/** The points between which a curve is linear. */
export function knots(model: object, { names, target }: About): Panel[] {
  const structure = structureOf(model);
  if (!("scores" in structure) || structure.scores.kind !== "curve") return [];
  const { x, y } = structure.scores;
  const cut = x.length > MOST_LINES ? ` The first ${MOST_LINES} are listed.` : "";
  return [
    {
      kind: "table",
      title: "Knots",
      note: `${x.length} points between which the answer is linear.${cut}`,
      head: [names[0] ?? "Column", target],
      rows: Array.from(x.subarray(0, MOST_LINES), (value, k) => [
        Number(value.toPrecision(4)),
        Number(y[k]!.toPrecision(4)),
      ]),
    },
  ];
}
