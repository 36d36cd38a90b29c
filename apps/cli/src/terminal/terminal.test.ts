import { expect, test } from "vitest";
import { openTerminal, wantsColour } from "./terminal.js";

test("colour is for people, unless the environment decides", () => {
  expect(wantsColour(true, {})).toBe(true);
  expect(wantsColour(false, {})).toBe(false);
  expect(wantsColour(true, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColour(true, { TERM: "dumb" })).toBe(false);
  expect(wantsColour(false, { FORCE_COLOR: "1" })).toBe(true);
});

test("a pipe gets full width and no live line", () => {
  const terminal = openTerminal({ write: () => {} }, { write: () => {} }, {});
  expect(terminal.width).toBe(Number.POSITIVE_INFINITY);
  expect(terminal.live).toBeUndefined();
});

test("results go to one stream and news to the other", () => {
  const written: string[] = [];
  const out = { isTTY: true, columns: 60, write: (text: string) => written.push(`out ${text}`) };
  const err = { isTTY: true, columns: 50, write: (text: string) => written.push(`err ${text}`) };
  const terminal = openTerminal(out, err, {});
  terminal.print("a");
  terminal.note("b");
  terminal.live?.write("c");
  terminal.live?.clear();
  expect(written).toEqual(["out a\n", "err b\n", "err \rc\u001b[K\u001b[J", "err \r\u001b[J"]);
  expect([terminal.width, terminal.live?.width]).toEqual([60, 50]);
});
