import { describe, expect, test } from "vitest";
import { type Command, type CommandEntry, defineCommand, readChoice, readInteger } from "./command.js";
import { run } from "./run.js";
import { noStyle, type Terminal } from "./terminal/terminal.js";

const greet = defineCommand({
  args: [{ name: "GREETING", doc: "what to say", optional: true }],
  options: { name: { type: "string", value: "NAME", default: "world", doc: "Whom to greet." } },
  examples: [{ words: "greet servus", doc: "In Munich" }],
  run: async ({ values: { name }, args: [greeting = "hello"], terminal }) => {
    terminal.print(`${greeting} ${name}`);
    terminal.emit({ type: "greeting", greeting, name });
  },
});
const fail = defineCommand({
  options: { kind: { type: "string", default: "bug", doc: "How." } },
  run: async ({ values: { kind } }) => {
    if (kind === "count") readInteger("count", "3.5", 1, 9);
    if (kind === "choice") readChoice("colour", "blue", ["red", "green"]);
    if (kind === "data") throw Object.assign(new Error("X must be finite."), { code: "data" });
    throw new TypeError("a mistake of the program");
  },
});

const commands: readonly CommandEntry[] = [
  { name: "greet", summary: "Says hello.", load: async () => greet as Command },
  { name: "fail", summary: "Fails.", load: async () => fail as Command },
];

async function call(...words: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal: Terminal = {
    print: (text) => void printed.push(text),
    emit: () => {},
    note: (text) => void noted.push(text),
    width: 80,
    style: noStyle,
  };
  const code = await run(commands, words, terminal, {
    program: "argmax",
    usual: ["greet"],
    version: "1.2.3",
  });
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

describe("run", () => {
  test("runs the usual command when none is named", async () => {
    expect(await call()).toMatchObject({ code: 0, printed: "hello world" });
    expect(await call("--name", "Ada")).toMatchObject({ code: 0, printed: "hello Ada" });
    expect(await call("greet", "servus", "--name=Ada")).toMatchObject({ code: 0, printed: "servus Ada" });
    expect(await call("--version")).toMatchObject({ code: 0, printed: "1.2.3" });
  });

  test("with --json prints objects, errors included, and nothing else", async () => {
    expect((await call("greet", "--json")).printed).toBe(
      '{"type":"greeting","greeting":"hello","name":"world"}',
    );
    const { code, printed } = await call("fail", "--kind", "data", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(printed)).toEqual({ type: "error", kind: "failure", message: "X must be finite." });
  });

  test("help is generated from the options and lists the commands", async () => {
    const { code, printed } = await call("--help");
    expect(code).toBe(0);
    expect(printed).toContain("Usage: argmax COMMAND [arguments] [options]");
    expect(printed).toContain("fail   Fails.");
    const own = (await call("greet", "-h")).printed;
    expect(own).toContain("Usage: argmax greet [GREETING] [options]");
    expect(own).toContain("--name NAME  Whom to greet. (default world)");
    expect(own).toContain("# In Munich\n  argmax greet servus");
    expect((await call("help", "greet")).printed).toBe(own);
  });

  test("a wrong command line ends with code 2 and names what is right", async () => {
    expect(await call("--nmae", "x")).toMatchObject({
      code: 2,
      noted: "Unknown option '--nmae'. The options are --name, --json, --help.\nSee argmax greet --help.",
    });
    expect((await call("sing")).noted).toContain('There is no command "sing". The commands are greet, fail.');
    expect((await call("--name")).code).toBe(2);
    expect((await call("greet", "one", "two")).code).toBe(2);
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
