import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModelCard } from "argmax";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ClickhouseServers,
  clickhouseStatements,
  startClickhouse,
} from "../../../../sql/test/clickhouse-server.js";
import { temporaryFolder } from "../support/folder.js";
import { runProgram } from "../support/program.js";

const { path: folder, file } = temporaryFolder();
const argmax = (...words: string[]) => runProgram(folder, ...words);

const rows = Array.from({ length: 600 }, (_, i) => ({
  distance: Math.round(1000 * (10 * Math.sin(i + 1) + (i % 7))) / 1000,
  surge: i % 11 === 0 ? null : Math.round(1000 * Math.cos(3 * i)) / 1000,
  vendor: ["cash", "card", 'the "app"'][i % 3]!,
  tipped: 10 * Math.sin(i + 1) + (i % 7) + 2 * Math.cos(i * i) > 4 ? "yes" : "no",
}));
const names = ["distance", "surge", "vendor", "tipped"] as const;

let servers: ClickhouseServers;
let url = "";

beforeAll(async () => {
  const cell = (value: unknown) =>
    typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : (value ?? "");
  file(
    "trips.csv",
    [names.join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))].join("\n"),
  );
  servers = await startClickhouse({ shards: 2 });
  const columns = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
  for (const shard of [0, 1]) {
    const client = servers.connect(shard);
    for (const query of clickhouseStatements("trips", columns, shard, 2)) await client.command({ query });
    await client.close();
  }
  url = servers.urls[0]!.replace("http://", "clickhouse://reader:secret@");
}, 120_000);

afterAll(() => servers.close());

const learns = ["--target", "tipped", "--columns", "distance,surge,vendor,tipped"];

test("a cluster of ClickHouse trains the model that memory has", () => {
  const words = [url, "--table", "trips_all", ...learns, "-m", "gaussian-nb", "--in-database"];
  const there = argmax("train", ...words, "-o", "there.safetensors");
  expect(there).toMatchObject({ status: 0, stderr: "" });
  expect(there.stdout).toContain("GaussianNB on 600 rows in ");
  expect(there.stdout).not.toContain("secret");
  argmax("train", "trips.csv", ...learns, "-m", "gaussian-nb", "-o", "here.safetensors");
  const predictions = (model: string) => argmax("predict", model, "trips.csv").stdout;
  expect(predictions("there.safetensors")).toBe(predictions("here.safetensors"));
  expect(loadModelCard(readFileSync(join(folder, "there.safetensors")))).toMatchObject({ rows: 600 });
});

test("and compares models, predicts, and is named without its password", () => {
  const source = [url, "--table", "trips_all"];
  const compared = argmax(
    "compare",
    ...source,
    ...learns,
    "-m",
    "gaussian-nb,logistic-regression",
    "-f",
    "3",
    "--in-database",
  );
  expect(compared.status).toBe(0);
  expect(compared.stdout).toContain("trips_all · tipped  600 rows × 3 columns");
  const there = argmax("predict", "here.safetensors", ...source, "--keep", "vendor", "--in-database");
  const here = argmax("predict", "here.safetensors", "trips.csv", "--keep", "vendor");
  const sorted = (text: string) => text.split("\n").sort();
  expect(sorted(there.stdout)).toEqual(sorted(here.stdout));
  const some = argmax(
    "train",
    ...source,
    ...learns,
    "-m",
    "gaussian-nb",
    "--rows",
    "100",
    "--in-database",
    "--test",
    "0",
  );
  expect(some.stdout).toContain("GaussianNB on 100 rows");
  const { status, stderr } = argmax(
    "train",
    url,
    "--table",
    "nothing",
    ...learns,
    "-m",
    "gaussian-nb",
    "--in-database",
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/cannot be read: .*nothing/),
  });
  expect(stderr).not.toContain("secret");
});
