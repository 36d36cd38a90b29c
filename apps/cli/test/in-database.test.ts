import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { loadModelCard } from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../sql/test/postgres-server.js";
import { temporaryFolder } from "./support/folder.js";
import { main, runProgram } from "./support/program.js";

const { path: folder, file } = temporaryFolder();
const argmax = (...words: string[]) => runProgram(folder, ...words);
const inFolder = (name: string) => join(folder, name);
const lines = (name: string) => readFileSync(inFolder(name), "utf8").trim().split("\n");
const cardOf = (name: string) => loadModelCard(readFileSync(inFolder(name)))!;

/** Of several of a kind, `npm run test:deep` tries these too: each starts the program twice. */
const deepOnly = <T>(...cases: T[]): T[] => (process.env["ARGMAX_DEEP"] ? cases : []);

type Result = { readonly type: string; readonly [name: string]: unknown };
const objects = (stdout: string): Result[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);

/** Rows of numbers, text, booleans, dates and gaps, in the order of their number. */
const ROWS = `
  SELECT i AS id, round((10 * sin(i) + i % 7)::numeric, 3)::double precision AS distance,
    CASE WHEN i % 11 = 0 THEN NULL ELSE round((cos(3 * i) * 5)::numeric, 3)::double precision END AS surge,
    CASE i % 3 WHEN 0 THEN 'cash' WHEN 1 THEN 'card' ELSE 'the "app"' END AS vendor,
    i % 5 = 0 AS night, DATE '2024-01-01' + (i % 300) AS day,
    CASE WHEN 10 * sin(i) + i % 7 + 2 * cos(i * i) > 4 THEN 'yes' ELSE 'no' END AS tipped,
    round((3 * sin(i) + i % 7 + cos(i * i))::numeric, 2)::double precision AS fare
`;

let server: PostgresServer;
let url = "";

