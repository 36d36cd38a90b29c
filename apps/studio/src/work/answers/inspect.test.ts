import { CategoricalColumn, NumericColumn, Table } from "argmax/data";
import { loadTexts } from "argmax/datasets";
import { describe, expect, test } from "vitest";
import { heldTables, quietContext } from "../../../test/worker-context.js";
import { guessedRoles } from "../../data/guess-roles.js";
import { categoryColumn } from "../../data/table.js";
import { packTexts } from "../../data/texts.js";
import { flipSentence } from "../../screens/inspect/flip-sentence.js";
import { placeOf, valueAt } from "../projection.js";
import type { Roles } from "../protocol.js";
import { fewDigits, flip } from "./flip.js";
import { mosaic } from "./internals/networks.js";
import { internals } from "./internals.js";
import { frames } from "./pictures/frames.js";
import { planeTable } from "./pictures/grid.js";
import { farFromSlice, projected } from "./pictures/places.js";
import { predict } from "./predict.js";
import { train } from "./train.js";

const held = await heldTables("penguins", "moons", "moons", "digits");
const context = quietContext(held);
const split = { kind: "folds", folds: 2, seed: 0 } as const;
const numbers = ["billLength", "billDepth", "flipperLength", "bodyMass"];
const penguins: Roles = {
  table: "penguins",
  features: numbers,
  target: "species",
  group: null,
  task: "classification",
};
const moons: Roles = { ...penguins, table: "moons", features: ["x", "y"], target: "class" };
const moonView = {
  axes: ["x", "y"] as const,
  x: [-1.5, 2.5] as const,
  y: [-1, 1.5] as const,
  n: 20,
  row: null,
};

async function trained(roles: Roles, estimator: string, params = {}): Promise<string> {
  const { file } = await train({ roles, model: { estimator, params }, split, preview: null }, context);
  held.set(`model of ${estimator}`, file);
  return `model of ${estimator}`;
}

describe("a projection", () => {
  test("has orthonormal components, and maps places to rows and back", async () => {
    const { projection } = await projected(held.table("penguins"), [...numbers, "island"]);
    const { first, second, columns, shares } = projection!;
    expect(columns).toEqual(numbers);
    const dot = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, k) => sum + value * b[k]!, 0);
    expect(dot(first, first)).toBeCloseTo(1, 10);
    expect(dot(second, second)).toBeCloseTo(1, 10);
    expect(dot(first, second)).toBeCloseTo(0, 10);
    // By NumPy: the eigenvalues of the correlation matrix, over 4.
    expect(shares[0]).toBeCloseTo(0.6884, 3);
    expect(shares[1]).toBeCloseTo(0.1931, 3);
    const row = columns.map((_, k) => valueAt(projection!, k, 1.5, -0.7));
    const place = placeOf(projection!, row);
    expect(place.x).toBeCloseTo(1.5, 10);
    expect(place.y).toBeCloseTo(-0.7, 10);
    expect(place.far).toBeCloseTo(0, 6);
  });

  test("gives rows of a grid that lie on its plane, with other columns as in a row", async () => {
    const data = held.table("penguins");
    const { projection } = await projected(data, [...numbers, "island"]);
    const { x: _x, y: _y, ...plane } = projection!;
    const view = {
      axes: ["component 1", "component 2"] as const,
      x: [-4, 4] as const,
      y: [-3, 3] as const,
      n: 8,
      row: 200,
      projection: plane,
    };
    const points = planeTable(data, [...numbers, "island"], view);
    expect(points.rows).toBe(64);
    for (const i of [0, 9, 63]) {
      const place = placeOf(
        plane,
        numbers.map((name) => (points.column(name) as NumericColumn).values[i]!),
      );
      expect(place.x).toBeCloseTo(-4 + (8 * ((i % 8) + 0.5)) / 8, 8);
      expect(place.y).toBeCloseTo(3 - (6 * (Math.floor(i / 8) + 0.5)) / 8, 8);
      expect(place.far).toBeCloseTo(0, 6);
    }
    const island = points.column("island") as CategoricalColumn;
    expect(new Set(island.codes)).toEqual(new Set([(data.column("island") as CategoricalColumn).codes[200]]));
  });

  test("places every row, missing numbers in the middle; constant columns are left out", async () => {
    const columns = new Map([
      ["a", new NumericColumn(Float64Array.of(1, 2, 3, 4))],
      ["b", new NumericColumn(Float64Array.of(4, 1, 3, Number.NaN))],
      ["c", new NumericColumn(new Float64Array(4).fill(7))],
      ["d", new NumericColumn(Float64Array.of(0, 1, 0, 1))],
    ]);
    const { projection, far } = await projected(Table.fromColumns(columns) as Table, ["a", "b", "c", "d"]);
    expect(projection!.columns).toEqual(["a", "b", "d"]);
    for (const values of [projection!.x, projection!.y, far])
      expect(Array.from(values, Number.isFinite)).toEqual([true, true, true, true]);
    const constant = ["c", "c2"].map((name) => [name, columns.get("c")!] as const);
    await expect(projected(Table.fromColumns(new Map(constant)) as Table, ["c", "c2"])).rejects.toThrow(
      /use a slice/,
    );
  });
});

