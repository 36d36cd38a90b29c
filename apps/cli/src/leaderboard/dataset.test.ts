import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FormatError } from "argmax";
import { afterAll, describe, expect, test } from "vitest";
import { UsageError } from "../command.js";
import { openDataset, taskOf } from "./dataset.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-dataset-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const two = "+1 1:0.5 3:2\n-1 2:1\n";

describe("openDataset", () => {
  test.each(["a.svm", "a.svmlight", "a.libsvm", "A.SVM"])(
    "reads %s, whose labels are the target",
    async (name) => {
      const { X, y, ...rest } = await openDataset(file(name, two), undefined);
      expect(X.toArray()).toEqual([
        [0.5, 0, 2],
        [0, 1, 0],
      ]);
      expect(y).toEqual(Float64Array.of(1, -1));
      expect(rest).toEqual({
        name,
        task: "classification",
        description:
          "50.0% of the entries are stored; labels taken as 2 classes (--task regression decides otherwise).",
      });
    },
  );

  test("the user decides what labels are", async () => {
    const { task, description } = await openDataset(file("b.svm", two), "regression");
    expect(task).toBe("regression");
    expect(description).toBe("50.0% of the entries are stored; labels taken as numbers.");
  });

  test("an included dataset comes by its name", async () => {
    const { name, task, X } = await openDataset("diabetes", undefined);
    expect([name, task, X.rows]).toEqual(["diabetes", "regression", 442]);
  });

  test("a wrong command line is told apart from a wrong file", async () => {
    const wrong = [
      ["mnist", undefined, /--dataset must be iris, .*; got "mnist"/],
      ["data.csv", undefined, /--dataset must be a name or a file that ends in \.svm, .*; got "data\.csv"/],
      ["iris", "regression", /--task is for files/],
      [join(folder, "a.svm"), "ranking", /--task must be classification, regression; got "ranking"/],
      [join(folder, "a.svm"), "", /--task must be classification, regression; got ""/],
      [join(folder, "none.svm"), undefined, /there is no file ".*none\.svm"/],
    ] as const;
    file("a.svm", two);
    for (const [given, task, message] of wrong) {
      const answer = openDataset(given, task);
      await expect(answer).rejects.toThrow(UsageError);
      await expect(answer).rejects.toThrow(message);
    }
  });

  test("a mistake in a file names the file and the line", async () => {
    const answer = openDataset(file("c.svm", "1 1:1\n1 2:x\n"), undefined);
    await expect(answer).rejects.toThrow(FormatError);
    await expect(answer).rejects.toThrow(
      /c\.svm, parseSvmlight: the value of index 2 in line 2 must be a finite number, got "x"/,
    );
  });

  test("a file without entries, or with too many to be dense, is refused", async () => {
    const size = "the file must be of 1 to 134217728 cells, got";
    await expect(openDataset(file("d.svm", "# none\n"), undefined)).rejects.toThrow(
      `${size} 0 rows × 0 columns.`,
    );
    await expect(openDataset(file("e.svm", "1 1:1\n2 1000000000:1\n"), undefined)).rejects.toThrow(
      `${size} 2 rows × 1000000000 columns. Models that keep sparse rows sparse can be fitted with the library.`,
    );
  });
});

test("a few whole numbers are classes; fractions and many numbers are targets", () => {
  expect(taskOf(Float64Array.of(1, -1, 1))).toBe("classification");
  expect(taskOf(Float64Array.of(1, 1.5))).toBe("regression");
  expect(taskOf(Float64Array.from({ length: 60 }, (_, i) => i % 20))).toBe("classification");
  expect(taskOf(Float64Array.from({ length: 60 }, (_, i) => i % 21))).toBe("regression");
});
