import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { maxOf, minOf } from "argmax/numeric";
import { stored } from "./data/store.js";
import { evaluate, openRows, readLearned } from "./evaluate.js";
import { contestantScript, env, pythonScript, type Setting } from "./setting.js";
import { prepareStart, runStart } from "./start.js";
import type { Contestant, Job, Measurement, Side, StoredData, Workload } from "./workload.js";

const run = promisify(execFile);

/** The measurements of one contestant over all rounds. */
export interface Outcome {
  readonly contestant: Contestant;
  readonly version: string;
  readonly best: number;
  readonly cold: number;
  readonly fits: number;
  /** Bytes resident at most during a fit, and how much of that the fit added. */
  readonly peak: number;
  readonly added: number;
  readonly iterations?: number;
  /** The objective or one minus the accuracy; see evaluate.ts. */
  readonly objective?: number;
  readonly checksum?: number;
}

export interface Row {
  readonly workload: Workload;
  readonly data: Pick<StoredData, "rows" | "cols" | "bytes">;
  readonly outcomes: readonly Outcome[];
  /** Contestants that did not run, and why. */
  readonly absent: readonly string[];
}

/** All contestants on the same bytes, each in its own process, in turns: argmax, scikit-learn, …, argmax, … */
export async function runWorkload(workload: Workload, setting: Setting): Promise<Row> {
  setting.progress("data");
  const data = await stored(setting.cache, workload.data);
  const present = workload.contestants.filter(({ side }) => installed(side, setting));
  const absent = workload.contestants.filter((one) => !present.includes(one)).map(describe);
  const measured = new Map<Contestant, Measurement[]>(present.map((one) => [one, []]));
  const out = (contestant: Contestant) =>
    join(setting.cache, "jobs", `${workload.id}.${workload.contestants.indexOf(contestant)}.out`);
  mkdirSync(join(setting.cache, "jobs"), { recursive: true });
  if (workload.action === "start") await prepareStart(workload, data, setting, out);
  for (let round = 0; round < setting.rounds; round++) {
    for (const contestant of present) {
      if (contestant.once && round > 0) continue;
      setting.progress(`round ${round + 1} of ${setting.rounds}, ${describe(contestant)}`);
      measured.get(contestant)!.push(await measure(workload, contestant, data, out(contestant), setting));
    }
  }
  setting.progress("objectives");
  const outcomes = present.map((one) => outcome(one, measured.get(one)!));
  const judged = judge(workload, data, outcomes, out);
  for (const one of present) rmSync(out(one), { force: true });
  return {
    workload,
    data: { rows: data.rows, cols: data.cols, bytes: data.bytes },
    outcomes: judged,
    absent,
  };
}

function installed(side: Side, { python, xgboost, torch }: Setting): boolean {
  if (side === "XGBoost") return xgboost;
  if (side === "PyTorch") return torch;
  return side !== "scikit-learn" || python !== undefined;
}

export const describe = ({ side, label, call }: Contestant): string =>
  side === "ml.js" || side === "limit" ? call : label ? `${side} (${label})` : side;

async function measure(
  workload: Workload,
  contestant: Contestant,
  data: StoredData,
  out: string,
  setting: Setting,
): Promise<Measurement> {
  if (workload.action === "start") return runStart(contestant, data, out, setting);
  const job: Job = {
    action: workload.action,
    call: contestant.call,
    params: contestant.params,
    data,
    ...(workload.seeds === undefined ? {} : { seeds: workload.seeds }),
    ...(workload.queries === undefined ? {} : { queries: workload.queries }),
    out,
    minFits: contestant.once ? 1 : 3,
    minSeconds: contestant.once ? 0 : setting.quick ? 0.2 : 1,
    budgetSeconds: setting.quick ? 2 : 20,
  };
  const path = `${out}.job.json`;
  writeFileSync(path, JSON.stringify(job));
  const [command, script] = {
    argmax: [process.execPath, contestantScript("argmax.js")],
    "ml.js": [process.execPath, contestantScript("ml-js.js")],
    "scikit-learn": [setting.python!, pythonScript("contestant.py")],
    XGBoost: [setting.python!, pythonScript("contestant.py")],
    PyTorch: [setting.python!, pythonScript("contestant.py")],
    "TensorFlow.js": [process.execPath, contestantScript("tensorflow.js")],
    limit: [process.execPath, contestantScript("limit.js")],
  }[contestant.side] as [string, string];
  try {
    const { stdout } = await run(command, [script, path], { env, maxBuffer: 1 << 24 });
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as Measurement;
  } finally {
    rmSync(path, { force: true });
  }
}

function outcome(contestant: Contestant, rounds: readonly Measurement[]): Outcome {
  const last = rounds.at(-1)!;
  return {
    contestant,
    version: last.version,
    best: minOf(rounds.map(({ best }) => best)),
    cold: minOf(rounds.map(({ cold }) => cold)),
    fits: rounds.reduce((total, { fits }) => total + fits, 0),
    peak: maxOf(rounds.map(({ residentPeak }) => residentPeak)),
    added: maxOf(rounds.map(({ residentPeak, residentBefore }) => residentPeak - residentBefore)),
    ...(last.iterations === undefined ? {} : { iterations: last.iterations }),
    ...(last.checksum === undefined ? {} : { checksum: last.checksum }),
  };
}

/** The same formula on the same data for all contestants, from the coefficients in their output files. */
function judge(
  { measure, action, seeds = 1 }: Workload,
  data: StoredData,
  outcomes: readonly Outcome[],
  out: (contestant: Contestant) => string,
): readonly Outcome[] {
  if (!measure) return outcomes;
  const rows = openRows(data);
  return outcomes.map((one) => {
    const vectors = action === "path" ? pathLength(one) : data.classes > 2 ? data.classes : 1;
    const learned = readLearned(out(one.contestant), vectors, data.cols, measure, seeds);
    const sum = learned.reduce((total, each) => total + evaluate(measure, rows, each), 0);
    return { ...one, objective: sum / seeds };
  });
}

function pathLength({ contestant: { params } }: Outcome): number {
  return Number(params.nAlphas ?? params.n_alphas);
}
