import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DecisionTreeClassifier,
  LinearRegression,
  LinearSVC,
  loadModel,
  modelCard,
  PCA,
  parseCsv,
  saveModel,
  type Table,
} from "argmax";
import { beforeAll, describe, expect, test } from "vitest";
import { writeDatasets, writeModels } from "../../test/support/files.js";
import { temporaryFolder } from "../../test/support/folder.js";
import { runProgram, runShell } from "../../test/support/program.js";
import { loadTable } from "../data/load.js";

const { path: folder, file } = temporaryFolder();
const argmax = (...words: string[]) => runProgram(folder, ...words);

beforeAll(async () => {
  await writeDatasets(folder, ["iris"]);
  await writeModels(folder);
}, 60_000);

const irisModel = () => loadModel(readFileSync(join(folder, "iris.safetensors")));
const irisTable = async () => (await loadTable(join(folder, "iris.csv"))).table;

async function expectedPredictions(): Promise<string[]> {
  const table = await irisTable();
  return irisModel().predict!(table.drop(["species"])) as string[];
}

describe("predict", () => {
  test("writes what the library predicts, and says how fast", async () => {
    const { status, stdout, stderr } = argmax("predict", "iris.safetensors", "iris.csv", "-o", "out.csv");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(/^150 rows in \d+\.\d s \([\d,]+ rows\/s\) → out\.csv\n$/);
    const { table } = await loadTable(join(folder, "out.csv"));
    expect(table.columnNames).toEqual(["prediction"]);
    expect(table.column("prediction").toArray()).toEqual(await expectedPredictions());
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("adds probabilities and columns of the input, to any format", async () => {
    for (const ending of ["parquet", "arrow", "json", "tsv"]) {
      const { status } = argmax(
        "predict",
        "iris.safetensors",
        "iris.csv",
        "--proba",
        "--with-input",
        "-o",
        `all.${ending}`,
      );
      expect(status).toBe(0);
      const { table } = await loadTable(join(folder, `all.${ending}`));
      expect(table.columnNames).toEqual([
        ...(await irisTable()).columnNames,
        "prediction",
        "proba_setosa",
        "proba_versicolor",
        "proba_virginica",
      ]);
      const proba = irisModel().predictProba!((await irisTable()).drop(["species"]));
      expect(table.column("proba_virginica").toArray()).toEqual(Array.from(proba.column(2)));
    }
  });

  test("copies chosen columns as they are written", () => {
    const rows = readFileSync(join(folder, "iris.csv"), "utf8").trim().split("\n");
    const text = rows.map((row, i) => `${i === 0 ? "code" : `00${i}`},${row}`).join("\n");
    file("coded.csv", text);
    const { stdout } = argmax(
      "predict",
      "iris.safetensors",
      "coded.csv",
      "--keep",
      "code,species",
      "--rows",
      "2",
    );
    expect(stdout).toBe("code,species,prediction\n001,setosa,setosa\n002,setosa,setosa\n");
  });

  test("finds columns by name, whatever their order", async () => {
    const table = await irisTable();
    const names = [...table.columnNames].reverse();
    file(
      "reversed.csv",
      [
        names.map((name) => JSON.stringify(name)).join(),
        ...table.toRows().map((row) => names.map((name) => row[name]).join()),
      ].join("\n"),
    );
    const { stdout } = argmax("predict", "iris.safetensors", "reversed.csv");
    expect(stdout.trim().split("\n").slice(1)).toEqual(await expectedPredictions());
  });

  test("--json gives one object per row", async () => {
    const { status, stdout } = argmax(
      "predict",
      "iris.safetensors",
      "iris.csv",
      "--json",
      "--keep",
      "species",
    );
    expect(status).toBe(0);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength(150);
    expect(rows[0]).toEqual({ type: "prediction", species: "setosa", prediction: "setosa" });
    const written = argmax("predict", "iris.safetensors", "iris.csv", "--json", "-o", "j.csv").stdout;
    expect(JSON.parse(written)).toMatchObject({ type: "predictions", rows: 150, file: "j.csv" });
  });

  test("a category that the training data has not is predicted as the model treats it", async () => {
    const X = parseCsv("city,age\nOslo,30\nRome,40\nOslo,20\nRome,50\n") as Table;
    const model = new DecisionTreeClassifier().fit(X, ["yes", "no", "yes", "no"]);
    file("city.safetensors", saveModel(model, { card: modelCard(X) }));
    file("cities.csv", "age,city\n30,Paris\n45,Rome\n");
    const { status, stdout } = argmax("predict", "city.safetensors", "cities.csv");
    const expected = model.predict(parseCsv("city,age\nParis,30\nRome,45\n") as Table);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `prediction\n${expected.join("\n")}\n` });
  });

  test("a model without names reads the columns of numbers", async () => {
    // y = 2a + b.
    const rows = [
      [1, 2],
      [2, 1],
      [3, 5],
    ];
    file("plain.safetensors", saveModel(new LinearRegression().fit(rows, [4, 5, 11])));
    file("plain.csv", "name,a,b\nx,1,1\ny,2,2\n");
    const first = (...words: string[]) =>
      Number(argmax("predict", "plain.safetensors", ...words).stdout.split("\n")[1]);
    expect(first("plain.csv")).toBeCloseTo(3, 10);
    file("swapped.csv", "b,a\n1,3\n");
    expect(first("swapped.csv", "--columns", "a,b")).toBeCloseTo(7, 10);
    expect(first("swapped.csv")).toBeCloseTo(5, 10);
    expect(argmax("predict", "plain.safetensors", "iris.csv").stderr).toContain(
      "was trained on 2 columns without names, and the data has 4 columns of numbers",
    );
  });
});

