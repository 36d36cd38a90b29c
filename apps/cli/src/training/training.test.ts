import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  LogisticRegression,
  loadClassifier,
  loadModelCard,
  loadRegressor,
  pipeline,
  StandardScaler,
} from "argmax";
import { loadCsv, loadDataset } from "argmax/datasets";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Journal } from "./journal.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "argmax-training-"));
const env = { PATH: process.env.PATH };
const argmax = (...words: string[]) =>
  spawnSync(process.execPath, [main, ...words], { encoding: "utf8", env, cwd: folder });
const inFolder = (name: string) => join(folder, name);

type Result = { readonly type: string; readonly [name: string]: unknown };
const objects = (stdout: string): Result[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);

beforeAll(async () => {
  writeFileSync(inFolder("titanic.csv"), (await loadCsv("titanic")).csv);
  const { X, y } = await loadDataset("iris");
  const lines = y.map((label, i) => [...X.row(i), label].join(","));
  writeFileSync(inFolder("iris.csv"), ["a,b,c,d,species", ...lines].join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("compare", () => {
  const words = ["compare", "iris.csv", "-t", "species", "-m", "svc,decision-tree,gaussian-nb", "-f", "4"];

  test("ranks the models, saves the best with its card, and says what to try next", () => {
    const { status, stdout, stderr } = argmax(...words);
    expect({ status, stderr: stderr.split("\n").length }).toEqual({ status: 0, stderr: 4 });
    expect(stdout).toContain("iris · species  150 rows × 4 columns");
    expect(stdout).toContain("argmax explain iris.safetensors iris.csv");
    const bytes = readFileSync(inFolder("iris.safetensors"));
    expect(loadModelCard(bytes)).toMatchObject({ target: "species", task: "classification", rows: 150 });
    expect(loadClassifier(bytes).classes).toEqual(["setosa", "versicolor", "virginica"]);
    expect(existsSync(inFolder("iris.safetensors.folds"))).toBe(false);
  });

  test("a model by name is the candidate of that name, and what is shown is what was fitted", () => {
    const models = (...more: string[]) =>
      objects(
        argmax("compare", "iris.csv", "-t", "species", "-f", "3", "--json", "--save", "none", ...more).stdout,
      );
    const usual = models();
    const named = models("-m", "decision-tree,random-forest");
    for (const id of ["DecisionTreeClassifier", "RandomForestClassifier"]) {
      const [one, other] = [usual, named].map((list) => list.find(({ name }) => name === id));
      expect(other).toMatchObject({ settings: "", scores: one!["scores"], estimator: one!["estimator"] });
    }
    const recommendation = usual.find(({ type }) => type === "recommendation")!;
    expect(recommendation["baseline"]).toBeCloseTo(1 / 3, 1);
    expect(recommendation["reason"]).toContain(`${recommendation["model"]} is recommended: `);
    const [chosen, ...others] = usual.filter(({ recommended }) => recommended);
    expect([chosen!["name"], others]).toEqual([recommendation["model"], []]);
  }, 60_000);

  test("with --json has one object per fold and model", () => {
    const { status, stdout } = argmax(...words, "--json", "--save", "none");
    expect(status).toBe(0);
    const results = objects(stdout);
    expect(results[0]).toMatchObject({ type: "data", rows: 150, task: "classification", remarks: [] });
    expect(results.filter(({ type }) => type === "fold")).toHaveLength(12);
    const models = results.filter(({ type }) => type === "model");
    expect(models.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    const means = models.map(({ mean }) => mean as number);
    expect(means).toEqual([...means].sort((a, b) => b - a));
    expect(results.at(-1)).toMatchObject({ type: "done" });
  });

  test("takes a table with categories, text and gaps as it is", () => {
    const { status, stdout } = argmax(
      ..."compare titanic.csv -t survived --drop boat,body -m logistic-regression,random-forest -f 3 -o out/t.safetensors".split(
        " ",
      ),
    );
    expect(status).toBe(0);
    expect(Number(/LogisticRegression.*? (0\.\d+)/.exec(stdout)![1])).toBeGreaterThan(0.78);
    expect(existsSync(inFolder("out/t.safetensors"))).toBe(true);
  }, 60_000);

  test("refuses what it cannot do, with what would be right", () => {
    const wrong = [
      [["compare", "iris.csv"], 2, "--target is missing"],
      [["compare", "iris.csv", "-t", "speceis"], 1, "species"],
      [["compare", "iris.csv", "-t", "species", "--drop", "a,b,c,d"], 2, "--drop leaves no column"],
      [["compare", "iris.csv", "-t", "species", "-m", "rigde"], 2, 'no model "rigde"'],
      [["compare", "iris.csv", "-t", "species", "-m", "ridge"], 2, "--model ridge is for regression"],
      [["compare", "iris.csv", "-t", "species", "--task", "regression"], 2, "needs numbers"],
      [["compare", "iris.csv", "-t", "species", "--scoring", "acuracy"], 2, "accuracy"],
      [["compare", "iris.csv", "-t", "species", "--resume"], 1, "nothing to resume"],
      [["compare", "irsi.csv", "-t", "species"], 1, "iris.csv"],
      [["compare"], 2, "DATA is missing"],
    ] as const;
    for (const [line, code, text] of wrong) {
      const { status, stderr } = argmax(...line);
      expect({ line, status, stderr }).toMatchObject({
        line,
        status: code,
        stderr: expect.stringContaining(text),
      });
      expect(stderr).not.toContain("    at ");
    }
  }, 60_000);
});

/** Starts the program and waits until it has measured some folds. */
async function startedRun(
  words: readonly string[],
  folds: number,
): Promise<{ child: ChildProcess; ended: Promise<number | null> }> {
  const child = spawn(process.execPath, [main, ...words, "--json"], { cwd: folder, env });
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  await new Promise<void>((resolve) => {
    let seen = 0;
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      seen += text.split('"type":"fold"').length + text.split('"type":"fit"').length - 2;
      if (seen >= folds) resolve();
    });
    void ended.then(() => resolve());
  });
  return { child, ended };
}

const scoresOf = (stdout: string) =>
  objects(stdout)
    .filter(({ type }) => type === "model" || type === "candidate")
    .map(({ name, params, mean, scores }) => ({ name, params, mean, scores }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

describe("a run that is interrupted", () => {
  const slow = "compare titanic.csv -t survived --drop boat,body -m mlp,random-forest -f 4".split(" ");

  test("by kill -9 goes on from its finished folds, and gives the same leaderboard", async () => {
    const words = [...slow, "-o", "killed.safetensors"];
    const whole = argmax(...words, "--json");
    expect(whole.status).toBe(0);
    const { child, ended } = await startedRun(words, 3);
    child.kill("SIGKILL");
    await ended;
    const kept = readFileSync(inFolder("killed.safetensors.folds"), "utf8").trim().split("\n").length - 1;
    expect(kept).toBeGreaterThanOrEqual(3);
    const other = argmax(...words, "--seed", "1", "--resume");
    expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining("other data or options") });
    const resumed = argmax(...words, "--resume", "--json");
    expect(resumed).toMatchObject({ status: 0, stderr: expect.stringMatching(/^\d+ folds are known/) });
    expect(scoresOf(resumed.stdout)).toEqual(scoresOf(whole.stdout));
    expect(existsSync(inFolder("killed.safetensors.folds"))).toBe(false);
  }, 120_000);

  test("by Ctrl-C stops cleanly and says how to go on", async () => {
    const words = [...slow, "-o", "stopped.safetensors"];
    const { child, ended } = await startedRun(words, 2);
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(stderr).toMatch(/Stopped\. \d+ folds are kept in stopped\.safetensors\.folds/);
    const again = /argmax (compare .*--resume)/.exec(stderr)![1]!;
    expect(argmax(...again.split(" ")).status).toBe(0);
  }, 120_000);

  test("of tune goes on as well", async () => {
    const words =
      "tune titanic.csv -t survived --drop boat,body -m random-forest -n 5 -f 3 -o tuned.safetensors".split(
        " ",
      );
    const whole = argmax(...words, "--json");
    expect(whole.status).toBe(0);
    const { child, ended } = await startedRun(words, 6);
    child.kill("SIGKILL");
    await ended;
    const resumed = argmax(...words, "--resume", "--json");
    expect(resumed.status).toBe(0);
    expect(scoresOf(resumed.stdout)).toEqual(scoresOf(whole.stdout));
  }, 120_000);
});

describe("data that cannot be measured as it is", () => {
  const rowsOf = (labels: readonly (string | number)[]) =>
    ["x,z,y", ...labels.map((label, i) => `${i % 7},${(i * 13) % 11},${label}`)].join("\n");

  test("rows of a class that is too rare for the folds are left out, and named", () => {
    const labels = Array.from({ length: 60 }, (_, i) => (i === 17 ? "solo" : i % 2 === 0 ? "p" : "q"));
    writeFileSync(inFolder("rare.csv"), rowsOf(labels));
    const compared = argmax("compare", "rare.csv", "-t", "y", "-m", "gaussian-nb", "-f", "3");
    expect(compared).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("59 rows × 2 columns\n2 classes"),
    });
    expect(compared.stdout).toContain(
      '1 row was left out, of the class "solo". With 3 folds, a class needs 3 rows or more.',
    );
    const tuned = argmax("tune", "rare.csv", "-t", "y", "-m", "gaussian-nb", "-n", "2", "-f", "3");
    expect(tuned).toMatchObject({ status: 0, stderr: expect.stringContaining("1 row was left out") });
    const trained = argmax("train", "rare.csv", "-t", "y", "-m", "gaussian-nb");
    expect(trained).toMatchObject({ status: 0, stderr: expect.stringContaining("1 row was left out") });
    const all = argmax("train", "rare.csv", "-t", "y", "-m", "gaussian-nb", "--test", "0");
    expect(all).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("on 60 rows") });
  }, 30_000);

  test("a target that is constant, or differs in every row, is refused in one sentence", () => {
    writeFileSync(inFolder("constant.csv"), rowsOf(Array(60).fill(3.5)));
    expect(argmax("compare", "constant.csv", "-t", "y")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: 'Column "y" of constant is 3.5 in every row: there is nothing to learn.\n',
    });
    expect(argmax("inspect", "constant.csv", "-t", "y").stdout).toContain('"y" is "3.5" in every row');
    writeFileSync(inFolder("names.csv"), rowsOf(Array.from({ length: 60 }, (_, i) => `user${i}`)));
    expect(argmax("compare", "names.csv", "-t", "y")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "60 classes in 60 rows, and none of them can be measured: with 5 folds",
      ),
    });
  }, 30_000);
});

