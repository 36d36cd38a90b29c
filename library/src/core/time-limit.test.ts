import { afterEach, describe, expect, it, vi } from "vitest";
import { GaussianMixture } from "../mixture/index.js";
import { MLPClassifier } from "../neural/index.js";
import { crossValidate } from "../selection/index.js";
import { AbortError, ParameterError } from "./errors.js";
import { Random } from "./numbers/random.js";
import { timeLimit } from "./time-limit.js";

const random = new Random(1);
const X = Array.from({ length: 200 }, () => [random.normal(), random.normal()]);
const y = X.map(([a, b]) => (a! * b! > 0 ? "x" : "y"));
const long = new MLPClassifier({ maxIter: 1e6, tol: 0, nIterNoChange: 1e6 });

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

afterEach(() => vi.useRealTimers());

describe("timeLimit", () => {
  it("stops a synchronous fit by the clock, with the model so far", () => {
    const began = performance.now();
    const error = thrownBy(() => long.fit(X, y, { signal: timeLimit(0.1) })) as AbortError;
    // An epoch takes a millisecond; the machine may be busy.
    expect(performance.now() - began).toBeLessThan(3000);
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toMatchObject({ name: "TimeoutError", message: "The time limit of 0.1 s is over." });
    const model = error.model as ReturnType<typeof long.fit>;
    expect(model.predict(X).length).toBe(200);
    expect(model.report.iterations).toBeGreaterThan(0);
  });

  it("stops what fits inside a cross-validation", () => {
    expect(() => crossValidate(long, X, y, { cv: 2, signal: timeLimit(0.05) })).toThrow(AbortError);
  });

  it("does nothing to a fit that is done in time, and fires with the other signal", () => {
    expect(new GaussianMixture().fit(X, { signal: timeLimit(1000) }).report.iterations).toBeGreaterThan(0);
    const stop = new AbortController();
    const signal = timeLimit(1000, stop.signal);
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    stop.abort("enough");
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  it("calls listeners, unless they were removed", async () => {
    const heard: string[] = [];
    const signal = timeLimit(0.02);
    const removed = () => heard.push("removed");
    signal.addEventListener("abort", () => heard.push("kept"));
    signal.addEventListener("abort", removed);
    signal.removeEventListener("abort", removed);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(heard).toEqual(["kept"]);
  });

  it("has fired when it calls a listener, also if the timer is early by the clock", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const signal = timeLimit(1000);
    const heard: unknown[] = [];
    signal.addEventListener("abort", () => heard.push(signal.aborted, (signal.reason as Error).name));
    vi.runAllTimers();
    expect(heard).toEqual([true, "TimeoutError"]);
  });

  it("refuses AbortSignal.timeout where its timer could not fire, with a sentence", () => {
    const error = thrownBy(() => long.fit(X, y, { signal: AbortSignal.timeout(50) }));
    expect(error).toBeInstanceOf(ParameterError);
    expect((error as Error).message).toBe(
      "MLPClassifier.fit: signal must be one that can fire while this thread is busy, got AbortSignal.timeout, whose timer waits until " +
        "the fit returns. Pass { signal: timeLimit(seconds) }, which reads the clock, or fit in a worker: " +
        "background(estimator).fit(X, y, { signal }).",
    );
    expect(() => crossValidate(long, X, y, { signal: AbortSignal.timeout(50) })).toThrow(ParameterError);
  });

  it("a signal that fires during a callback gives the model too", () => {
    const stop = new AbortController();
    const error = thrownBy(() =>
      long.fit(X, y, { signal: stop.signal, onProgress: ({ iteration }) => iteration === 3 && stop.abort() }),
    ) as AbortError;
    expect((error.model as ReturnType<typeof long.fit>).report.iterations).toBe(3);
  });
});
