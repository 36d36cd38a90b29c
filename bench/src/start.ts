import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { LogisticRegression, Matrix, saveModel } from "argmax";
import { minOf } from "argmax/numeric";
import { readDoubles, readIntegers } from "./data/store.js";
import { contestantScript, env, pythonScript, type Setting } from "./setting.js";
import type { Contestant, Measurement, StoredData, Workload } from "./workload.js";

const run = promisify(execFile);

/** Fits and saves the models that the fresh processes will load. */
export async function prepareStart(
  workload: Workload,
  data: StoredData,
  setting: Setting,
  out: (contestant: Contestant) => string,
): Promise<void> {
  for (const contestant of workload.contestants) {
    const path = out(contestant);
    mkdirSync(dirname(path), { recursive: true });
    if (contestant.side === "argmax") {
      const X = new Matrix(readDoubles(data.dense!), data.rows, data.cols);
      writeFileSync(path, saveModel(new LogisticRegression().fit(X, readIntegers(data.y))));
    } else if (setting.python !== undefined) {
      const job = `${path}.job.json`;
      writeFileSync(job, JSON.stringify({ ...contestant, action: "save", data, out: path }));
      await run(setting.python, [pythonScript("contestant.py"), job], { env });
    }
  }
}

/** One fresh process per measurement, five per round: only the first prediction of a process is of interest. */
export async function runStart(
  contestant: Contestant,
  data: StoredData,
  model: string,
  setting: Setting,
): Promise<Measurement> {
  const row = JSON.stringify(Array.from(readDoubles(data.dense!).subarray(0, data.cols)));
  const [command, script] =
    contestant.side === "argmax"
      ? [process.execPath, contestantScript("start.js")]
      : [setting.python!, pythonScript("start.py")];
  const seconds: number[] = [];
  let checksum = 0;
  for (let i = 0; i < 5; i++) {
    const { stdout } = await run(command, [script, model, row], { env });
    const shown = JSON.parse(stdout) as { seconds: number; prediction: number };
    seconds.push(shown.seconds);
    checksum = shown.prediction;
  }
  return {
    version: "",
    cold: seconds[0]!,
    best: minOf(seconds),
    fits: seconds.length,
    residentBefore: 0,
    residentPeak: 0,
    checksum,
  };
}
