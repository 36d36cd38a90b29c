import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
// @ts-expect-error: a build script, without types
import { entryFolders } from "../../../tools/build/bundle.mjs";
import { userProject } from "./user-project.js";

const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
const dist = fileURLToPath(new URL("../../dist", import.meta.url));

/** Imports every entry point, and uses what the types of the platform would be needed for. */
const program = `${(entryFolders(dist) as string[])
  .map((folder, i) => `import * as entry${i} from "argmax${folder && `/${folder}`}"; export { entry${i} };`)
  .join("\n")}
import { LogisticRegression, Table } from "argmax";
const people = Table.fromColumns({ age: [31, 45], city: ["Oslo", "Rome"] });
export const cities = new LogisticRegression({ penalty: "l1", solver: "proximal", C: undefined })
  .fit(people.select(["age"]), people.column("city"))
  .predict([[40]]);
`;

it.each([
  { module: "NodeNext", lib: ["ES2022"] },
  { module: "ESNext", moduleResolution: "bundler", lib: ["ES2022"] },
  { module: "ESNext", moduleResolution: "bundler", lib: ["ES2023", "DOM"] },
])(
  "the declarations compile without other types: %o",
  (own) => {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const folder = userProject({
      target: "ES2022",
      types: [],
      skipLibCheck: false,
      noEmit: true,
      ...strict,
      ...own,
    });
    writeFileSync(join(folder, "program.ts"), program);
    const { stdout } = spawnSync(tsc, ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe("");
  },
  60_000,
);
