import { minOf } from "argmax/numeric";
import type { Outcome, Row } from "./run.js";
import type { Pledge, Side } from "./workload.js";

/** Summary of a benchmark row: argmax compared with the reference, and the targets. */
export interface Summary {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly argmax: Outcome;
  /** The variant of scikit-learn, XGBoost or TensorFlow.js that counts: see `reference`. */
  readonly reference?: Outcome;
  readonly others: readonly Outcome[];
  /** Reference time over argmax time: above 1, argmax is faster. */
  readonly ratio?: number;
  readonly coldRatio?: number;
  /** (argmax − reference) / |reference|; negative: argmax is lower. */
  readonly excess?: number;
  /** Missed targets, in words. */
  readonly broken: readonly string[];
}

/** Two solvers have reached the same minimum if they differ by less than this. */
const SAME_MINIMUM = 1e-4;
const MEGABYTE = 1 << 20;

const REFERENCES: readonly Side[] = ["scikit-learn", "XGBoost", "TensorFlow.js"];

/**
 * The fastest of scikit-learn's variants, XGBoost and TensorFlow.js among those whose objective is close to the lowest one reached; if none is
 * close, the closest one. Stopping early does not make a contestant the reference.
 */
export function reference(outcomes: readonly Outcome[]): Outcome | undefined {
  const theirs = outcomes.filter(
    ({ contestant: { side, information } }) => REFERENCES.includes(side) && !information,
  );
  const fastest = (list: readonly Outcome[]) => [...list].sort((a, b) => a.best - b.best)[0];
  if (theirs.some(({ objective }) => objective === undefined)) return fastest(theirs);
  const lowest = minOf(outcomes.filter(sameProblem).map(({ objective }) => objective!));
  const near = theirs.filter(({ objective }) => objective! - lowest <= SAME_MINIMUM * Math.abs(lowest));
  return fastest(near) ?? [...theirs].sort((a, b) => a.objective! - b.objective!)[0];
}

const sameProblem = ({ contestant }: Outcome) => contestant.side !== "ml.js";

export function summarize(row: Row): Summary {
  const { workload, outcomes, data } = row;
  const argmax = outcomes.find(({ contestant }) => contestant.side === "argmax")!;
  const against = reference(outcomes);
  const figures = against === undefined ? {} : compare(argmax, against);
  return {
    id: workload.id,
    title: workload.title,
    group: workload.group,
    argmax,
    ...(against === undefined ? {} : { reference: against }),
    others: outcomes.filter((one) => one !== argmax && one !== against),
    ...figures,
    broken: [
      ...brokenPledges(workload.pledge, argmax, figures, against?.contestant.side),
      ...memoryBroken(argmax, data.bytes, workload.action),
    ],
  };
}

type Figures = Pick<Summary, "ratio" | "coldRatio" | "excess">;

function compare(argmax: Outcome, against: Outcome): Figures {
  const [ours, theirs] = [argmax.objective ?? argmax.checksum, against.objective ?? against.checksum];
  return {
    ratio: against.best / argmax.best,
    coldRatio: against.cold / argmax.cold,
    ...(ours === undefined || theirs === undefined
      ? {}
      : { excess: (ours - theirs) / Math.max(Math.abs(theirs), Number.MIN_VALUE) }),
  };
}

function brokenPledges(
  pledge: Pledge,
  argmax: Outcome,
  { ratio, excess }: Figures,
  against = "scikit-learn",
): string[] {
  const broken: string[] = [];
  if (pledge.ratio !== undefined && ratio !== undefined && ratio < pledge.ratio) {
    broken.push(`${ratio.toFixed(2)} × as fast as ${against}, promised ${pledge.ratio} ×`);
  }
  if (pledge.seconds !== undefined && argmax.best > pledge.seconds) {
    broken.push(`${(argmax.best * 1e6).toFixed(1)} µs, promised ${pledge.seconds * 1e6} µs`);
  }
  if (pledge.objective !== undefined && excess !== undefined && excess > pledge.objective) {
    broken.push(`objective higher by ${excess.toExponential(1)}, promised ${pledge.objective}`);
  }
  return broken;
}

/** "Peak memory of a fit ≤ 3 × its input plus 64 MB", the input itself included. */
function memoryBroken({ added }: Outcome, bytes: number, action: string): string[] {
  if (action !== "fit" && action !== "path") return [];
  const used = added + bytes;
  const allowed = 3 * bytes + 64 * MEGABYTE;
  const show = (value: number) => `${Math.round(value / MEGABYTE)} MB`;
  return used <= allowed ? [] : [`${show(used)} of memory with the input, promised ${show(allowed)}`];
}

/** Geometric mean of the ratios of a group. */
export function meanRatio(summaries: readonly Summary[], group: string): number | undefined {
  const ratios = summaries.flatMap((row) =>
    row.group === group && row.ratio !== undefined ? [row.ratio] : [],
  );
  if (ratios.length === 0) return undefined;
  return Math.exp(ratios.reduce((total, ratio) => total + Math.log(ratio), 0) / ratios.length);
}