beforeAll(async () => {
  mkdirSync(inFolder("trips"));
  const instance = await DuckDBInstance.create(inFolder("trips.duckdb"));
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE trips AS ${ROWS} FROM (SELECT range::int AS i FROM range(1, 1501)) ORDER BY i`,
  );
  for (const [name, rows] of [
    ["a", "id <= 700"],
    ["b", "id > 700"],
  ])
    await connection.run(
      `COPY (FROM trips WHERE ${rows} ORDER BY id) TO '${inFolder(`trips/${name}.parquet`)}'`,
    );
  await connection.run(`COPY (FROM trips ORDER BY id) TO '${inFolder("trips.csv")}'`);
  await connection.run(`COPY (FROM trips ORDER BY id) TO '${inFolder("trips.ndjson")}' (FORMAT json)`);
  connection.closeSync();
  instance.closeSync();
  server = await startPostgres();
  url = server.url;
  const client = await server.connect();
  await client.query(`
    CREATE SCHEMA city;
    CREATE TABLE city.trips AS ${ROWS} FROM generate_series(1, 1500) i;
    CREATE VIEW slow AS SELECT t.*, pg_sleep(0.05) IS NULL AS waited FROM city.trips t;
  `);
  await client.end();
}, 60_000);

afterAll(() => server.close());

const learns = ["--target", "tipped", "--drop", "id,fare"];

describe("train --in-database", () => {
  test("on a folder of Parquet files is the model and the card that training in memory gives", () => {
    const words = ["train", "trips/*.parquet", ...learns, "-m", "logistic-regression"];
    const there = argmax(...words, "--in-database", "-o", "there.safetensors");
    expect(there).toMatchObject({ status: 0, stderr: "" });
    expect(there.stdout).toMatch(
      /^accuracy 0\.\d{4} on \d+ rows that were held out\.\nLogisticRegression on 1500 rows in /,
    );
    expect(there.stdout).toContain("argmax predict there.safetensors 'trips/*.parquet' --in-database -o");
    expect(argmax(...words, "-o", "here.safetensors").status).toBe(0);
    expect(cardOf("there.safetensors")).toEqual(cardOf("here.safetensors"));
    for (const name of ["there", "here"])
      argmax("predict", `${name}.safetensors`, "trips/*.parquet", "--proba", "-o", `${name}.csv`);
    const [one, other] = [lines("there.csv"), lines("here.csv")];
    expect(one.length).toBe(1501);
    expect(one.map((line) => line.split(",")[0])).toEqual(other.map((line) => line.split(",")[0]));
    const probability = (line: string) => Number(line.split(",")[1]);
    // Coefficients agree to 1e-8, by the tolerance of the solver.
    one.slice(1).forEach((line, i) => {
      expect(probability(line)).toBeCloseTo(probability(other[i + 1]!), 6);
    });
  });

  test.each([
    ["trips.csv", []],
    ...deepOnly(
      ["trips.ndjson", []] as const,
      ["trips.duckdb", []] as const,
      ["trips.duckdb", ["--table", "trips"]] as const,
    ),
    ["POSTGRES", ["--table", "city.trips"]],
  ] as const)("on %s %j learns the same", (source, more) => {
    const given = source === "POSTGRES" ? url : source;
    const words = ["train", given, ...learns, "-m", "gaussian-nb", "--test", "0", "--json", "--force"];
    const ran = argmax(...words, ...more, "--in-database", "-o", "bayes.safetensors");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(objects(ran.stdout)).toMatchObject([
      { type: "trained", model: "GaussianNB", path: "bayes.safetensors", rows: 1500, warnings: [] },
    ]);
    argmax("train", "trips/*.parquet", ...learns, "-m", "gaussian-nb", "-o", "memory.safetensors");
    const predictions = (model: string) => argmax("predict", model, "trips/*.parquet").stdout;
    expect(predictions("bayes.safetensors")).toBe(predictions("memory.safetensors"));
  });

  test("of numbers is a regression, of some rows and columns", () => {
    const words = [
      "--target",
      "fare",
      "--columns",
      "distance,vendor",
      "--rows",
      "500",
      "--in-database",
      "--json",
    ];
    const ran = argmax(
      "train",
      "trips.csv",
      ...words,
      "-m",
      "ridge",
      "--set",
      "alpha=2",
      "-o",
      "fare.safetensors",
    );
    expect(objects(ran.stdout)).toMatchObject([
      { model: "Ridge", settings: "alpha 2", rows: 500, scoring: "r2" },
    ]);
    expect(cardOf("fare.safetensors").inputs.map(({ name }) => name)).toEqual(["distance", "vendor"]);
  });

  test("leaves out rows without a target and classes of one row, and says so", () => {
    file(
      "gaps.csv",
      [
        "x,y",
        ...Array.from({ length: 60 }, (_, i) => `${i},${i % 10 === 0 ? "" : i % 2 ? "a" : "b"}`),
        "3,rare",
      ].join("\n"),
    );
    const ran = argmax("train", "gaps.csv", "-t", "y", "-m", "gaussian-nb", "--in-database");
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain("6 rows have no y and were left out.");
    expect(ran.stderr).toContain('1 row was left out, of the class "rare".');
    expect(ran.stdout).toContain("GaussianNB on 54 rows");
  });

  test("of rows that are mostly equal says that none can be held out", () => {
    file("equal.csv", `x,y\n${"1,a\n2,b\n".repeat(20)}`);
    const ran = argmax("train", "equal.csv", "-t", "y", "-m", "gaussian-nb", "--in-database");
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^equal has too few different rows .* Train on all rows: --test 0\.\n$/);
  });

  test("refuses a model that does not learn from sums, and names those that do", () => {
    const refusal = (model: string) => {
      const { status, stderr } = argmax("train", "trips.csv", ...learns, "-m", model, "--in-database");
      expect(status).toBe(2);
      return stderr;
    };
    expect(refusal("svc")).toMatch(
      /SVC does not learn from sums over rows.* a sample \(--rows N\)\. With it, there are .*gaussian-nb, .*logistic-regression/,
    );
    expect(refusal("mlp")).toContain("(--rows N), or batch by batch (--stream).");
  });

  test("takes a pipeline as JSON", () => {
    file(
      "pipe.json",
      JSON.stringify({
        estimator: "Pipeline",
        params: {
          steps: [
            { estimator: "StandardScaler", params: {} },
            { estimator: "LinearRegression", params: {} },
          ],
        },
      }),
    );
    const words = ["--target", "fare", "--columns", "distance", "-p", "pipe.json", "--in-database"];
    const ran = argmax("train", "trips.csv", ...words, "-o", "pipe.safetensors");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("a CSV file that another program wrote", () => {
  /** As write.csv of R writes it. */
  const rows = Array.from({ length: 60 }, (_, i) =>
    [
      `"${i + 1}"`,
      i % 7 === 3 ? "NA" : String(i * 1.5),
      i % 3 === 0 ? '"say ""hi"""' : '"it is, well"',
      i % 5 === 0 ? "NA" : i % 2 === 0 ? "TRUE" : "FALSE",
      `2024-01-${String(1 + (i % 28)).padStart(2, "0")}`,
      i % 4 === 0 ? `"0${i}"` : `"${i}"`,
      i % 2 === 0 ? '"even"' : '"odd"',
    ].join(","),
  );
  const header = '"","size","note","flag","day","code","parity"';

  test("has the columns, kinds, gaps and categories that it has in memory", () => {
    file("r.csv", [header, ...rows].join("\r\n"));
    const words = ["train", "r.csv", "-t", "parity", "-m", "decision-tree", "--test", "0"];
    const there = argmax(...words, "--in-database", "-o", "r-there.safetensors");
    expect(there.status).toBe(0);
    expect(argmax(...words, "-o", "r-here.safetensors").status).toBe(0);
    expect(cardOf("r-there.safetensors")).toEqual(cardOf("r-here.safetensors"));
    const predictions = (...more: string[]) =>
      argmax("predict", "r-here.safetensors", "r.csv", "--with-input", ...more);
    const [one, other] = [predictions("--in-database"), predictions()];
    expect(one.status).toBe(0);
    expect(one.stdout).toBe(other.stdout);
  });

  test("is read as text where later cells are not numbers, which is said", () => {
    const late = [...Array.from({ length: 400_000 }, (_, i) => `${i},${i % 2}`), "unknown,1"];
    file("late.csv", ["size,y", ...late].join("\n"));
    const ran = argmax("train", "late.csv", "-t", "y", "-m", "gaussian-nb", "--in-database", "--test", "0");
    expect(ran.stderr).toContain('late.csv: column "size" is read as text: 1 of its cells is not numbers.');
  });

  test("is refused if its columns are those of the others in another order", () => {
    mkdirSync(inFolder("months"));
    file("months/a.csv", "x,y\n1,2\n2,3\n");
    file("months/b.csv", "y,x\n1,2\n2,3\n");
    const ran = argmax("train", "months/*.csv", "-t", "y", "-m", "ridge", "--in-database");
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(
      /months\/b\.csv must have the columns of months\/a\.csv in the same order .*: x, y\. It has y, x\./,
    );
  });
});

describe("compare --in-database", () => {
  test("ranks models on a table of PostgreSQL and saves the best", () => {
    const words = [url, "--table", "city.trips", ...learns, "-f", "3", "--in-database"];
    const ran = argmax("compare", ...words, "-m", "gaussian-nb,logistic-regression,svc");
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain("trips · tipped  1500 rows × 5 columns");
    expect(ran.stdout).toMatch(/model +accuracy +± 95 % +fit\n/);
    expect(ran.stdout).toContain("SVC was left out: it does not learn from sums over rows.");
    expect(ran.stdout).toMatch(/trained on all rows in .*, is in trips\.safetensors/);
    expect(ran.stdout + ran.stderr).not.toContain("secret");
    expect(ran.stderr).toMatch(/^GaussianNB: 0\.\d{4}\nLogisticRegression: 0\.\d{4}\n$/);
    expect(cardOf("trips.safetensors")).toMatchObject({ target: "tipped", rows: 1500 });
  });

  test("with --json has the objects of compare", () => {
    const words = [
      "trips.csv",
      ...learns,
      "-f",
      "3",
      "-m",
      "gaussian-nb",
      "--scoring",
      "balancedAccuracy",
      "--json",
    ];
    const types = (...more: string[]) =>
      objects(argmax("compare", ...words, "--save", "none", ...more).stdout).map(({ type }) => type);
    expect(types("--in-database")).toEqual(types());
  });

  test.each([
    [["--resume"], "--resume is for folds that were measured in memory"],
    [["--scoring", "rocAuc"], "--scoring rocAuc needs the predictions of all rows at once"],
    [["--text", "vendor"], "--text is for data that are read into memory"],
    [["--encoding", "latin1"], "--encoding is for files that are read into memory"],
    [["--memory", "3"], "--memory must be an integer from 64"],
  ])("refuses %j", (more, sentence) => {
    const ran = argmax("compare", "trips.csv", ...learns, "--in-database", ...more);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain(sentence);
  });
});

describe("predict --in-database", () => {
  beforeAll(() => {
    argmax(
      "train",
      "trips/*.parquet",
      ...learns,
      "-m",
      "decision-tree",
      "-o",
      "tree.safetensors",
      "--test",
      "0",
    );
  });

  const formats = deepOnly("out.tsv", "out.csv.gz", "out.ndjson", "out.json", "out.arrow");
  test.each(["out.csv", "out.parquet", ...formats])("writes %s as predict does", (name) => {
    const table = async (...more: string[]) => {
      const words = [
        "predict",
        "tree.safetensors",
        "trips/*.parquet",
        "--proba",
        "--keep",
        "id,vendor",
        "-o",
        name,
      ];
      expect(argmax(...words, ...more).status).toBe(0);
      const { loadTable } = await import("../src/data/load.js");
      return (await loadTable(inFolder(name))).table;
    };
    return (async () => {
      const [there, here] = [await table("--in-database"), await table()];
      expect(there.columnNames).toEqual(here.columnNames);
      expect(there.columnNames).toEqual(["id", "vendor", "prediction", "proba_no", "proba_yes"]);
      for (const column of there.columnNames)
        expect(there.column(column).toArray()).toEqual(here.column(column).toArray());
      expect(existsSync(inFolder(`${name}.partial`))).toBe(false);
    })();
  });

  test.each([
    ["trips/*.parquet", []],
    ...deepOnly(["trips.csv", []] as const, ["trips.duckdb", ["--table", "trips"]] as const),
    ["POSTGRES", ["--table", "city.trips"]],
  ] as const)("of %s prints what predict prints", (source, more) => {
    const words = [
      "predict",
      "tree.safetensors",
      source === "POSTGRES" ? url : source,
      "--keep",
      "id,vendor",
      ...more,
    ];
    const there = argmax(...words, "--in-database");
    expect(there.status).toBe(0);
    const sorted = (text: string) => text.split("\n").sort();
    const here = argmax("predict", "tree.safetensors", "trips/*.parquet", "--keep", "id,vendor");
    expect(sorted(there.stdout)).toEqual(sorted(here.stdout));
  });

  test("copies the columns that --columns names, those of the model, and identifiers with all their digits", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT *, 9007199254740993 + id AS key, [id] AS list FROM '${inFolder("trips")}/*.parquet' LIMIT 20) TO '${inFolder("keys.parquet")}'`,
    );
    connection.closeSync();
    instance.closeSync();
    const words = ["predict", "tree.safetensors", "keys.parquet", "--with-input", "--columns", "key"];
    const there = argmax(...words, "--in-database");
    expect(there.stdout).toBe(argmax(...words).stdout);
    expect(there.stdout).toMatch(/^distance,surge,vendor,night,day,key,prediction\n/);
    expect(there.stdout).toContain(",9007199254740994,");
    const all = ["predict", "tree.safetensors", "keys.parquet", "--with-input", "--in-database"];
    expect(argmax(...all).stderr).toContain('Column "list" is not of numbers, text, booleans or dates');
    expect(argmax(...all, "-o", "lists.parquet").status).toBe(0);
  });

  test("as JSON has the lines of predict", () => {
    const words = ["predict", "tree.safetensors", "trips.csv", "--rows", "5", "--json", "--keep", "id"];
    expect(argmax(...words, "--in-database").stdout).toBe(argmax(...words).stdout);
  });

  test("refuses probabilities of a model without, columns that are not there, and folders that are not", () => {
    argmax(
      "train",
      "trips.csv",
      "-t",
      "fare",
      "--columns",
      "distance,fare",
      "-m",
      "ridge",
      "-o",
      "ridge.safetensors",
    );
    const refusal = (...words: string[]) => argmax("predict", ...words, "--in-database").stderr;
    expect(refusal("ridge.safetensors", "trips.csv", "--proba")).toContain("--proba is for classifiers");
    expect(refusal("tree.safetensors", "trips.csv", "--keep", "vendr")).toContain('Did you mean "vendor"?');
    expect(refusal("ridge.safetensors", "trips.csv", "-o", "nowhere/out.csv")).toMatch(
      /nowhere\/out\.csv cannot be written: /,
    );
  });
});

