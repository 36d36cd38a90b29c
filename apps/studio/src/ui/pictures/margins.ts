import type { Grid } from "../../work/protocol.js";

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

const nowhere: Readonly<Record<Kind, { readonly below: string; readonly above: string }>> = {
  decision: { below: "f is between −1 and 1 everywhere", above: "f is beyond ±1 everywhere" },
  probability: {
    below: "nowhere does the likeliest class lead by a probability of 0.5",
    above: "the likeliest class leads by a probability of more than 0.5 everywhere",
  },
  score: {
    below: "half of the best score's lead is below 1 everywhere",
    above: "half of the best score's lead is above 1 everywhere",
  },
  pairs: {
    below: "no class has a margin of 1 against all others",
    above: "the winner has a margin of 1 against all others everywhere",
  },
};

/** What the dashed lines of a picture are; undefined where there are none. */
export function marginNote(grid: Grid): string | undefined {
  const kind = kindOf(grid);
  return kind && reach(grid) === "line" ? `Dashed: where ${lines[kind]}.` : undefined;
}

/** Why a picture that has margins shows no dashed line. */
export function noMarginNote(grid: Grid): string | undefined {
  const kind = kindOf(grid);
  const where = kind && reach(grid);
  return where === undefined || where === "line" ? undefined : `No dashed line: ${nowhere[kind!][where]}.`;
}

/** Whether the values of a picture are on both sides of a level, or all before or all beyond the margins. */
function reach({ value, margin }: Grid): "line" | "below" | "above" {
  const values = value ?? margin!.values;
  const levels = value === null ? [margin!.level] : [-1, 1];
  const isCrossed = (level: number) =>
    values.some((one) => one >= level) && values.some((one) => one < level);
  if (levels.some(isCrossed)) return "line";
  return Math.abs(values[0]!) < levels.at(-1)! ? "below" : "above";
}
