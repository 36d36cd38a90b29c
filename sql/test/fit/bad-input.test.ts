import { DuckDBInstance } from "@duckdb/node-api";
import {
  columnTransformer,
  GaussianNB,
  KMeans,
  LinearDiscriminantAnalysis,
  MinMaxScaler,
  OneHotEncoder,
  PCA,
  pipeline,
  Ridge,
  SimpleImputer,
  StandardScaler,
  TargetEncoder,
  tableVectorizer,
} from "argmax";
import { DataError, ParameterError } from "argmax/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  batches,
  compareInDatabase,
  crossValidateInDatabase,
  type DatabaseFitOptions,
  duckdb,
  fitInDatabase,
  local,
  partialFitInDatabase,
  postgres,
} from "../../src/index.js";
import { startPostgres } from "../postgres-server.js";
import { tableOf } from "./databases.js";

const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
afterAll(() => connection.closeSync());

beforeAll(async () => {
  await connection.run(`CREATE TABLE rows AS SELECT i % 7 AS a, (i * 13) % 11 AS b, i % 2 = 0 AS flag,
    (i % 3)::VARCHAR AS digit, 9007199254740992 + i % 2 AS account, (i % 7) * 1e200::DOUBLE AS far, (i % 7) * 1e307::DOUBLE AS farther,
    if(i = 5, 'inf'::DOUBLE, i) AS infinite, if(i % 2 = 0, 'even', 'odd') AS parity FROM range(60) t(i)`);
});

type Estimator = Parameters<typeof fitInDatabase>[0];

const refused: readonly (readonly [Estimator, DatabaseFitOptions, string])[] = [
  [new Ridge(), { features: ["a"], target: "digit" }, 'target "digit" must be numbers, got text'],
  [
    new GaussianNB(),
    { features: ["a"], target: "account" },
    'target "account" must be labels that doubles tell apart (whole numbers up to 2⁵³), got 9007199254740992',
  ],
  [new Ridge(), { features: ["a"], target: "flag" }, 'target "flag" must be numbers, got booleans'],
  [
    new Ridge(),
    { features: ["a"], target: "b", sampleWeight: "digit" },
    'sampleWeight "digit" must be numbers, got text',
  ],
  [new GaussianNB(), { features: ["far"], target: "flag" }, 'column "far" must be small enough'],
  [new GaussianNB(), { features: ["farther"], target: "flag" }, 'column "farther" must be small enough'],
  [
    new LinearDiscriminantAnalysis(),
    { features: ["a", "far"], target: "flag" },
    'column "far" must be small',
  ],
  [new PCA(), { features: ["a", "far"] }, 'column "far" must be small enough'],
  [new StandardScaler(), { features: ["far"] }, 'column "far" must be small enough'],
  [new SimpleImputer(), { features: ["farther"] }, 'column "farther" must be of a sum that fits a double'],
  [new OneHotEncoder(), { features: ["infinite"] }, "got ±Infinity in 1 of the rows"],
  [new TargetEncoder(), { features: ["infinite"], target: "b" }, "got ±Infinity in 1 of the rows"],
  [
    new GaussianNB(),
    { features: ["b", "a", "b"], target: "flag" },
    'features must be different columns without the target, got "b" twice',
  ],
  [new GaussianNB(), { features: ["a", "flag"], target: "flag" }, 'got "flag" among them'],
];

describe("bad input is refused as in memory", () => {
  for (const [estimator, options, message] of refused)
    it(`${(estimator as object).constructor.name}: ${message}`, async () => {
      const error = await fitInDatabase(estimator, duckdb(connection).table("rows"), options).catch((e) => e);
      expect(error instanceof DataError || error instanceof ParameterError, String(error)).toBe(true);
      expect(error.message).toContain(message);
    });

  it("infinite labels are infinite in messages", async () => {
    const rows = duckdb(connection).query("SELECT a, infinite AS y FROM rows WHERE infinite > 50");
    await expect(fitInDatabase(new GaussianNB(), rows, { target: "y" })).rejects.toThrow("such as Infinity");
  });
});

it("columns of lists, intervals and other types that no model reads are left out", async () => {
  const rows = duckdb(connection).query(`SELECT a, b, [a] AS list, [1.5]::DOUBLE[1] AS pair, ['x'] AS texts,
    INTERVAL 1 DAY AS span, {'a': a} AS struct, [DATE '2020-01-01'] AS days, parity FROM rows`);
  const model = await fitInDatabase(pipeline(tableVectorizer(), new Ridge()), rows, { target: "b" });
  const plain = await fitInDatabase(pipeline(tableVectorizer(), new Ridge()), rows, {
    target: "b",
    features: ["a", "parity"],
  });
  expect(model.toState()).toEqual(plain.toState());
});

