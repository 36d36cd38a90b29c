import { describe, expect, test } from "vitest";
import { recorder } from "../../test/support/recorder.js";
import { JobLines } from "./job-lines.js";
import { widthOf } from "./table.js";

/** A clock that a test moves. */
const clock = () => {
  const time = { now: 0 };
  return { time, now: () => time.now };
};

describe("JobLines", () => {
  test("draws a bar with the time left per job, and the folds of all", () => {
    const { terminal, drawn } = recorder({ width: 80, height: 24 });
    const { time, now } = clock();
    const lines = new JobLines(terminal, 4, now);
    for (const [at, name] of [
      [1000, "tree"],
      [2000, "forest"],
      [3000, "tree"],
    ] as const) {
      time.now = at;
      lines.advance(name, "0.9000", 8);
    }
    expect(drawn.at(-1)).toEqual([
      "tree    ━━━━━━━━━━──────────  0.9000  4.0 s left",
      "forest  ━━━━━───────────────  0.9000  …",
      "3 of 8 folds, 5.0 s left",
    ]);
    lines.end();
    expect(drawn.at(-1)).toEqual([]);
  });

  test("a job is seen from its beginning, with its time", () => {
    const { terminal, drawn } = recorder({ width: 80, height: 24 });
    const { time, now } = clock();
    const lines = new JobLines(terminal, 4, now);
    lines.begin("forest");
    time.now = 3000;
    lines.begin("tree");
    expect(drawn.at(-1)).toEqual([
      "forest  ────────────────────  3.0 s",
      "tree    ────────────────────  1 ms",
      "the first folds are measured … 3.0 s",
    ]);
    time.now = 5000;
    lines.advance("forest", "0.9000", 8);
    expect(drawn.at(-1)![0]).toBe("forest  ━━━━━───────────────  0.9000  15 s left");
    lines.end();
  });

  test("a job that is done shows its result only", () => {
    const { terminal, drawn } = recorder({ width: 80, height: 24 });
    const { time, now } = clock();
    const lines = new JobLines(terminal, 2, now);
    for (const at of [100, 200]) {
      time.now = at;
      lines.advance("tree", "0.8000", 2);
    }
    expect(drawn.at(-1)![0]).toBe("tree  ━━━━━━━━━━━━━━━━━━━━  0.8000");
  });

  test("never is wider or higher than the terminal", () => {
    for (const [width, height] of [
      [12, 4],
      [30, 3],
      [60, 2],
    ] as const) {
      const { terminal, drawn } = recorder({ width, height });
      const { time, now } = clock();
      const lines = new JobLines(terminal, 3, now);
      for (let k = 0; k < 12; k++) {
        time.now += 1000;
        lines.advance(`HistGradientBoostingClassifier${k % 4}`, "0.1234", 12);
      }
      for (const screen of drawn) {
        expect(screen.length).toBeLessThanOrEqual(height);
        for (const line of screen) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test("without a terminal writes a line when a job is done", () => {
    const { terminal, notes } = recorder({ width: 80, height: 24, isLive: false });
    const lines = new JobLines(terminal, 2);
    for (const name of ["a", "b", "a", "b"]) lines.advance(name, "0.5000", 4);
    expect(notes).toEqual(["a: 0.5000", "b: 0.5000"]);
  });
});
