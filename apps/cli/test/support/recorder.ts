import { noStyle, type Terminal } from "../../src/terminal/terminal.js";

interface RecorderOptions {
  readonly width?: number;
  readonly height?: number;
  /** Whether it is a terminal that can be drawn on. */
  readonly isLive?: boolean;
}

/** A terminal that keeps what it is told: notes, lines that were written over each other ("" where cleared), and blocks of lines. */
export function recorder({ width = 80, height = 24, isLive = true }: RecorderOptions = {}) {
  const notes: string[] = [];
  const written: string[] = [];
  const drawn: string[][] = [];
  const live = {
    width,
    height,
    style: noStyle,
    write: (line: string) => void written.push(line),
    draw: (lines: readonly string[]) => void drawn.push([...lines]),
    clear: () => {
      written.push("");
      drawn.push([]);
    },
  };
  const terminal: Terminal = {
    print: () => {},
    emit: () => {},
    note: (text) => void notes.push(text),
    width,
    style: noStyle,
    ...(isLive && { live }),
  };
  return { terminal, notes, written, drawn };
}