describe("the output of a model", () => {
  test("is refused before the training, and leaves no temporary file", () => {
    mkdirSync(inFolder("folder"));
    for (const words of [
      ["compare", "iris.csv", "-t", "species", "-m", "svc"],
      ["train", "iris.csv", "-t", "species", "-m", "svc"],
      ["train", "iris.csv", "-t", "species", "-m", "gaussian-nb", "--stream"],
      ["tune", "iris.csv", "-t", "species", "-m", "svc", "-n", "2"],
    ]) {
      expect(argmax(...words, "-o", "folder")).toMatchObject({
        status: 1,
        stdout: "",
        stderr: "folder is a folder: name a file in it, as folder/model.safetensors.\n",
      });
      expect(argmax(...words, "-o", "iris.csv/model.safetensors").stderr).toBe(
        "iris.csv/model.safetensors cannot be written: a part of its path is a file.\n",
      );
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("folder"))).toEqual(["folder"]);
  }, 60_000);

  test("comes with commands that read the source as it was read", () => {
    writeFileSync(inFolder("piped.csv"), readFileSync(inFolder("iris.csv"), "utf8").replaceAll(",", "|"));
    const words = ["train", "piped.csv", "-t", "species", "-m", "gaussian-nb", "--delimiter", "|"];
    const next = /argmax (evaluate .*)/.exec(argmax(...words).stdout)![1]!;
    expect(next).toBe("evaluate piped-gaussian-nb.safetensors piped.csv --delimiter '|'");
  });
});

