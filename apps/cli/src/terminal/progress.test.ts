import { describe, expect, test } from "vitest";
import { recorder } from "../../test/support/recorder.js";
import { drawBar, ProgressBar } from "./progress.js";
import { noStyle } from "./terminal.js";

describe("drawBar", () => {
  test("never is wider than the terminal", () => {
    for (const width of [1, 8, 20, 40, 80, 200]) {
      for (const share of [0, 0.31, 1]) {
        const line = drawBar(share, "a label that is rather long for a small terminal", width, noStyle);
        expect([...line].length).toBeLessThanOrEqual(Math.max(width, 7));
      }
    }
  });

  test("shows the share in words", () => {
    expect(drawBar(0.429, "Ridge", 80, noStyle)).toContain(" 42%  Ridge");
  });
});

describe("ProgressBar", () => {
  test("redraws at most twenty times a second", () => {
    const { terminal, written: drawn } = recorder();
    let now = 0;
    const bar = new ProgressBar(terminal, 1000, () => now);
    for (now = 0; now < 1000; now++) {
      bar.begin("Ridge", "fold 1");
      bar.advance();
    }
    expect(drawn.length).toBe(20);
  });

  test("clears its line at the end", () => {
    const { terminal, written: drawn } = recorder();
    const bar = new ProgressBar(terminal, 1);
    bar.begin("Ridge", "fold 1");
    bar.end();
    expect(drawn.at(-1)).toBe("");
  });

  test("writes one plain line a group where lines cannot be overwritten", () => {
    const { terminal, notes } = recorder({ isLive: false });
    const bar = new ProgressBar(terminal, 4);
    for (const [group, job] of [
      ["Ridge", "fold 1"],
      ["Ridge", "fold 2"],
      ["Lasso", "fold 1"],
      ["Lasso", "fold 2"],
    ] as const) {
      bar.begin(group, job);
      bar.advance();
    }
    bar.end();
    expect(notes).toEqual(["Ridge", "Lasso"]);
  });
});
