import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { LogisticRegression, pipeline, StandardScaler } from "argmax";
import { AbortError } from "argmax/core";
import { expect, it } from "vitest";
import { duckdb, type FitCheckpoint, fitInDatabase } from "../../src/index.js";
import { numbersSample } from "../fit/cases.js";
import { tableStatements } from "../tables.js";

/** What another process runs: it goes on from a checkpoint, with the packages as they were built. */
const other = `
import { DuckDBInstance } from "@duckdb/node-api";
import { LogisticRegression, pipeline, StandardScaler } from "argmax";
import { duckdb, fitInDatabase } from "@argmax/sql";
const { file, target, features, checkpoint } = JSON.parse(process.argv.at(-1));
const connection = await (await DuckDBInstance.create(file)).connect();
let passes = 0;
const model = await fitInDatabase(pipeline(new StandardScaler(), new LogisticRegression()), duckdb(connection).table("rows"), {
  target, features, checkpoint, onProgress: (progress) => { passes = Math.max(passes, progress.passes); },
});
console.log(JSON.stringify({ passes, proba: model.predictProba([[1, 2, 3], [0, 0, 0]]).toArray() }));
`;

it("a fit goes on in another process from a checkpoint of a few KB", async () => {
  const folder = mkdtempSync(join(tmpdir(), "argmax-checkpoint-"));
  const file = join(folder, "rows.db");
  const { columns, features } = numbersSample("three classes");
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of tableStatements("rows", columns)) await connection.run(statement);
  const rows = duckdb(connection).table("rows");
  const make = () => pipeline(new StandardScaler(), new LogisticRegression());
  const given = { target: "y", features };
  let whole = 0;
  const expected = await fitInDatabase(make(), rows, {
    ...given,
    onProgress: (progress) => {
      whole = Math.max(whole, progress.passes);
    },
  });
  const aborter = new AbortController();
  let checkpoint: FitCheckpoint | undefined;
  const fit = fitInDatabase(make(), rows, {
    ...given,
    signal: aborter.signal,
    onProgress: ({ passes }) => {
      if (passes === whole - 2) aborter.abort();
    },
    onCheckpoint: (last) => {
      checkpoint = last;
    },
  });
  await expect(fit).rejects.toThrow(AbortError);
  expect(JSON.stringify(checkpoint).length).toBeLessThan(20_000);
  connection.closeSync();
  instance.closeSync();
  const answer = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", other, "--", JSON.stringify({ file, ...given, checkpoint })],
    { cwd: fileURLToPath(new URL("../../", import.meta.url)), encoding: "utf8" },
  );
  const { passes, proba } = JSON.parse(answer);
  expect(passes).toBeLessThan(whole / 2);
  expect(proba).toEqual(
    expected
      .predictProba([
        [1, 2, 3],
        [0, 0, 0],
      ])
      .toArray(),
  );
  rmSync(folder, { recursive: true, force: true });
});