describe("a file that holds another model", () => {
  const at = (name: string) => readFileSync(inFolder(name));
  const iris = ["iris.csv", "-t", "species"];

  test("is refused before the training, with the ways out; the same model is trained again", () => {
    const words = ["train", ...iris, "-m", "decision-tree", "-o", "kept.safetensors"];
    expect(argmax(...words).status).toBe(0);
    const first = at("kept.safetensors");
    expect(argmax(...words, "--rows", "120").status).toBe(0);
    expect(at("kept.safetensors")).not.toEqual(first);
    const before = at("kept.safetensors");
    for (const [other, held] of [
      [["-s", "maxDepth=2"], "DecisionTreeClassifier, which predicts species from 4 columns"],
      [["-m", "gaussian-nb"], "DecisionTreeClassifier, which predicts species from 4 columns"],
      [["--drop", "a"], "from 4 columns"],
      [["--seed", "7"], "from 4 columns (with another seed or preparation of columns)"],
    ] as const) {
      const { status, stderr, stdout } = argmax(...words, ...other);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(`kept.safetensors holds another model: `);
      expect(stderr).toContain(`${held}. Keep it`);
      expect(stderr).toContain("--output kept-2.safetensors, or replace it with --force");
    }
    expect(at("kept.safetensors")).toEqual(before);
    const forced = argmax(...words, "-s", "maxDepth=2", "--force");
    expect(forced.stdout).toContain("DecisionTreeClassifier (maxDepth 2) on 150 rows");
    expect(at("kept.safetensors")).not.toEqual(before);
  }, 60_000);

  test("that a comparison or a search has chosen is saved under a free name, so that nothing is lost", () => {
    const compared = ["compare", ...iris, "-f", "2", "-o", "chosen.safetensors"];
    expect(argmax(...compared, "-m", "gaussian-nb").status).toBe(0);
    const first = at("chosen.safetensors");
    const { status, stdout, stderr } = argmax(...compared, "-m", "decision-tree");
    expect(status).toBe(0);
    expect(stderr).toContain("another one is saved as chosen-2.safetensors");
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
      /is in chosen-2\.safetensors \(.*\)\. chosen\.safetensors was kept: it holds GaussianNB,/,
    );
    expect(stdout).toContain("argmax explain chosen-2.safetensors iris.csv");
    expect(at("chosen.safetensors")).toEqual(first);
    expect(loadClassifier(at("chosen-2.safetensors")).toState().kind).toBe("DecisionTreeClassifier");
    // Of another target: known before anything is measured.
    const other = argmax("compare", "iris.csv", "-t", "a", "-m", "ridge", "-o", "chosen.safetensors");
    expect(other).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("another model") });
    const tuned = ["tune", ...iris, "-f", "2", "-n", "1", "-o", "chosen.safetensors", "--json"];
    expect(argmax(...tuned, "-m", "decision-tree").status).toBe(1);
    const found = argmax(...tuned, "-m", "gaussian-nb");
    expect(objects(found.stdout).at(-1)).toMatchObject({
      saved: "chosen-3.safetensors",
      kept: "chosen.safetensors",
    });
  }, 60_000);

  test("is not met by the default names of the commands", () => {
    rmSync(inFolder("iris.safetensors"), { force: true });
    expect(argmax("compare", ...iris, "-m", "gaussian-nb", "-f", "2").status).toBe(0);
    const before = at("iris.safetensors");
    expect(argmax("tune", ...iris, "-m", "decision-tree", "-n", "1", "-f", "2").stdout).toContain(
      "in iris-decision-tree-tuned.safetensors",
    );
    expect(argmax("train", ...iris, "-m", "DecisionTreeClassifier").stdout).toContain(
      "in iris-decision-tree.safetensors",
    );
    expect(at("iris.safetensors")).toEqual(before);
  }, 60_000);

  test("and files that are not models, or that the command reads, are not replaced", () => {
    writeFileSync(inFolder("notes.txt"), "my notes");
    expect(argmax("train", ...iris, "-m", "gaussian-nb", "-o", "notes.txt")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("notes.txt exists and is not a model of Argmax."),
    });
    const table = at("iris.csv");
    const model = at("iris.safetensors");
    for (const words of [
      ["train", ...iris, "-m", "gaussian-nb", "--force", "-o", "./iris.csv"],
      ["predict", "iris.safetensors", "iris.csv", "-o", "iris.csv"],
      ["convert", "iris.safetensors", "--to", "json", "-o", "./iris.safetensors"],
      ["evaluate", "iris.safetensors", "iris.csv", "--html", "iris.csv"],
      ["explain", "iris.safetensors", "--html", "iris.safetensors"],
    ])
      expect(argmax(...words)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("is read by this command: write to another file."),
      });
    expect([at("iris.csv"), at("iris.safetensors"), at("notes.txt").toString()]).toEqual([
      table,
      model,
      "my notes",
    ]);
  }, 60_000);
});

