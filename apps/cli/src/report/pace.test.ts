import { expect, test } from "vitest";
import { noStyle } from "../terminal/terminal.js";
import { terminalPace } from "./pace.js";

const terminal = (written: string[]) => ({
  print: () => {},
  emit: () => {},
  note: (text: string) => void written.push(text),
  width: 80,
  style: noStyle,
});

test("Ctrl-C ends a computation between two steps, with a sentence", async () => {
  const controller = new AbortController();
  const pace = terminalPace(terminal([]), controller.signal, "intervals", "Do less.");
  const work = async () => {
    for (;;) await pace.step("resample", 1000);
  };
  setTimeout(() => controller.abort(), 20);
  await expect(work()).rejects.toThrow("Stopped. Do less.");
});

test("draws a bar on a terminal and nothing elsewhere", async () => {
  const drawn: string[] = [];
  const noted: string[] = [];
  const live = {
    width: 80,
    height: 24,
    style: noStyle,
    draw: () => {},
    write: (line: string) => void drawn.push(line),
    clear: () => void drawn.push(""),
  };
  const { signal } = new AbortController();
  const shown = terminalPace({ ...terminal(noted), live }, signal, "intervals", "");
  await shown.step("resample 1 of 4", 4);
  shown.end();
  expect(drawn[0]).toContain("intervals · resample 1 of 4");
  expect(drawn.at(-1)).toBe("");
  const silent = terminalPace(terminal(noted), signal, "intervals", "");
  await silent.step("resample 1 of 4", 4);
  silent.end();
  expect(noted).toEqual([]);
});
