import { readFileSync, writeFileSync } from "node:fs";
import {
  GaussianNB,
  LogisticRegression,
  modelCard,
  pipeline,
  Ridge,
  StandardScaler,
  saveModel,
  Table,
  tableVectorizer,
} from "argmax";
import { afterAll, describe, expect, test } from "vitest";
import { runAt, runCommand, runJson, saveFitted, testFolder } from "../../test/saved-models.js";

const folder = testFolder("evaluate");
afterAll(folder.remove);

const metricsOf = ({ all }: Awaited<ReturnType<typeof runJson>>): Record<string, number> =>
  Object.fromEntries(all("metric").map(({ name, value }) => [name as string, value as number]));

describe("labels", () => {
  const rows = (labels: readonly string[]) =>
    ["x,kind", ...labels.map((label, i) => `${label === "a" ? i % 3 : 5 + (i % 3)},${label}`)].join("\n");
  const save = (labels: readonly (string | number)[], kind = "kind") => {
    const x = labels.map((_, i) => (i % 2 === 0 ? i % 3 : 5 + (i % 3)));
    const table = Table.fromColumns({ x });
    const path = folder.at(`labels-${labels[0]}.safetensors`);
    const model = new LogisticRegression().fit(table, labels as string[]);
    writeFileSync(
      path,
      saveModel(model, { card: modelCard(table, { target: kind, task: "classification" }) }),
    );
    return path;
  };
  const ab = () => save(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "a" : "b")));

  test("rows with a label that the model has never seen are left out, with a remark", async () => {
    writeFileSync(folder.at("c.csv"), rows(["a", "b", "a", "b", "c", "c"]));
    const result = await runJson("evaluate", ab(), folder.at("c.csv"));
    expect(result.one("remark").text).toContain(
      '2 of 6 rows have a label that the model has never seen ("c")',
    );
    expect(metricsOf(result).accuracy).toBe(1);
    expect(result.one("confusion").matrix).toEqual([
      [2, 0],
      [0, 2],
    ]);
  });

  test("a target without any known label is an error that names both", async () => {
    writeFileSync(folder.at("z.csv"), rows(["y", "z", "y", "z"]));
    const { code, noted } = await runCommand("evaluate", ab(), folder.at("z.csv"));
    expect(code).toBe(1);
    expect(noted).toContain(
      'No label of "kind" is a class of the model: the data has "y", "z", the model "a", "b".',
    );
  });

  test("labels that are equal as text are equal: 0 and 1 in the file, “0” and “1” in the model", async () => {
    const path = save(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "0" : "1")));
    writeFileSync(folder.at("numbers.csv"), "x,kind\n0,0\n1,0\n6,1\n7,1\n");
    expect(metricsOf(await runJson("evaluate", path, folder.at("numbers.csv"))).accuracy).toBe(1);
  });

  test("columns that the model does not read are named and left out", async () => {
    writeFileSync(folder.at("more.csv"), "id,x,kind\n1,0,a\n2,6,b\n3,1,a\n4,7,b\n");
    const result = await runJson("evaluate", ab(), folder.at("more.csv"));
    expect(result.one("remark").text).toBe('Not used by the model: "id".');
    expect(metricsOf(result).accuracy).toBe(1);
  });

  test("data of one class has an accuracy and no curves", async () => {
    writeFileSync(folder.at("a.csv"), rows(["a", "a", "a"]));
    const result = await runJson("evaluate", ab(), folder.at("a.csv"));
    expect(result.code).toBe(0);
    expect(metricsOf(result)).toMatchObject({ accuracy: 1 });
    expect(result.all("curve")).toEqual([]);
    expect(
      result
        .all("remark")
        .map(({ text }) => text)
        .join(),
    ).toContain("No curves");
  });
});

