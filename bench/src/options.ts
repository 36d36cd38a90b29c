import { parseArgs } from "node:util";
import type { Workload } from "./workload.js";

export interface Options {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly quick: boolean;
  readonly check: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

export const usage = `npm run bench -- [options]

  --only id,id   run these workloads (--list names them)
  --rounds n     processes per contestant, interleaved; the best counts (default 3)
  --quick        one round, short budgets: to see that everything runs, not to quote
  --check        exit with 1 if a row breaks its promise (speed, objective, latency, memory)
  --list         print the workloads
  --help         print this

Results: bench/results/latest.json and latest.md. Data are made once, in bench/cache.
ARGMAX_BENCH_PYTHON names the Python that has scikit-learn, if it is neither python3 nor /usr/bin/python3.
`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: "" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds must be an integer ≥ 1, got ${values.rounds}.`);
  }
  return {
    only: values.only.split(",").filter((id) => id !== ""),
    rounds,
    quick: values.quick,
    check: values.check,
    list: values.list,
    help: values.help,
  };
}

export function chosen(workloads: readonly Workload[], only: readonly string[]): readonly Workload[] {
  const ids = workloads.map(({ id }) => id);
  const unknown = only.filter((id) => !ids.includes(id));
  if (unknown.length > 0)
    throw new Error(`--only must name workloads (${ids.join(", ")}), got ${unknown.join(", ")}.`);
  return only.length === 0 ? workloads : workloads.filter(({ id }) => only.includes(id));
}
