/**
 * `node bench/dist/database/growth.js`: lines through the results of `main.js` (seconds over rows, per task), and what they say for more rows on
 * more nodes. Prints markdown.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { home } from "../setting.js";
import { type TaskName, taskNames, tasks } from "./tasks.js";

interface Result {
  readonly task: TaskName;
  readonly rows: number;
  readonly ours: { readonly seconds: number; readonly rss: number; readonly passes?: number };
}

const results = JSON.parse(readFileSync(join(home, "results/database.json"), "utf8")) as Result[];
const cores = availableParallelism();

/** Seconds = start + rows · perRow, by least squares of relative errors: small and large sets count alike. */
function lineOf(points: readonly Result[]): {
  readonly start: number;
  readonly perRow: number;
  readonly worst: number;
} {
  let [s, sx, sxx, sy, sxy] = [0, 0, 0, 0, 0];
  for (const { rows, ours } of points) {
    const w = 1 / ours.seconds ** 2;
    s += w;
    sx += w * rows;
    sxx += w * rows * rows;
    sy += w * ours.seconds;
    sxy += w * rows * ours.seconds;
  }
  const perRow = (s * sxy - sx * sy) / (s * sxx - sx * sx);
  const start = Math.max(0, (sy - perRow * sx) / s);
  const worst = points.reduce(
    (most, { rows, ours }) => Math.max(most, Math.abs((start + perRow * rows) / ours.seconds - 1)),
    0,
  );
  return { start, perRow, worst };
}

const show = (seconds: number): string =>
  seconds < 90
    ? `${seconds.toPrecision(2)} s`
    : seconds < 5400
      ? `${(seconds / 60).toPrecision(2)} min`
      : seconds < 172_800
        ? `${(seconds / 3600).toPrecision(2)} h`
        : `${(seconds / 86_400).toPrecision(2)} days`;

/** Cores of a node, and seconds that a pass waits for the slowest of them and for the network. */
const [NODE_CORES, WAIT] = [16, 0.2];

console.log("| task | passes | start | per million rows | largest deviation | peak memory |");
console.log("| --- | --- | --- | --- | --- | --- |");
const lines = taskNames.flatMap((task) => {
  const points = results.filter((result) => result.task === task);
  if (points.length < 2) return [];
  const line = lineOf(points);
  const peaks = points.map(({ rows, ours }) => `${Math.round(ours.rss)} MB at ${rows / 1e6} M`);
  const passes = points.at(-1)!.ours.passes ?? 1;
  console.log(
    `| ${tasks[task].title} | ${passes} | ${line.start.toFixed(1)} s | ${(1e6 * line.perRow).toFixed(2)} s | ${(100 * line.worst).toFixed(0)} % | ${peaks.join(", ")} |`,
  );
  return [{ task, passes, ...line }];
});

console.log(
  `\n| task | ${["10⁹", "10¹⁰", "10¹¹"].flatMap((n) => [`${n}, 10 nodes`, `${n}, 100 nodes`]).join(" | ")} |`,
);
console.log(`| --- | ${Array.from({ length: 6 }, () => "---").join(" | ")} |`);
for (const { task, passes, start, perRow } of lines) {
  const cells = [1e9, 1e10, 1e11].flatMap((rows) =>
    [10, 100].map((nodes) => show(start + (perRow * rows * cores) / (nodes * NODE_CORES) + passes * WAIT)),
  );
  console.log(`| ${tasks[task].title} | ${cells.join(" | ")} |`);
}
