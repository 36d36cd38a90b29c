import type { Label } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { shortNumber } from "../core/text/printing.js";
import type { ConfusionMatrix } from "../metrics/confusion-matrix.js";
import { colour, figure, type PlotOptions, paper, readPlotOptions, TITLE } from "./figure.js";
import { element, shortText, text } from "./svg.js";

/** Height of the names above the cells, and below which fraction of a row's largest count text is dark on light. */
const NAMES = 44;
const DARK = 0.55;

/** Counts as cells, the darker the larger their fraction of the row: `confusionMatrixPlot(confusionMatrix(y, predictions))`. */
export function confusionMatrixPlot<L extends Label>(
  { matrix, classes, layout }: ConfusionMatrix<L>,
  options: PlotOptions = {},
): string {
  const K = classes.length;
  const longest = Math.min(16, maxOf(classes.map((label) => String(label).length)));
  const left = 40 + 7 * longest;
  const side = Math.max(36, Math.min(72, 420 / K));
  const natural = { width: left + Math.max(K * side, 150) + 18, height: TITLE + NAMES + K * side + 18 };
  const { title, width, height } = readPlotOptions("confusionMatrixPlot", options, {
    title: "Confusion matrix",
    ...natural,
  });
  const [across, down] = [(width - left - 18) / K, (height - TITLE - NAMES - 18) / K];
  const [rows, columns] = layout === "rows-are-truth" ? ["truth", "predicted"] : ["predicted", "truth"];
  const top = TITLE + NAMES;
  const letters = Math.max(3, Math.floor(across / 6.6));
  const shapes = [
    text(left + (K * across) / 2, TITLE + 14, columns, { "text-anchor": "middle", class: "muted" }),
    element(
      "g",
      { transform: `translate(18 ${Math.round(top + (K * down) / 2)}) rotate(-90)` },
      text(0, 0, rows, { "text-anchor": "middle", class: "muted" }),
    ),
  ];
  for (let k = 0; k < K; k++) {
    const name = String(classes[k]);
    shapes.push(
      shortText(left + (k + 0.5) * across, top - 8, name, letters, { "text-anchor": "middle" }),
      shortText(left - 8, top + (k + 0.5) * down + 4, name, 16, { "text-anchor": "end" }),
    );
  }
  for (let r = 0; r < K; r++) {
    const row = matrix.row(r);
    const total = row.reduce((sum, v) => sum + v, 0);
    for (let c = 0; c < K; c++) {
      const share = total > 0 ? row[c]! / total : 0;
      const [x, y] = [left + c * across, top + r * down];
      const cell = { x: x + 1, y: y + 1, width: across - 2, height: down - 2, rx: 3 };
      shapes.push(
        element("rect", { ...cell, class: "grid", fill: "none" }),
        element("rect", { ...cell, fill: colour(0), "fill-opacity": share.toFixed(3) }),
        text(x + across / 2, y + down / 2 + 5, shortNumber(row[c]!), {
          "text-anchor": "middle",
          style: share > DARK ? `fill:${paper}` : undefined,
        }),
      );
    }
  }
  const right = classes.reduce((sum, _, k) => sum + matrix.row(k)[k]!, 0);
  const all = matrix.data.reduce((sum, v) => sum + v, 0);
  const summary = `${shortNumber(right)} of ${shortNumber(all)} on the diagonal`;
  return figure(title, summary, [width, height], shapes);
}
