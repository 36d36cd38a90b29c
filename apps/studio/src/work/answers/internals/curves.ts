import type { Panel } from "../../protocol.js";
import type { Parts } from "./parts.js";

export function curves({ lossCurve, lowerBounds, trainScore }: Parts): Panel[] {
  const curve = (title: string, unit: string, values: ArrayLike<number> | undefined): Panel[] =>
    values === undefined || values.length < 2
      ? []
      : [{ kind: "curve", title, unit, values: Array.from(values) }];
  return [
    ...curve("Loss", "epoch", lossCurve),
    ...curve("Log-likelihood", "step", lowerBounds),
    ...curve("Score on training rows", "round", trainScore),
  ];
}
