import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Pool, poolSize, Stopped } from "./pool.js";
import type { FromWorker, ToWorker } from "./protocol.js";

/** A worker that a test answers for. */
class FakeWorker extends EventTarget {
  readonly received: ToWorker[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    this.received.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(message: FromWorker): void {
    this.dispatchEvent(new MessageEvent("message", { data: message }));
  }

  get asks(): Extract<ToWorker, { type: "ask" }>[] {
    return this.received.filter((message) => message.type === "ask");
  }
}

let workers: FakeWorker[];
const poolOf = (size: number) =>
  new Pool(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  }, size);

beforeEach(() => {
  workers = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Pool", () => {
  test("gives jobs to free workers, and the next to who is free first", async () => {
    const pool = poolOf(2);
    const jobs = [1, 2, 3].map(() => pool.run("catalogue", {}));
    expect(workers.map(({ asks }) => asks.length)).toEqual([1, 1]);
    expect(pool.busy).toBe(3);
    workers[1]!.answer({ type: "answer", id: 2, answer: ["second"] });
    expect(await jobs[1]).toEqual(["second"]);
    expect(workers[1]!.asks.map(({ id }) => id)).toEqual([2, 3]);
    workers[0]!.answer({ type: "failure", id: 1, message: "no" });
    await expect(jobs[0]).rejects.toThrow("no");
  });

  test("sends what a job needs once to each worker, and anew to a new one", async () => {
    const pool = poolOf(1);
    pool.hold("table 1", { rows: 3 });
    const needs = { needs: ["table 1"] };
    for (const id of [1, 2]) {
      const job = pool.run("catalogue", {}, needs);
      workers[0]!.answer({ type: "answer", id, answer: [] });
      await job;
    }
    expect(workers[0]!.received.filter(({ type }) => type === "hold")).toEqual([
      { type: "hold", key: "table 1", value: { rows: 3 } },
    ]);
    const stop = new AbortController();
    const job = pool.run("catalogue", {}, { ...needs, signal: stop.signal });
    stop.abort();
    const ended = expect(job).rejects.toBeInstanceOf(Stopped);
    await vi.advanceTimersByTimeAsync(100);
    await ended;
    expect(workers[0]!.ended).toBe(true);
    void pool.run("catalogue", {}, needs);
    expect(workers[1]!.received.map(({ type }) => type)).toEqual(["hold", "ask"]);
    pool.drop("table 1");
    expect(workers[1]!.received.at(-1)).toEqual({ type: "drop", key: "table 1" });
  });

  test("a stopped job that waits never starts; one that answers in time keeps its worker", async () => {
    const pool = poolOf(1);
    const first = new AbortController();
    const second = new AbortController();
    const running = pool.run("catalogue", {}, { signal: first.signal });
    const waiting = pool.run("catalogue", {}, { signal: second.signal });
    second.abort();
    await expect(waiting).rejects.toBeInstanceOf(Stopped);
    first.abort();
    expect(workers[0]!.received.at(-1)).toEqual({ type: "stop", id: 1 });
    workers[0]!.answer({ type: "answer", id: 1, answer: ["what there is"] });
    expect(await running).toEqual(["what there is"]);
    await vi.advanceTimersByTimeAsync(200);
    expect(workers).toHaveLength(1);
    expect(workers[0]!.asks).toHaveLength(1);
  });

  test("urgent jobs have one worker more, which others do not take", async () => {
    const pool = poolOf(1);
    const asked = () => workers.map(({ asks }) => asks.map(({ id }) => id));
    const [first, second] = [pool.run("catalogue", {}), pool.run("catalogue", {})];
    const urgent = { urgent: true };
    const [third, fourth] = [pool.run("catalogue", {}, urgent), pool.run("catalogue", {}, urgent)];
    expect(asked()).toEqual([[1], [3]]);
    workers[1]!.answer({ type: "answer", id: 3, answer: [] });
    await third;
    expect(asked()).toEqual([[1], [3, 4]]);
    workers[0]!.answer({ type: "answer", id: 1, answer: [] });
    await first;
    expect(asked()).toEqual([[1], [3, 4]]);
    workers[1]!.answer({ type: "answer", id: 4, answer: [] });
    await fourth;
    expect(asked().flat().sort()).toEqual([1, 2, 3, 4]);
    for (const worker of workers) worker.answer({ type: "answer", id: 2, answer: [] });
    await second;
  });

  test("news reach who asked until the job is stopped; those of an earlier job reach nobody", () => {
    const pool = poolOf(1);
    const stop = new AbortController();
    const onNews = vi.fn();
    void pool.run("train", {} as never, { signal: stop.signal, onNews }).catch(() => {});
    workers[0]!.answer({ type: "news", id: 1, news: { done: 1 } });
    workers[0]!.answer({ type: "news", id: 7, news: { done: 2 } });
    stop.abort();
    workers[0]!.answer({ type: "news", id: 1, news: { done: 3 } });
    expect(onNews.mock.calls).toEqual([[{ done: 1 }]]);
  });

  test("a worker that breaks is replaced, and the others go on", async () => {
    const pool = poolOf(1);
    const job = pool.run("catalogue", {});
    workers[0]!.dispatchEvent(
      Object.assign(new Event("error", { cancelable: true }), { message: "out of memory" }),
    );
    await expect(job).rejects.toThrow("out of memory");
    const next = pool.run("catalogue", {});
    workers[1]!.answer({ type: "answer", id: 2, answer: [] });
    expect(await next).toEqual([]);
  });
});

