import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../../wasm/shared/", import.meta.url));
const options =
  "--runtime stub --enable threads --enable simd --importMemory --initialMemory 1 --maximumMemory 1";
const TEAM = 1024;
/** Where wasm/shared/team.ts keeps the number of tasks of the job. */
const TASKS = 128;

interface Team {
  openTeam(team: number): void;
  startJob(team: number, tasks: number): bigint;
  takeTask(team: number, job: bigint): number;
  finishTask(team: number): void;
}

describe("tasks of a team", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  let team: Team;

  beforeAll(async () => {
    const args = [
      "team.ts",
      "--baseDir",
      folder,
      "--outFile",
      "team.wasm",
      "--use",
      "abort=",
      ...options.split(" "),
    ];
    let binary: Uint8Array<ArrayBuffer> | undefined;
    const writeFile = (name: string, contents: string | Uint8Array) => {
      if (name.endsWith(".wasm")) binary = Uint8Array.from(contents as Uint8Array);
    };
    const { error, stderr } = await asc.main(args, { writeFile });
    if (error) throw new Error(String(stderr));
    const { instance } = await WebAssembly.instantiate(binary!, { env: { memory } });
    team = instance.exports as unknown as Team;
  });

  beforeEach(() => {
    new Uint8Array(memory.buffer, TEAM, 256).fill(0);
    team.openTeam(TEAM);
  });

  const run = (tasks: number): bigint => {
    const job = team.startJob(TEAM, tasks);
    for (let task = 0; task < tasks; task++) {
      expect(team.takeTask(TEAM, job)).toBe(task);
      team.finishTask(TEAM);
    }
    return job;
  };

  it("are taken in ascending order, each once", () => {
    for (const tasks of [3, 1, 5]) expect(team.takeTask(TEAM, run(tasks))).toBe(-1);
  });

  it("are those of the current job only", () => {
    const first = run(2);
    const second = team.startJob(TEAM, 4);
    expect(team.takeTask(TEAM, first)).toBe(-1);
    expect(team.takeTask(TEAM, second)).toBe(0);
  });

  // The thread with the last task of a job looks for another while the leader prepares a job of more tasks.
  it("do not appear in a finished job while the next one is prepared", () => {
    const finished = run(2);
    new Int32Array(memory.buffer, TEAM + TASKS, 1)[0] = 5;
    expect(team.takeTask(TEAM, finished)).toBe(-1);
  });
});
