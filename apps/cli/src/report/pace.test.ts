import { expect, test } from "vitest";
import { recorder } from "../../test/support/recorder.js";
import { terminalPace } from "./pace.js";

test("Ctrl-C ends a computation between two steps, with a sentence", async () => {
  const controller = new AbortController();
  const pace = terminalPace(recorder({ isLive: false }).terminal, controller.signal, "intervals", "Do less.");
  const work = async () => {
    for (;;) await pace.step("resample", 1000);
  };
  setTimeout(() => controller.abort(), 20);
  await expect(work()).rejects.toThrow("Stopped. Do less.");
});

test("draws a bar on a terminal and nothing elsewhere", async () => {
  const { terminal, written: drawn } = recorder();
  const { signal } = new AbortController();
  const shown = terminalPace(terminal, signal, "intervals", "");
  await shown.step("resample 1 of 4", 4);
  shown.end();
  expect(drawn[0]).toContain("intervals · resample 1 of 4");
  expect(drawn.at(-1)).toBe("");
  const { terminal: plain, notes } = recorder({ isLive: false });
  const silent = terminalPace(plain, signal, "intervals", "");
  await silent.step("resample 1 of 4", 4);
  silent.end();
  expect(notes).toEqual([]);
});