it("times with a zone are the same moments in every session", async () => {
  const rows = duckdb(connection).query("SELECT TIMESTAMPTZ '2020-01-01 00:00:00+00' AS t, a FROM rows");
  const fitted = async (zone: string) => {
    await connection.run(`SET TimeZone = '${zone}'`);
    const model = await fitInDatabase(new Ridge(), rows, { target: "t", features: ["a"] });
    return model.intercept;
  };
  expect(await fitted("America/New_York")).toBe(Date.UTC(2020, 0, 1));
  expect(await fitted("Asia/Tokyo")).toBe(Date.UTC(2020, 0, 1));
});

it("PostgreSQL: numbers whose squares overflow or underflow are an error of the data", async () => {
  const server = await startPostgres();
  const client = await server.connect();

  try {
    for (const scale of ["1e200", "1e-200", "1e307"]) {
      const rows = postgres(client).query(
        `SELECT i % 7 * ${scale}::float8 AS a, i % 2 = 0 AS y, i::oid AS o FROM generate_series(1, 60) t(i)`,
      );
      const fit = fitInDatabase(new GaussianNB(), rows, { target: "y" });
      await expect(fit).rejects.toThrow(DataError);
      await expect(fit).rejects.toThrow("must be numbers whose sums and squares fit a double");
    }
  } finally {
    await client.end();
    await server.close();
  }
});

describe("options are checked", () => {
  const rows = local(tableOf({ a: [1, 2, 3, 4], y: ["p", "q", "p", "q"], n: [1, 2, 3, 4] }));
  const wrong: readonly (readonly [object, string])[] = [
    [{ sampleweight: "a" }, 'got "sampleweight". Did you mean sampleWeight?'],
    [{ features: "a" }, "features must be a list of names of columns"],
    [{ signal: new AbortController() }, "signal must be an AbortSignal"],
    [{ timeoutMs: -1 }, "timeoutMs must be a number of milliseconds > 0"],
    [{ retries: 0.5 }, "retries must be a whole number ≥ 0"],
  ];
  for (const [options, message] of wrong)
    it(message, async () => {
      const given = { target: "y", ...options };
      for (const refused of [
        fitInDatabase(new GaussianNB(), rows, given),
        crossValidateInDatabase(new GaussianNB(), rows, given),
        compareInDatabase(rows, given),
        partialFitInDatabase(new GaussianNB(), rows, given),
        batches(rows, given).next(),
      ])
        await expect(refused).rejects.toThrow(message);
    });

  it("progress has the number of rows from the first pass on", async () => {
    const seen: number[] = [];
    const onProgress = ({ rows: count }: { rows: number }) => void seen.push(count);
    await fitInDatabase(new GaussianNB(), rows, { target: "y", features: ["a"], onProgress });
    expect(new Set(seen)).toEqual(new Set([4]));
  });

  it("cross-validation is of classifiers and regressors", async () => {
    const folds = crossValidateInDatabase(new KMeans({ nClusters: 2 }), rows, { target: "y" });
    await expect(folds).rejects.toThrow("must be a classifier or a regressor, got one for clustering");
  });
});

it("a time limit longer than timers can be is none, and a query may end in a comment", async () => {
  const rows = duckdb(connection).query("SELECT a, parity FROM rows -- all of them");
  const model = await fitInDatabase(new GaussianNB(), rows, { target: "parity", timeoutMs: 5e9 });
  expect(model.classes).toEqual(["even", "odd"]);
});

it("the local engine refuses the same", async () => {
  const rows = local(tableOf({ a: [1, 2, 3, 4], y: ["p", "q", "p", "q"] }));
  await expect(fitInDatabase(new Ridge(), rows, { target: "y" })).rejects.toThrow(
    "must be numbers, got text",
  );
});

it("nothing is opened again for a part that goes on where another one has failed", async () => {
  const rows = local(tableOf({ a: [1, 2, 3, 4], b: ["p", "q", "p", "q"], far: [1, 2, 3, Infinity] }));
  let open = 0;
  const engine: typeof rows.engine = {
    dialect: rows.engine.dialect,
    async open(...given) {
      const session = await rows.engine.open(...given);
      open++;
      const close = async () => {
        open--;
        await session.close();
      };
      return Object.assign(Object.create(session), {
        columns: session.columns,
        isSnapshot: session.isSnapshot,
        sums: session.sums.bind(session),
        close,
      });
    },
  };
  const both = columnTransformer({
    fails: [new OneHotEncoder(), ["far"]],
    others: [pipeline(new StandardScaler(), new MinMaxScaler(), new StandardScaler()), ["a"]],
  });
  const fit = fitInDatabase(both, { ...rows, engine }, { features: ["a", "far"] });
  await expect(fit).rejects.toThrow("±Infinity");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(open).toBe(0);
});
