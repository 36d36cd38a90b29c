import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Running } from "./support.js";
import { cleanUp, folderOfModels, signModel, startServer, sumModel, temporaryFolder } from "./support.js";

afterAll(cleanUp);

const plain = signModel();
const swapped = signModel(true);

/** As deployments should do it: write beside, then rename. */
function replaceFile(folder: string, name: string, bytes: Uint8Array): void {
  writeFileSync(join(folder, `${name}.tmp`), bytes);
  renameSync(join(folder, `${name}.tmp`), join(folder, `${name}.safetensors`));
}

const labelOf = async ({ post }: Running, path = "/v1/models/sign") =>
  (await post(`${path}/predict`, [1, 1])).body.predictions?.[0].label;

/** Waits for what should happen by itself. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("It did not happen within 10 s.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe("versions", () => {
  test("two at once, by address; the latest by default, 10 after 9", async () => {
    const folder = folderOfModels({ "sign@9": plain, "sign@10": swapped });
    const running = await startServer({ folder });
    expect(await labelOf(running, "/v1/models/sign/versions/9")).toBe("plus");
    expect(await labelOf(running, "/v1/models/sign/versions/10")).toBe("minus");
    expect(await labelOf(running)).toBe("minus");
    expect((await running.get("/v1/models/sign")).body).toMatchObject({
      version: "10",
      versions: ["9", "10"],
    });
    expect((await running.get("/v1/models/sign/versions/11")).status).toBe(404);
  });

  test("files NAME/VERSION.safetensors", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "sign"));
    writeFileSync(join(folder, "sign", "1.safetensors"), plain);
    writeFileSync(join(folder, "sign", "2.safetensors"), swapped);
    writeFileSync(join(folder, "notes.txt"), "no model");
    const running = await startServer({ folder });
    expect((await running.get("/v1/models")).body.models).toMatchObject([
      { name: "sign", versions: ["1", "2"] },
    ]);
  });

  test("two files of one version are refused", async () => {
    const folder = folderOfModels({ sign: plain, "sign@1": swapped });
    await expect(startServer({ folder, logLevel: "silent" })).rejects.toThrow("are both version 1 of sign");
  });
});

describe("a folder that changes", () => {
  test("new, changed and removed files are noticed", async () => {
    const folder = folderOfModels({ sign: plain });
    const running = await startServer({ folder, pollInterval: 200 });
    replaceFile(folder, "sum", sumModel());
    await until(async () => (await running.get("/v1/models/sum")).status === 200);
    replaceFile(folder, "sign", swapped);
    await until(async () => (await labelOf(running)) === "minus");
    rmSync(join(folder, "sum.safetensors"));
    await until(async () => (await running.get("/v1/models/sum")).status === 404);
    expect(await labelOf(running)).toBe("minus");
  });

  test("a bad file keeps the earlier model, and shows in readiness, metrics and the log", async () => {
    const folder = folderOfModels({ sign: plain });
    const running = await startServer({ folder });
    writeFileSync(join(folder, "sign.safetensors"), plain.subarray(0, plain.length / 2));
    await running.server.reload();
    expect(await labelOf(running)).toBe("plus");
    const { status, body } = await running.get("/readyz");
    expect(status).toBe(200);
    expect(body.problems).toEqual([{ name: "sign", version: "1", message: expect.any(String), kept: true }]);
    expect((await running.get("/metrics")).body).toContain(
      'argmax_model_load_failures_total{model="sign"} 1',
    );
    expect(running.log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 50, name: "sign", msg: "model file could not be loaded" }),
    );
    // Looking again at the same bad file is not news.
    const lines = running.log.length;
    await running.server.reload();
    expect(running.log).toHaveLength(lines);
    replaceFile(folder, "sign", swapped);
    await running.server.reload();
    expect(await labelOf(running)).toBe("minus");
    expect((await running.get("/readyz")).body.problems).toEqual([]);
  });

  test("a second file of a version leaves all models in use, and shows in readiness and the log", async () => {
    const folder = folderOfModels({ sign: plain });
    const running = await startServer({ folder });
    writeFileSync(join(folder, "sign@1.safetensors"), swapped);
    await running.server.reload();
    await running.server.reload();
    expect(await labelOf(running)).toBe("plus");
    expect((await running.get("/readyz")).body.folder).toContain("are both version 1 of sign");
    expect(running.log.filter((line) => line.includes("could not be listed"))).toHaveLength(1);
  });

  test("a bad file that was never good answers 404 and leaves the others alone", async () => {
    const folder = folderOfModels({ sign: plain });
    writeFileSync(join(folder, "other.safetensors"), "no model at all");
    const running = await startServer({ folder });
    expect(await labelOf(running)).toBe("plus");
    expect((await running.get("/v1/models/other")).status).toBe(404);
    expect((await running.get("/readyz")).body.problems).toMatchObject([{ name: "other", kept: false }]);
  });

  test("a named file must load at the start, and is loaded again when it changes", async () => {
    const folder = folderOfModels({ sign: plain });
    const bad = join(folder, "bad.safetensors");
    writeFileSync(bad, "no model");
    await expect(startServer({ files: [bad], logLevel: "silent" })).rejects.toThrow(bad);
    const running = await startServer({ files: [join(folder, "sign.safetensors")] });
    replaceFile(folder, "sign", swapped);
    await running.server.reload();
    expect(await labelOf(running)).toBe("minus");
  });
});

test("20 reloads under load, large batches included: no request fails, none mixes two models", async () => {
  const folder = folderOfModels({ sign: plain });
  const running = await startServer({ folder, pollInterval: 60_000 });
  const rows = Array.from({ length: 4000 }, (_, i) => [1 + i / 4000, 1.123456789]);
  let done = false;
  const answers: { status: number; labels: Set<string> }[] = [];
  const load = async (body: unknown) => {
    while (!done) {
      const { status, body: answer } = await running.post("/v1/models/sign/predict", body);
      answers.push({
        status,
        labels: new Set(answer.predictions?.map(({ label }: { label: string }) => label)),
      });
    }
  };
  const clients = [load([1, 1]), load([1, 1]), load({ rows })];
  for (let r = 0; r < 20; r++) {
    replaceFile(folder, "sign", r % 2 === 0 ? swapped : plain);
    await running.server.reload();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  done = true;
  await Promise.all(clients);
  expect(answers.length).toBeGreaterThan(40);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // All rows are on one side: an answer of two labels would be made of two models.
  expect(answers.every(({ labels }) => labels.size === 1)).toBe(true);
  expect(new Set(answers.flatMap(({ labels }) => [...labels])).size).toBe(2);
});
