import type { FittedDummyClassifier } from "argmax/dummy";
import { structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { largest } from "./bars.js";
import { MOST, MOST_LINES } from "./limits.js";
import { scoresOf, scoresOfKind } from "./scores.js";
import { viewAs } from "./view.js";

/** Models that do not look at the columns. */
export function baseline(model: object, { classes, target }: About): Panel[] {
  const structure = structureOf(model);
  const constant = scoresOfKind(structure, "constant");
  if (structure.kind === "regressor" && constant !== undefined)
    return [
      {
        kind: "table",
        title: "One answer",
        note: `Every row gets ${Number(constant.values[0]!.toPrecision(6))} as its ${target}: the columns are not used.`,
        head: [],
        rows: [],
      },
    ];
  // Answers that are drawn have no structure.
  const isBaseline = constant !== undefined || structure.kind === "undescribed";
  const priors = isBaseline && viewAs<FittedDummyClassifier>(model, "priors")?.priors;
  if (!priors) return [];
  const bars = classes.map((name, k) => ({ name, value: priors[k]! }));
  const cut = bars.length > MOST ? ` The ${MOST} largest are shown.` : "";
  return [
    {
      kind: "bars",
      title: "Proportions of classes",
      note: `All that the answer depends on: the columns are not used.${cut}`,
      bars: largest(bars),
      areShares: true,
    },
  ];
}

/** The points between which a curve is linear. */
export function knots(model: object, { names, target }: About): Panel[] {
  const curve = scoresOf(model, "curve");
  if (curve === undefined) return [];
  const { x, y } = curve;
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