test("folds of another run that writes to the same file do not count", () => {
  const path = inFolder("shared.folds");
  const record = { testScores: [0.5], fitTime: 1, scoreTime: 1 };
  const [one, other] = ["a", "b"].map((letter) => Journal.open(path, letter.repeat(64), false));
  other!.remember("SVC/0", record);
  one!.remember("SVC/0", record);
  other!.remember("SVC/1", { ...record, testScores: [0.9] });
  const resumed = Journal.open(path, "a".repeat(64), true);
  expect(resumed.size).toBe(1);
  expect(resumed.recall("SVC/0")).toEqual(record);
});

describe("train", () => {
  test("sets parameters, measures on held-out rows and saves", () => {
    const { status, stdout } = argmax(
      ..."train iris.csv -t species -m random-forest -s maxDepth=3 -s nEstimators=7 --json".split(" "),
    );
    expect(status).toBe(0);
    const [result] = objects(stdout);
    expect(result).toMatchObject({
      type: "trained",
      model: "RandomForestClassifier",
      rows: 150,
      testRows: 30,
    });
    expect(result!["score"]).toBeGreaterThan(0.9);
    const model = loadClassifier(readFileSync(inFolder("iris-random-forest.safetensors"))) as unknown as {
      trees: unknown[];
    };
    expect(model.trees).toHaveLength(7);
  });

  test("of numbers is a regression, of an included dataset too", () => {
    const { status, stdout } = argmax(..."train diabetes -m ridge -s alpha=2 -o r.safetensors".split(" "));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^R² 0\.\d+ on 89 rows that were held out\./);
    expect(loadRegressor(readFileSync(inFolder("r.safetensors"))).nFeatures).toBe(10);
  });

  test("takes a pipeline as JSON", () => {
    const made = pipeline(new StandardScaler(), new LogisticRegression({ C: 0.01 }));
    writeFileSync(inFolder("pipeline.json"), JSON.stringify(made));
    const { status, stdout } = argmax(..."train iris.csv -t species -p pipeline.json --test 0".split(" "));
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^LogisticRegression \(C 0\.01\) on 150 rows/),
    });
  });

  test("learns in a stream what it learns at once, if rows are sums", () => {
    const words = ["train", "iris.csv", "-t", "species", "-m", "gaussian-nb", "--plain"];
    expect(argmax(...words, "--test", "0", "-o", "once.safetensors").status).toBe(0);
    const { status, stdout } = argmax(...words, "--stream", "-o", "stream.safetensors");
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("GaussianNB on 150 rows"),
    });
    const [once, stream] = ["once", "stream"].map((name) => {
      const bytes = readFileSync(inFolder(`${name}.safetensors`));
      return { model: loadClassifier(bytes), card: loadModelCard(bytes) };
    });
    expect(stream!.card).toEqual(once!.card);
    expect(stream!.model.predict([[5, 3, 1, 0.2]])).toEqual(["setosa"]);
    const forest = argmax("train", "iris.csv", "-t", "species", "-m", "random-forest", "--stream");
    expect(forest).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("learns from all rows at once"),
    });
  });

  test("of a table with categories in a stream is a pipeline that takes such tables", () => {
    const words = "train titanic.csv -t survived --drop boat,body -m sgd --stream --epochs 5".split(" ");
    expect(argmax(...words, "-o", "s.safetensors").status).toBe(0);
    const { status, stdout } = argmax("evaluate", "s.safetensors", "titanic.csv");
    expect(status).toBe(0);
    expect(Number(/^accuracy +(0\.\d+)/m.exec(stdout)![1])).toBeGreaterThan(0.7);
  });

  test("shows models and parameters from their tables", () => {
    expect(argmax("train", "-m", "list").stdout).toMatch(/For regression:\n(.*\n)* {2}ridge\n/);
    const { stdout } = argmax("train", "-m", "ridge", "--params");
    expect(stdout).toMatch(/\nalpha +1 +\S/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  test("refuses wrong parameters with the library's own sentences", () => {
    const wrong = [
      [["-m", "svc", "-s", "C=-1"], 2, "C must be"],
      [["-m", "svc", "-s", "CC=1"], 2, "CC"],
      [["-m", "svc", "-s", "C"], 2, "NAME=VALUE"],
      [["-m", "svc", "-s", "C=1", "-s", "C=2"], 2, "given twice"],
      [["-m", "svc", "-s", "__proto__=1"], 2, "__proto__"],
      [["-m", "svc", "-p", "pipeline.json"], 2, "or a pipeline"],
      [["-m", "svc", "--test", "1.5"], 2, "--test must be"],
      [["-m", "gaussian-nb", "--stream", "--task", "sums"], 2, "--task must be"],
      [["-p", "iris.csv"], 1, "cannot be read as JSON"],
      [["-m", "svc", "--epochs", "2"], 2, "--epochs goes with --stream"],
      [["-m", "sgd", "--stream", "--test", "0.5"], 2, "--test goes without --stream"],
      [["-p", "pipeline.json", "--plain"], 2, "--plain goes with --model"],
      [["-m", "multinomial-nb", "--plain", "--drop", "a"], 0, ""],
    ] as const;
    for (const [words, code, text] of wrong) {
      const { status, stderr } = argmax("train", "iris.csv", "-t", "species", ...words);
      expect({ words, status, stderr }).toMatchObject({
        words,
        status: code,
        stderr: expect.stringContaining(text),
      });
    }
  }, 60_000);
});

describe("the target", () => {
  test("of dates is refused, and a rare class is named with a better score", () => {
    const days = Array.from(
      { length: 40 },
      (_, i) => `${i},2024-01-${String((i % 28) + 1).padStart(2, "0")}`,
    );
    writeFileSync(inFolder("days.csv"), ["a,day", ...days].join("\n"));
    expect(argmax("train", "days.csv", "-t", "day", "-m", "ridge")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("has dates, which cannot be predicted"),
    });
    const rare = Array.from({ length: 100 }, (_, i) => `${i},${(i * 7) % 13},${i % 10 === 0 ? "yes" : "no"}`);
    writeFileSync(inFolder("rare-class.csv"), ["a,b,y", ...rare].join("\n"));
    const { status, stderr } = argmax("train", "rare-class.csv", "-t", "y", "-m", "gaussian-nb");
    expect(status).toBe(0);
    expect(stderr).toContain('90.0 % of the rows are "no"');
    expect(stderr).toContain("--scoring rocAuc");
  });
});

