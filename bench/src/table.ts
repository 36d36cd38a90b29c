import type { Outcome, Row } from "./run.js";
import { describe } from "./run.js";
import { meanRatio, type Summary } from "./summary.js";
import type { Workload } from "./workload.js";

/** Results as text: one Markdown table, and the lines that a terminal shows. */

export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${(seconds * 1e6).toPrecision(3)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return `${seconds.toPrecision(3)} s`;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MB`;
const times = (ratio: number): string => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)} ×`;

/** Throughput of a kernel. */
export function rate(
  { action, data }: Workload,
  { rows, cols, bytes }: Row["data"],
  seconds: number,
): string | undefined {
  if (data.kind === "factors")
    return `${((2 * data.m * data.k * data.n) / seconds / 1e9).toPrecision(3)} GFLOPS`;
  if (action === "vectorize") return `${(bytes / seconds / 1e6).toPrecision(3)} MB/s`;
  if (action === "gemm") return `${((2 * rows * cols * cols) / seconds / 1e9).toPrecision(3)} GFLOPS`;
  if (action === "gemv") return `${((8 * rows * cols) / seconds / 1e9).toPrecision(3)} GB/s`;
  if (action === "exp") return `${((rows * cols) / seconds / 1e6).toPrecision(3)} M/s`;
  return undefined;
}

function excess(summary: Summary): string {
  if (summary.excess === undefined) return "";
  if (Math.abs(summary.excess) < 1e-9) return "same";
  return `${summary.excess > 0 ? "+" : "−"}${Math.abs(summary.excess).toExponential(0)}`;
}

/** The side and the variant of the reference, if it is not scikit-learn with its defaults. */
function variant({ contestant: { side, label } }: Outcome): string {
  const said = [side === "scikit-learn" ? undefined : side, label].filter((part) => part !== undefined);
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

function cells(row: Row, summary: Summary): string[] {
  const show = (one: Outcome | undefined) => {
    if (one === undefined) return "–";
    return rate(row.workload, row.data, one.best) ?? duration(one.best);
  };
  const { argmax, reference } = summary;
  const memory = (one: Outcome | undefined) => (one && one.peak > 0 ? megabytes(one.added) : "–");
  const reached = (one: Outcome) =>
    one.contestant.side === "limit" ? `, ${Math.round((100 * one.best) / argmax.best)} % reached` : "";
  const others = summary.others
    .map((one) => `${describe(one.contestant)} ${show(one)}${reached(one)}`)
    .join("; ");
  return [
    summary.title,
    show(argmax),
    reference ? `${show(reference)}${variant(reference)}` : "–",
    summary.ratio === undefined ? "–" : times(summary.ratio),
    summary.coldRatio === undefined ? "–" : times(summary.coldRatio),
    excess(summary),
    `${memory(argmax)} / ${memory(reference)}`,
    others,
  ];
}

const HEAD = [
  "workload",
  "argmax",
  "scikit-learn",
  "faster",
  "first fit",
  "objective",
  "memory added by a fit",
  "others",
];

export function markdown(rows: readonly Row[], summaries: readonly Summary[], versions: string): string {
  const lines = [HEAD, HEAD.map(() => "---"), ...rows.map((row, i) => cells(row, summaries[i]!))];
  const table = lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
  const notes = rows.flatMap(({ workload }) =>
    workload.note ? [`- ${workload.title}: ${workload.note}`] : [],
  );
  return [
    versions,
    "",
    "“Faster” compares the best fit of each side, “first fit” the first of a fresh process. “Objective” is how far",
    "argmax's minimum lies above (+) or below (−) the reference's, relative, by one formula for both. “Memory” is what",
    "the first fit adds to the process, argmax / scikit-learn. Where a cell of scikit-learn's column names another contestant, that is the",
    "reference.",
    "",
    table,
    "",
    ...geometricMeans(summaries),
    ...notes,
    "",
  ].join("\n");
}

export function geometricMeans(summaries: readonly Summary[]): string[] {
  return (
    ["linear", "iris", "probabilistic", "text", "tables", "machines", "ensembles", "networks"] as const
  ).flatMap((group) => {
    const mean = meanRatio(summaries, group);
    return mean === undefined ? [] : [`- geometric mean over the ${group} rows: ${times(mean)} as fast`];
  });
}

/** One line per row, for the terminal. */
export function line(row: Row, summary: Summary): string {
  const [title, argmax, reference, faster, cold, objective, memory, others] = cells(row, summary) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const mark = summary.broken.length > 0 ? `  ✗ ${summary.broken.join("; ")}` : "";
  const judged = objective === "" ? "" : `, objective ${objective}`;
  const named = (summary.reference?.contestant.side ?? "scikit-learn") === "scikit-learn";
  const beside = others === "" ? "" : `, beside: ${others}`;
  return `${title}: ${argmax}, ${named ? "scikit-learn" : "reference"} ${reference}, ${faster} (first fit ${cold})${judged}, memory ${memory}${beside}${mark}`;
}