test("one core is left to the page", () => {
  expect([1, 2, 4, 16].map(poolSize)).toEqual([1, 1, 3, 8]);
});

describe("a worker whose files do not arrive", () => {
  const fail = (worker: FakeWorker, message = "") =>
    worker.dispatchEvent(Object.assign(new Event("error"), { message }));

  test("is started again with the same job, and what that needs", async () => {
    const pool = poolOf(1);
    pool.hold("table 1", { rows: 3 });
    const job = pool.run("catalogue", {}, { needs: ["table 1"] });
    fail(workers[0]!);
    expect([workers.length, workers[0]!.ended]).toEqual([1, true]);
    await vi.advanceTimersByTimeAsync(100);
    fail(workers[1]!);
    await vi.advanceTimersByTimeAsync(200);
    expect(workers[2]!.received.map(({ type }) => type)).toEqual(["hold", "ask"]);
    workers[2]!.answer({ type: "answer", id: 1, answer: ["third"] });
    expect(await job).toEqual(["third"]);
  });

  test("is given up after a while; one that fails at its work fails at once", async () => {
    const pool = poolOf(1);
    const job = pool.run("catalogue", {});
    const refused = expect(job).rejects.toThrow("The worker could not be started.");
    for (let k = 0; k < 6; k++) {
      fail(workers.at(-1)!);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    await refused;
    const other = pool.run("catalogue", {});
    const broken = expect(other).rejects.toThrow("out of memory");
    fail(workers.at(-1)!, "out of memory");
    await broken;
  });

  test("takes a job that comes while nobody sits there", async () => {
    const pool = poolOf(1);
    pool.hold("table 1", { rows: 3 });
    const stop = new AbortController();
    const first = expect(pool.run("catalogue", {}, { signal: stop.signal })).rejects.toThrow(Stopped);
    stop.abort();
    await vi.advanceTimersByTimeAsync(100);
    await first;
    // The worker that took the place of the first has no job when it fails.
    fail(workers[1]!);
    const job = pool.run("catalogue", {}, { needs: ["table 1"] });
    await vi.advanceTimersByTimeAsync(100);
    expect(workers[2]!.received.map(({ type }) => type)).toEqual(["hold", "ask"]);
    workers[2]!.answer({ type: "answer", id: 2, answer: [] });
    expect(await job).toEqual([]);
  });

  test("is not started twice if the job is stopped meanwhile", async () => {
    const pool = poolOf(1);
    const stop = new AbortController();
    const job = pool.run("catalogue", {}, { signal: stop.signal });
    const stopped = expect(job).rejects.toThrow(Stopped);
    fail(workers[0]!);
    stop.abort();
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
    expect(workers.filter(({ ended }) => !ended)).toHaveLength(1);
  });
});