describe("tune", () => {
  test("refuses ranges that the model does not have, before it searches", () => {
    const wrong = [
      [["-m", "svc", "-r", "CC=1,2"], '--range CC: SVC has no such parameter. Did you mean "C"?'],
      [["-m", "svc", "-r", "C=log:0:1"], "--range C=log:0:1: logUniform: the bounds must be"],
      [["-m", "gaussian-nb", "-s", "varSmoothing=1e-9"], "--set leaves nothing to search"],
    ] as const;
    for (const [words, text] of wrong)
      expect(argmax("tune", "iris.csv", "-t", "species", ...words)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining(text),
      });
  });

  test("finds parameters in ranges of the user, within a time", () => {
    const { status, stdout } = argmax(
      ..."tune diabetes -m ridge -r alpha=log:0.01:100 -n 6 --time 20s --json -o ridge.safetensors".split(
        " ",
      ),
    );
    expect(status).toBe(0);
    const results = objects(stdout);
    const candidates = results.filter(({ type }) => type === "candidate");
    expect(candidates).toHaveLength(6);
    for (const { params } of candidates) {
      const { alpha } = params as { alpha: number };
      expect(alpha > 0.01 && alpha < 100).toBe(true);
    }
    expect(results.at(-1)).toMatchObject({ type: "done", best: (candidates[0] as Result)["params"] });
  });

  test("halves the candidates", () => {
    const { status, stdout } = argmax(
      ..."tune iris -m decision-tree --method halving -n 9 -f 3 -o h.safetensors".split(" "),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/rows +parameters/);
  });

  test("needs ranges for models that have no usual ones", () => {
    const { status, stderr } = argmax("tune", "iris", "-m", "perceptron");
    expect(status).toBe(2);
    expect(stderr).toContain("--range");
    expect(argmax("tune", "iris", "-m", "svc", "-r", "C=log:1").status).not.toBe(0);
  });
});
