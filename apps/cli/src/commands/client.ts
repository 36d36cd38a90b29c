import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { clientSource, serveModel } from "@argmax/server";
import { defineCommand, Failure } from "../command.js";
import { safeJson } from "../terminal/foreign-text.js";

export const client = defineCommand({
  description: [
    "The client has the types of the model's rows and labels, so that the compiler knows what may be sent and what comes back. " +
      "It has no dependencies. The model must be served under the name of its file.",
  ],
  args: [{ name: "MODEL", doc: "A model file" }],
  options: {
    name: { type: "string", short: "n", value: "NAME", doc: "The name under which the model is served" },
  },
  examples: [{ words: "client iris.safetensors", doc: "A client of the model iris, on standard output" }],
  async run({ values, args, terminal }) {
    const [path] = args as [string];
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`${path} cannot be read (${error.code}).`);
    });
    const [stem = "model", version = "1"] = basename(path)
      .replace(/\.safetensors$/, "")
      .split("@");
    const source = clientSource(serveModel(values.name ?? stem, version, bytes));
    terminal.emit({ type: "client", source });
    // Names of fields are texts in the source, where an escape means the same.
    terminal.print(safeJson(source.trimEnd()));
  },
});
