import type { Panel } from "../../protocol.js";
import type { About } from "./about.js";
import { MOST_LINES } from "./limits.js";
import { type Parts, part } from "./parts.js";

export function supportVectors(model: Parts, { classes, rows, labels }: About): Panel[] {
  const vectors = part(model, "support");
  const support = vectors ?? part(model, "rows");
  const given = part(model, "dualCoef");
  if (!(support instanceof Int32Array) || given === undefined) return [];
  const dualCoef = given instanceof Float64Array ? { data: given, rows: 1, cols: given.length } : given;
  const weight = Array.from(support, (_, k) => {
    let most = 0;
    for (let r = 0; r < dualCoef.rows; r++)
      most = Math.max(most, Math.abs(dualCoef.data[r * dualCoef.cols + k]!));
    return most;
  });
  const order = [...weight.keys()].sort((a, b) => weight[b]! - weight[a]!).slice(0, MOST_LINES);
  const cut = support.length > MOST_LINES ? ` The ${MOST_LINES} largest are listed.` : "";
  return [
    {
      kind: "table",
      title: vectors === undefined ? "Rows of the kernel expansion" : "Support vectors",
      note:
        vectors === undefined
          ? `The answer is a sum over ${support.length} rows of coefficient times kernel; α is the largest absolute coefficient of a row.${cut}`
          : `${support.length} rows hold the margin; α is the largest absolute coefficient of a row. Those at the bound lie inside the margin or on the wrong side.${cut}`,
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
