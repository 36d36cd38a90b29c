import { maxOf } from "argmax/numeric";
/** Bars of counts side by side as an SVG path, the largest as high as the picture; what is there at all is seen. */
export function barsPath(counts: readonly number[], width: number, height: number): string {
  const most = maxOf(counts, 1);
  const step = width / counts.length;
  return counts
    .map((count, k) => {
      if (count === 0) return "";
      const tall = Math.max(1.5, (height * count) / most);
      return `M${round(k * step)} ${height}v${round(-tall)}h${round(step - 1)}v${round(tall)}z`;
    })
    .join("");
}

const round = (value: number): number => Math.round(value * 100) / 100;
