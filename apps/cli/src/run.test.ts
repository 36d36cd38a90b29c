import { describe, expect, test } from "vitest";
import { type Command, defineCommand, readChoice, readInteger } from "./command.js";
import { run } from "./run.js";
import { noStyle, type Terminal } from "./terminal.js";

const help = { type: "boolean", short: "h", doc: "Show this help." } as const;
const greet = defineCommand({
  name: "greet",
  summary: "Says hello.",
  options: { name: { type: "string", value: "NAME", default: "world", doc: "Whom to greet." }, help },
  run: async ({ name }, terminal) => terminal.print(`hello ${name}`),
});
const fail = defineCommand({
  name: "fail",
  summary: "Fails.",
  options: { kind: { type: "string", default: "bug", doc: "How." }, help },
  run: async ({ kind }) => {
    if (kind === "count") readInteger("count", "3.5", 1, 9);
    if (kind === "choice") readChoice("colour", "blue", ["red", "green"]);
    if (kind === "data") throw Object.assign(new Error("X must be finite."), { code: "data" });
    throw new TypeError("a mistake of the program");
  },
});

async function call(...words: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal: Terminal = {
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    width: 80,
    style: noStyle,
  };
  const code = await run([greet, fail] as readonly Command[], words, terminal, "argmax");
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

describe("run", () => {
  test("runs the first command when none is named", async () => {
    expect(await call()).toMatchObject({ code: 0, printed: "hello world" });
    expect(await call("--name", "Ada")).toMatchObject({ code: 0, printed: "hello Ada" });
    expect(await call("greet", "--name=Ada")).toMatchObject({ code: 0, printed: "hello Ada" });
  });

  test("help is generated from the options and lists the commands", async () => {
    const { code, printed } = await call("--help");
    expect(code).toBe(0);
    expect(printed).toContain("Usage: argmax [greet] [options]");
    expect(printed).toContain("--name NAME  Whom to greet. (default world)");
    expect(printed).toContain("fail   Fails.");
    expect((await call("fail", "-h")).printed).toContain("Usage: argmax fail [options]");
  });

  test("a wrong command line ends with code 2 and names what is right", async () => {
    expect(await call("--nmae", "x")).toMatchObject({
      code: 2,
      noted: "Unknown option '--nmae'. The options are --name, --help.\nSee argmax --help.",
    });
    expect((await call("sing")).noted).toContain('There is no command "sing". The commands are greet, fail.');
    expect((await call("--name")).code).toBe(2);
    expect((await call("greet", "extra")).code).toBe(2);
    expect((await call("fail", "--kind", "count")).noted).toContain(
      '--count must be an integer from 1 to 9, got "3.5".',
    );
    expect((await call("fail", "--kind", "choice")).noted).toContain(
      '--colour must be red, green; got "blue".',
    );
  });

  test("an error about the data is its message; a bug keeps its stack; both end with code 1", async () => {
    expect(await call("fail", "--kind", "data")).toEqual({
      code: 1,
      printed: "",
      noted: "X must be finite.",
    });
    const bug = await call("fail");
    expect(bug.code).toBe(1);
    expect(bug.noted).toMatch(/TypeError: a mistake of the program\n +at /);
  });
});
