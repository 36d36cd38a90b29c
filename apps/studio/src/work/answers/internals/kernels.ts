import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { MOST_LINES } from "./limits.js";
import { scoresOf } from "./scores.js";

/** The rows of a kernel expansion, the largest coefficients first. */
export function supportVectors(model: object, { classes, rows, labels }: About): Panel[] {
  const expansion = scoresOf(model, "kernel");
  if (expansion === undefined) return [];
  const { support, coef } = expansion;
  const areVectors = "supportVectors" in model;
  const weight = Array.from(support, (_, k) => {
    let most = 0;
    for (let r = 0; r < coef.rows; r++) most = Math.max(most, Math.abs(coef.data[r * coef.cols + k]!));
    return most;
  });
  const order = [...weight.keys()].sort((a, b) => weight[b]! - weight[a]!).slice(0, MOST_LINES);
  const cut = support.length > MOST_LINES ? ` The ${MOST_LINES} largest are listed.` : "";
  return [
    {
      kind: "table",
      title: areVectors ? "Support vectors" : "Rows of the kernel expansion",
      note: areVectors
        ? `${support.length} rows hold the margin; α is the largest absolute coefficient of a row. Those at the bound lie inside the margin or on the wrong side.${cut}`
        : `The answer is a sum over ${support.length} rows of coefficient times kernel; α is the largest absolute coefficient of a row.${cut}`,
      head: ["Row", classes.length > 0 ? "Class" : "Value", "α"],
      rows: order.map((k) => [
        rows[support[k]!]! + 1,
        String(labels?.[support[k]!] ?? ""),
        Number(weight[k]!.toPrecision(4)),
      ]),
      about: order.map((k) => rows[support[k]!]!),
    },
  ];
}