test("rows are as far from a slice as their other columns differ, in deviations", () => {
  const data = Table.fromColumns(
    new Map<string, NumericColumn | CategoricalColumn>([
      ["x", new NumericColumn(Float64Array.of(1, 2, 3, 4))],
      ["y", new NumericColumn(Float64Array.of(1, 2, 3, 4))],
      ["z", new NumericColumn(Float64Array.of(0, 0, 2, 2))],
      ["kind", new CategoricalColumn(Int32Array.of(0, 1, 0, 1), ["a", "b"])],
    ]),
  ) as Table;
  const far = farFromSlice(data, ["x", "y", "z", "kind"], ["x", "y"], 0);
  expect(Array.from(far, (value) => Number(value.toFixed(4)))).toEqual([
    0,
    Number(Math.sqrt(1 / 2).toFixed(4)),
    Number(Math.sqrt(4 / 2).toFixed(4)),
    Number(Math.sqrt(5 / 2).toFixed(4)),
  ]);
});

describe("the nearest flip", () => {
  test("changes the answer, and a little less does not", async () => {
    const model = await trained(penguins, "LogisticRegression");
    const ask = { roles: penguins, model, row: 3, changes: {} };
    const before = await predict({ ...ask, row: 10 }, context);
    const flips = await flip({ ...ask, row: 10 }, context);
    expect(flips.length).toBeGreaterThan(0);
    expect(flips.map(({ deviations }) => deviations)).toEqual(
      flips.map(({ deviations }) => deviations).sort((a, b) => a - b),
    );
    for (const { name, from, to, answer, label } of flips) {
      expect(answer).toBe(before.label);
      const at = async (value: number) =>
        (await predict({ ...ask, row: 10, changes: { [name]: String(value) } }, context)).label;
      expect(await at(to)).toBe(label);
      expect(label).not.toBe(answer);
      expect(await at(from + 0.96 * (to - from))).toBe(answer);
    }
  });

  test("is empty where nothing changes the answer", async () => {
    const alone = await trained({ ...penguins, features: ["billLength", "island"] }, "DummyClassifier");
    const roles = { ...penguins, features: ["billLength", "island"] };
    await expect(flip({ roles, model: alone, row: 0, changes: {} }, context)).resolves.toEqual([]);
  });

  test("in a sentence", () => {
    const one = {
      name: "billLength",
      from: 41.2,
      to: 44.8,
      answer: "Adelie",
      label: "Chinstrap",
      deviations: 1,
    };
    expect(flipSentence(one)).toBe("Adelie → Chinstrap if billLength rose from 41.2 to 44.8");
    expect(flipSentence({ ...one, to: 39, answer: "3", label: "8" })).toBe(
      "“3” → “8” if billLength fell from 41.2 to 39",
    );
  });

  test("has few digits", () => {
    expect(fewDigits(41.2, 44.7934, (value) => value > 44.7933)).toBe(44.8);
    expect(fewDigits(-0.4, -0.51234, (value) => value < -0.5123)).toBe(-0.513);
    expect(fewDigits(1000.1, 1000.2, (value) => value >= 1000.2)).toBe(1000.2);
    // A narrow region is not jumped over.
    expect(fewDigits(0, 1.23456, (value) => value > 1.2345 && value < 1.2347)).toBe(1.2346);
  });
});

describe("steps of a fit", () => {
  const ask = { roles: moons, view: moonView, most: 20, row: null };

  test("of linear models have lines, of others none", async () => {
    const linear = await frames({ ...ask, model: { estimator: "SGDClassifier", params: {} } }, context);
    expect(linear.isLinear).toBe(true);
    expect(linear.diverged).toBeNull();
    const tree = await frames(
      { ...ask, model: { estimator: "DecisionTreeClassifier", params: {} } },
      context,
    );
    expect(tree.isLinear).toBe(false);
  });

  test("that diverge say where", async () => {
    const found = await frames(
      { ...ask, model: { estimator: "MLPClassifier", params: { solver: "sgd", learningRateInit: 1e9 } } },
      context,
    );
    expect(found.diverged).toBeGreaterThan(0);
  });

  test("bounded support vectors are those at C", async () => {
    const at = async (C: number) => {
      const found = await frames({ ...ask, model: { estimator: "SVC", params: { C } } }, context);
      return found.frames.at(-1)!.support!;
    };
    const soft = await at(0.01);
    expect(soft.bounded.every((one) => one === 1)).toBe(true);
    const hard = await at(1e6);
    expect(hard.bounded.some((one) => one === 1)).toBe(false);
  });
});