describe("the command line", () => {
  test("finds the columns of the model by name, by its card, or by their number", async () => {
    const { path } = await saveFitted(folder.at("some.safetensors"), "iris", new GaussianNB());
    const { path: card } = await saveFitted(folder.at("matrix.safetensors"), "iris", new GaussianNB(), {
      matrix: true,
    });
    expect((await runCommand("evaluate", path, "penguins", "--target", "species")).noted).toContain(
      "which some was trained on",
    );
    expect(metricsOf(await runJson("evaluate", card, "iris", "--bootstrap", "0"))).toEqual(
      metricsOf(await runJson("evaluate", path, "iris", "--bootstrap", "0")),
    );
    const { path: bare } = await saveFitted(folder.at("bare.safetensors"), "iris", new GaussianNB(), {
      matrix: true,
      card: false,
    });
    expect(metricsOf(await runJson("evaluate", bare, "iris", "--bootstrap", "0"))).toEqual(
      metricsOf(await runJson("evaluate", path, "iris", "--bootstrap", "0")),
    );
    expect((await runCommand("evaluate", bare, "breastCancer")).noted).toContain(
      "bare reads 4 columns without names",
    );
  });

  test("warns of the rows that the model was trained on, and of no others", async () => {
    const { path, X, y, target } = await saveFitted(folder.at("seen.safetensors"), "iris", new GaussianNB());
    const remarks = async (parity: number) => {
      const rows = [...y.keys()].filter((i) => i % 2 === parity);
      const cells = X.selectRows(rows).toMatrix().toArray();
      const lines = cells.map((row, r) => [...row, y[rows[r]!]].join(","));
      writeFileSync(folder.at("half.csv"), [[...X.columnNames, target].join(","), ...lines].join("\n"));
      return (await runJson("evaluate", path, folder.at("half.csv"), "--bootstrap", "0")).all("remark");
    };
    expect((await remarks(0)).map(({ text }) => text)).toEqual([
      "These appear to be the rows that the model was trained on: such scores are optimistically biased.",
    ]);
    expect(await remarks(1)).toEqual([]);
  });

  test("a wrong option ends with code 2 and a sentence", async () => {
    const { path } = await saveFitted(folder.at("options.safetensors"), "iris", new GaussianNB());
    for (const [words, sentence] of [
      [["--class", "rose"], "--class must be a class of the model"],
      [["--positive", "setosa"], "--positive is for models of two classes"],
      [["--threshold", "0.5"], "--threshold is for models of two classes"],
      [["--threshold", "high"], '--threshold must be a number, got "high".'],
      [["--plots", "few"], "--plots must be none, some, all"],
      [["--bootstrap", "-1"], "--bootstrap"],
    ] as const) {
      const { code, noted } = await runCommand("evaluate", path, "iris", ...words);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(noted).toContain(sentence);
    }
  });

  test("fits in 40 columns", async () => {
    const { path } = await saveFitted(
      folder.at("narrow.safetensors"),
      "penguins",
      pipeline(tableVectorizer(), new LogisticRegression()),
    );
    const ridge = await saveFitted(folder.at("narrow-r.safetensors"), "diabetes", new Ridge());
    for (const words of [
      [path, "penguins"],
      [path, "penguins", "--class", "Chinstrap"],
      [ridge.path, "diabetes"],
    ])
      for (const width of [40, 60]) {
        const { printed } = await runAt(width, "evaluate", ...words, "--plots", "all", "--bootstrap", "0");
        const wide = printed.split("\n").filter((line) => [...line].length > width);
        expect({ words, width, wide }).toEqual({ words, width, wide: [] });
      }
  });

  test("a transformer predicts nothing", async () => {
    const { path } = await saveFitted(folder.at("scaler.safetensors"), "iris", new StandardScaler() as never);
    const { code, noted } = await runCommand("evaluate", path, "iris");
    expect(code).toBe(1);
    expect(noted).toContain("scaler is a StandardScaler, which transforms columns and predicts nothing.");
  });
});

describe("--html", () => {
  test("a file that cannot be written is one sentence", async () => {
    const { path } = await saveFitted(folder.at("unwritten.safetensors"), "iris", new GaussianNB());
    const words = ["evaluate", path, "iris", "--bootstrap", "0", "--html", folder.at("none/report.html")];
    const { code, noted } = await runCommand(...words);
    expect(code).toBe(1);
    expect(noted).toMatch(/none\/report\.html cannot be written: there is no such folder\.$/);
  });

  test("writes one page that needs nothing else, with every figure of the text", async () => {
    const { path } = await saveFitted(
      folder.at("page.safetensors"),
      "penguins",
      pipeline(tableVectorizer(), new LogisticRegression()),
    );
    const file = folder.at("page.html");
    const { printed } = await runCommand("evaluate", path, "penguins", "--html", file, "--bootstrap", "100");
    const page = readFileSync(file, "utf8");
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|url\(|@import/);
    expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/);
    expect(page.match(/<svg /g)).toHaveLength(4);
    expect(page).toContain("prefers-color-scheme:dark");
    for (const number of printed.match(/\b\d\.\d{3}\b/g)!) expect(page).toContain(number);
  });

  test("escapes names of classes, columns and files", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const table = Table.fromColumns(new Map([["x & y", [0, 1, 2, 3, 4, 5]]]));
    const model = new LogisticRegression().fit(table, ["a", "a", "a", evil, evil, evil]);
    const path = folder.at("evil.safetensors");
    writeFileSync(
      path,
      saveModel(model, { card: modelCard(table, { target: "t<i>", task: "classification" }) }),
    );
    writeFileSync(folder.at("evil.csv"), `x & y,t<i>\n0,a\n1,a\n4,${evil}\n5,${evil}\n`);
    const file = folder.at("evil.html");
    expect(
      (await runCommand("evaluate", path, folder.at("evil.csv"), "--html", file, "--bootstrap", "100")).code,
    ).toBe(0);
    const page = readFileSync(file, "utf8");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toMatch(/<img|<i>/);
  });

  test("a regression has its three plots", async () => {
    const { path } = await saveFitted(folder.at("regression.safetensors"), "diabetes", new Ridge());
    const file = folder.at("regression.html");
    await runCommand("evaluate", path, "diabetes", "--html", file, "--bootstrap", "100");
    const page = readFileSync(file, "utf8");
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page.match(/<circle /g)).toHaveLength(2 * 442);
  });
});