describe("a large file is predicted in threads", () => {
  /** 33 MB. */
  const big = () => {
    const path = join(folder, "big.csv");
    if (existsSync(path)) return "big.csv";
    const rows = readFileSync(join(folder, "iris.csv"), "utf8").trim().split("\n");
    const [header, ...lines] = rows;
    const padded = lines.map((line, i) => `${line},"note ${i}, ""quoted""\nand broken"`).join("\n");
    writeFileSync(path, `${header},note\n${`${padded}\n`.repeat(4000)}`);
    return "big.csv";
  };

  test("with the rows of one thread, in their order", async () => {
    const { status, stderr } = argmax(
      "predict",
      "iris.safetensors",
      big(),
      "--proba",
      "--with-input",
      "--threads",
      "3",
      "-o",
      "big-out.csv",
    );
    expect({ status, stderr: stderr.slice(0, 12) }).toEqual({ status: 0, stderr: "600,000 rows" });
    const { table } = await loadTable(join(folder, "big-out.csv"));
    const expected = await expectedPredictions();
    const predictions = table.column("prediction").toArray();
    expect(predictions).toHaveLength(600_000);
    expect(predictions.every((label, i) => label === expected[i % 150])).toBe(true);
    expect(table.column("note").at(599_999)).toBe('note 149, "quoted"\nand broken');
  }, 60_000);

  test("names the line of a bad cell far down, and leaves no file", () => {
    writeFileSync(join(folder, "bad.csv"), `${readFileSync(join(folder, big()), "utf8")}1,2,x,4,setosa,n\n`);
    const { status, stderr } = argmax(
      "predict",
      "iris.safetensors",
      "bad.csv",
      "--threads",
      "2",
      "-o",
      "bad-out.csv",
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^bad\.csv, line 1200002, column "petal length \(cm\)": the cell must be a number, as in other rows, got "x"\./,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("bad-out"))).toEqual([]);
  }, 60_000);
});

describe("predict in a pipe", () => {
  test("reads standard input", async () => {
    const { stdout } = runShell(folder, "argmax predict iris.safetensors - < iris.csv");
    expect(stdout.trim().split("\n").slice(1)).toEqual(await expectedPredictions());
  });

  test("ends quietly when nobody reads on", () => {
    const { status, stdout, stderr } = runShell(
      folder,
      "argmax predict iris.safetensors big.csv --with-input | head -1",
    );
    expect({ status, lines: stdout.split("\n").length, stderr }).toEqual({ status: 0, lines: 2, stderr: "" });
  }, 60_000);
});

describe("what is wrong is said in one sentence, with code 1 or 2", () => {
  test.each<[string, string[], number, RegExp]>([
    ["no model", ["none.safetensors", "iris.csv"], 1, /^There is no file "none\.safetensors"/],
    [
      "no data",
      ["iris.safetensors", "irsi.csv"],
      1,
      /^There is no file "irsi\.csv"\. Did you mean "iris\.csv"\?/,
    ],
    [
      "data for a model",
      ["iris.csv", "iris.csv"],
      1,
      /^iris\.csv is not a model file of Argmax, or it is damaged: /,
    ],
    [
      "columns that are missing",
      ["iris.safetensors", "penguins"],
      1,
      /^penguins has no columns "sepal length \(cm\)", "sepal width \(cm\)", "petal length \(cm\)", "petal width \(cm\)"\. The columns are species, /,
    ],
    [
      "no probabilities",
      ["svc.safetensors", "iris.csv", "--proba"],
      2,
      /^--proba needs probabilities, and svc\.safetensors holds a LinearSVC/,
    ],
    [
      "a model that does not predict",
      ["pca.safetensors", "iris.csv"],
      1,
      /^pca\.safetensors holds a PCA, which does not predict/,
    ],
    [
      "a missing entry",
      ["iris.safetensors", "gap.csv"],
      1,
      /^gap\.csv, row 1, column "petal length \(cm\)" has no entry, which this model does not take/,
    ],
    [
      "an unknown ending",
      ["iris.safetensors", "iris.csv", "-o", "x.xlsx"],
      2,
      /^The format of x\.xlsx is not known/,
    ],
    [
      "both kinds of copies",
      ["iris.safetensors", "iris.csv", "--keep", "a", "--with-input"],
      2,
      /^--keep and --with-input exclude/,
    ],
    ["no arguments", [], 2, /^MODEL is missing/],
  ])("%s", async (_, words, code, sentence) => {
    const X = (await irisTable()).drop(["species"]);
    const y = (await expectedPredictions()) as string[];
    file("svc.safetensors", saveModel(new LinearSVC().fit(X, y)));
    file("pca.safetensors", saveModel(new PCA().fit(X)));
    file("gap.csv", `${X.columnNames.join(",")}\n1,2,,4\n`);
    const { status, stderr, stdout } = argmax("predict", ...words);
    expect({ status, stdout }).toEqual({ status: code, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(
      stderr
        .replace(/\nSee argmax predict --help\.\n$/, "")
        .trim()
        .split("\n"),
    ).toHaveLength(1);
  });
});