describe("texts", async () => {
  const { texts, y } = await loadTexts("mailTopics");
  const data = {
    name: "mails",
    rows: texts.length,
    columns: [{ name: "mail", kind: "text" as const, texts: packTexts(texts) }, categoryColumn("list", y)],
  };
  held.set("mails", data);
  const roles: Roles = {
    table: "mails",
    features: ["mail"],
    target: "list",
    group: null,
    task: "classification",
  };

  test("are learned from where there is nothing else, without a picture", () => {
    expect(guessedRoles(data)).toEqual({ roles: { list: "target" }, axes: null, task: "classification" });
  });

  test.each(["LogisticRegression", "MultinomialNB"])(
    "%s lists the words that tell the classes apart",
    async (id) => {
      const model = await trained(roles, id);
      const panels = await internals({ roles, model, row: 0 }, context);
      const bars = panels.filter((panel) => panel.kind === "bars");
      expect(bars).toHaveLength(5);
      const rpm = bars.find(({ title }) => title.endsWith(" rpm"))!;
      expect(rpm.bars.slice(0, 6).map(({ name }) => name)).toContain("rpm");
      const values = rpm.bars.map(({ value }) => value);
      expect(values).toEqual([...values].sort((a, b) => b - a));
      if (id === "LogisticRegression") {
        expect(values.at(-1)).toBeLessThan(0);
        expect(values).toHaveLength(24);
      }
      const answer = await predict(
        { roles, model, row: 0, changes: { mail: "The rpm package needs a new spec file" } },
        context,
      );
      expect(answer.label).toBe("rpm");
    },
  );
});

describe("pictures", () => {
  const digits = held.get<{ columns: { name: string }[] }>("digits");
  const features = digits.columns.map(({ name }) => name).slice(0, 64);
  const roles: Roles = { ...penguins, table: "digits", features, target: digits.columns.at(-1)!.name };

  test("all pixels are features, the constant ones too", () => {
    const guess = guessedRoles(held.get("digits"));
    expect(Object.keys(guess.roles)).toEqual([roles.target]);
  });

  test.each([
    ["CNNClassifier", { maxIter: 1, filters: [4] }, ["Loss", "Layers, for the selected row"]],
    [
      "ViTClassifier",
      { maxIter: 1, dimensions: 16, heads: 2, depth: 2, feedForwardSize: 16 },
      ["Attention, for the selected row", "Layers, for the selected row"],
    ],
  ] as const)("%s shows layers and attention", async (id, params, titles) => {
    const model = await trained(roles, id, params);
    const panels = await internals({ roles, model, row: 7 }, context);
    for (const title of titles.filter((one) => one !== "Loss"))
      expect(panels.map((panel) => panel.title)).toContain(title);
    const images = panels.flatMap((panel) => (panel.kind === "images" ? panel.images : []));
    for (const { rows, cols, values } of images) expect(values).toHaveLength(rows * cols);
    if (id === "ViTClassifier") {
      // Two blocks of two heads, and what is looked at: 4 × 4 patches.
      const maps = images.filter(({ caption }) => caption.startsWith("block"));
      expect(maps).toHaveLength(6);
      expect(maps[0]).toMatchObject({ caption: "block 1: looked at", rows: 4, cols: 4 });
      expect(maps[1]).toMatchObject({ caption: "block 1, head 1", rows: 16, cols: 16 });
    } else {
      const captions = images.map(({ caption }) => caption);
      expect(captions).toContainEqual(expect.stringMatching(/^1 conv2d: 8 × 8 × 4, /));
      // Four filters of 3 × 3, two by two with a gap.
      const filters = images.find(({ caption }) => /^1 conv2d: 3 × 3 × 1 × 4, up to ±/.test(caption));
      expect(filters).toMatchObject({ rows: 7, cols: 7 });
    }
  });

  test("channels lie side by side with a gap", () => {
    const values = [1, 10, 100, 2, 20, 200];
    const { rows, cols, values: out } = mosaic(values, [1, 2, 3]);
    expect([rows, cols]).toEqual([3, 5]);
    const gap = Number.NaN;
    expect([...out]).toEqual([1, 2, gap, 10, 20, gap, gap, gap, gap, gap, 100, 200, gap, gap, gap]);
  });
});

test.each(["DBSCAN", "AgglomerativeClustering"])(
  "%s assigns the training rows only, and says so",
  async (id) => {
    const roles: Roles = { ...moons, target: null, task: "clustering" };
    const found = await train({ roles, model: { estimator: id, params: {} }, split, preview: null }, context);
    expect(found.canPredict).toBe(false);
    expect(found.held!.predicted).toHaveLength(120);
    held.set("alone", found.file);
    await expect(predict({ roles, model: "alone", row: 0, changes: {} }, context)).rejects.toThrow(
      /the training rows only/,
    );
    await expect(flip({ roles, model: "alone", row: 0, changes: {} }, context)).resolves.toEqual([]);
  },
);
