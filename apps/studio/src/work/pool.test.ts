import { expect, test } from "vitest";
import { Pool, Stopped } from "./pool.js";
import type { FromWorker, ToWorker } from "./protocol.js";

/** A worker that answers when it is told to. */
class FakeWorker extends EventTarget {
  static all: FakeWorker[] = [];
  readonly asked: number[] = [];
  ended = false;
  constructor() {
    super();
    FakeWorker.all.push(this);
  }
  postMessage(message: ToWorker): void {
    if (message.type === "ask") this.asked.push(message.id);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(id: number, answer: unknown): void {
    const data: FromWorker = { type: "answer", id, answer };
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

const poolOf = (size: number): Pool => {
  FakeWorker.all = [];
  return new Pool(() => new FakeWorker() as unknown as Worker, size);
};

test("jobs wait for a worker; urgent ones have one more", async () => {
  const pool = poolOf(1);
  const first = pool.run("catalogue", {});
  const second = pool.run("catalogue", {});
  expect(FakeWorker.all).toHaveLength(1);
  const urgent = pool.run("catalogue", {}, { urgent: true });
  const later = pool.run("catalogue", {}, { urgent: true });
  expect(FakeWorker.all.map(({ asked }) => asked)).toEqual([[1], [3]]);
  FakeWorker.all[1]!.answer(3, ["urgent"]);
  await expect(urgent).resolves.toEqual(["urgent"]);
  // The extra worker takes the next urgent job, not the one that waits in turn.
  expect(FakeWorker.all.map(({ asked }) => asked)).toEqual([[1], [3, 4]]);
  FakeWorker.all[0]!.answer(1, ["first"]);
  await expect(first).resolves.toEqual(["first"]);
  // One job runs, as many as there are workers.
  expect(FakeWorker.all[0]!.asked).toEqual([1]);
  FakeWorker.all[1]!.answer(4, ["later"]);
  await later;
  expect(FakeWorker.all.flatMap(({ asked }) => asked).sort()).toEqual([1, 2, 3, 4]);
  for (const worker of FakeWorker.all) worker.answer(2, ["second"]);
  await expect(second).resolves.toEqual(["second"]);
});

test("a worker that does not notice the stop is replaced, and the next job runs", async () => {
  const pool = poolOf(1);
  const stop = new AbortController();
  const stuck = pool.run("catalogue", {}, { signal: stop.signal });
  const next = pool.run("catalogue", {});
  stop.abort();
  await expect(stuck).rejects.toThrow(Stopped);
  expect(FakeWorker.all[0]!.ended).toBe(true);
  FakeWorker.all[1]!.answer(2, ["next"]);
  await expect(next).resolves.toEqual(["next"]);
});
