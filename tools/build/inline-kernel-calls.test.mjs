import { describe, expect, it } from "vitest";
import { importedKernels, inlined, kernelsIn } from "./inline-kernel-calls.mjs";

const generated = `import { kernelCall } from "../runtime/kernels.js";
export const scaleChunk = (a) => kernelCall(optimizerKernels, "c", [a.a, a.x, a.n]);
`;
const source = (call) => `import { scaleChunk } from "../generated/optimizer.js";\nrun(${call});\n`;
const rewritten = (call) => {
  const text = source(call);
  return inlined(
    text,
    importedKernels(text, () => kernelsIn(generated)),
    "../generated",
  );
};

describe("calls of kernels", () => {
  it("become calls by position, whatever the order of the names", () => {
    const out = rewritten("scaleChunk({ n: size + 1, a: 2, x })");
    expect(out).toContain('run(kernelCall(optimizerKernels, "c", [2, x, size + 1]));');
    expect(out).toContain('import { optimizerKernels } from "../generated/families.js";');
  });

  it("stay as they are with a spread, with a missing argument, or with no object", () => {
    for (const call of [
      "scaleChunk({ ...rest, n })",
      "scaleChunk({ a, x })",
      "scaleChunk(given)",
      "other({ a, x, n })",
    ])
      expect(rewritten(call)).toBe(source(call));
  });

  it("are rewritten once", () => {
    const once = rewritten("scaleChunk({ a, x, n })");
    expect(
      inlined(
        once,
        importedKernels(once, () => kernelsIn(generated)),
        "../generated",
      ),
    ).toBe(once);
  });

  it("are found behind characters outside ASCII", () => {
    expect(rewritten('"😀 ≤", scaleChunk({ a, x, n })')).toContain(
      '"😀 ≤", kernelCall(optimizerKernels, "c", [a, x, n])',
    );
  });
});
