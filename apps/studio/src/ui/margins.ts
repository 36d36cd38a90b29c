import { extent } from "argmax/plot";
import type { Grid } from "../work/protocol.js";

type Kind = "decision" | NonNullable<Grid["margin"]>["of"];

/** What the margins of a picture are; undefined where it has none. */
function kindOf({ task, value, margin }: Grid): Kind | undefined {
  if (task !== "classification") return undefined;
  return value === null ? margin?.of : "decision";
}

const names: Readonly<Record<Kind, string>> = {
  decision: "Margins ±1",
  probability: "Lead of 0.5",
  score: "Score margin 1",
  pairs: "Margins of pairs",
};

/** The name of the layer of margins; undefined for pictures that have none. */
export function marginName(grid: Grid): string | undefined {
  const kind = kindOf(grid);
  return kind && names[kind];
}

const lines: Readonly<Record<Kind, string>> = {
  decision: "the decision function f is ±1",
  probability: "the likeliest class leads the next one by a probability of 0.5",
  score: "half of the lead of the best score over the next one is 1, as on the margins of two classes",
  pairs: "the smallest margin of the winner against any other class is 1",
};

const nowhere: Readonly<Record<Kind, readonly [below: string, above: string]>> = {
  decision: ["f is between −1 and 1 everywhere", "f is beyond ±1 everywhere"],
  probability: [
    "nowhere does the likeliest class lead by a probability of 0.5",
    "the likeliest class leads by a probability of more than 0.5 everywhere",
  ],
  score: [
    "half of the best score's lead is below 1 everywhere",
    "half of the best score's lead is above 1 everywhere",
  ],
  pairs: [
    "no class has a margin of 1 against all others",
    "the winner has a margin of 1 against all others everywhere",
  ],
};

/** What the dashed lines of a picture are, or why there are none; undefined for pictures without margins. */
export function marginNote(grid: Grid): string | undefined {
  const kind = kindOf(grid);
  if (kind === undefined) return undefined;
  const { value, margin } = grid;
  const [least, most] = extent(value === null ? margin!.values : value.map(Math.abs));
  const level = value === null ? margin!.level : 1;
  if (least < level && most >= level) return `Dashed: where ${lines[kind]}.`;
  return `No dashed line: ${nowhere[kind][most < level ? 0 : 1]}.`;
}