describe("a source that cannot be read where it lies", () => {
  const refusal = (...words: string[]) =>
    argmax("train", ...words, "-t", "y", "-m", "ridge", "--in-database").stderr;

  test("is named in one sentence that says what to do", () => {
    expect(refusal("-")).toContain("write standard input to a file first");
    expect(refusal("iris")).toContain("leave out --in-database");
    file("rows.svm", "1 1:2\n");
    expect(refusal("rows.svm")).toContain("save it as Parquet");
    expect(refusal("nothing.csv")).toContain('There is no file "nothing.csv".');
    expect(refusal(url)).toContain("A PostgreSQL database needs --table NAME.");
    expect(refusal("clickhouse://localhost:1")).toContain("A ClickHouse database needs --table NAME.");
    expect(argmax("train", "trips.duckdb", "-t", "y", "-m", "ridge").stderr).toContain(
      "--in-database --table NAME",
    );
    expect(argmax("train", "trips.csv", "-t", "y", "-m", "ridge", "--memory", "500").stderr).toContain(
      "--memory goes with --in-database",
    );
  });

  test("is named without a password", () => {
    const closed = url.replace(/:\d+\//, ":1/");
    for (const given of [
      [url, "--table", "city.trip"],
      [closed, "--table", "city.trips"],
      ["clickhouse://reader:secret@127.0.0.1:1", "--table", "t"],
      [url, "--table", "city.trips", "--columns", "nothing"],
    ]) {
      const { status, stderr } = argmax(
        "train",
        ...given,
        "-t",
        "tipped",
        "-m",
        "gaussian-nb",
        "--in-database",
      );
      expect(status).toBe(1);
      expect(stderr.trim().split("\n").length).toBe(1);
      expect(stderr).toMatch(/cannot be read: |has no column/);
      expect(stderr).not.toContain("secret");
    }
  });
});

test("files that are larger than memory are offered to the database, by a command that can be pasted", () => {
  const env = { PATH: process.env["PATH"], ARGMAX_MEMORY: "0.01" };
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [main, ...words], { cwd: folder, encoding: "utf8", env }).stderr;
  expect(run("train", "trips/*.parquet", ...learns, "-m", "ridge")).toContain(
    "where they lie:\n  argmax train 'trips/*.parquet' --target tipped --drop id,fare --model ridge --in-database\nOr take a sample",
  );
  expect(run("compare", "trips.csv", "-t", "fare")).toContain(
    "\n  argmax compare trips.csv --target fare --in-database\n",
  );
  expect(run("tune", "trips.csv", "-t", "fare", "-m", "ridge")).not.toContain("argmax tune trips.csv");
});

test("Ctrl-C stops what the server runs, and nothing is saved", async () => {
  const words = [
    "train",
    url,
    "--table",
    "slow",
    ...learns,
    "-m",
    "gaussian-nb",
    "-o",
    "stopped.safetensors",
  ];
  const program = spawn(process.execPath, [main, ...words, "--in-database"], { cwd: folder });
  let said = "";
  program.stderr.on("data", (chunk) => (said += String(chunk)));
  const client = await server.connect();
  const running = async () => {
    const found = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'argmax' AND state = 'active'",
    );
    return found.rows.length > 0;
  };
  while (!(await running())) await new Promise((resolve) => setTimeout(resolve, 50));
  program.kill("SIGINT");
  const code = await new Promise((resolve) => program.once("exit", resolve));
  expect({ code, said }).toEqual({ code: 1, said: "Stopped. Nothing was saved.\n" });
  expect(await running()).toBe(false);
  expect(existsSync(inFolder("stopped.safetensors"))).toBe(false);
  await client.end();
}, 30_000);
