import { describe, expect, it, test } from "vitest";
import { callsModule, entryModule, familiesModule, readKernels } from "./kernels.mjs";

const files = {
  "group/family.ts": `
import { Bytes } from "../shared/bytes";
export { halve } from "./family/parts";
export { abandonTeam } from "../shared/team";

/** Adds up a chunk. */
export function addChunk(x: usize, n: i32, area: Bytes, chunk: i32): void {}

function helper(): void {}

/** The largest entry. */
// @inline
export function largest<T>(x: usize, n: i32): f64 {
  return 0;
}
`,
  "group/family/parts.ts": `
// @inline
export function half<T>(x: T): T { return x / 2; }
/** x = x / 2. */
export function halve<T>(x: usize, n: i32, chunk: i32): void {}
`,
  "shared/team.ts": "export function abandonTeam(): void {}",
};
const kernels = readKernels("group/family.ts", (path) => files[path]);

describe("readKernels", () => {
  it("lists what a family's file exports, itself or from another file", () => {
    expect(kernels.map(({ name }) => name)).toEqual(["halve", "abandonTeam", "addChunk", "largest"]);
    expect(kernels.map(({ isGeneric }) => isGeneric)).toEqual([true, false, false, true]);
    expect(kernels[2].parameters).toEqual([
      { name: "x", type: "usize" },
      { name: "n", type: "i32" },
      { name: "area", type: "Bytes" },
      { name: "chunk", type: "i32" },
    ]);
    expect(kernels[3].doc).toBe("The largest entry.");
  });

  it("refuses what cannot be parsed", () => {
    expect(() => readKernels("wrong.ts", () => "export function {")).toThrow(/wrong.ts cannot be parsed/);
  });
});

describe("entryModule", () => {
  it("exports kernels by a letter, generic ones for f32 and f64", () => {
    expect(entryModule("group/family.ts", kernels).trim().split("\n")).toEqual([
      'import { halve as kernel_halve } from "./group/family";',
      "export function a4(x: usize, n: i32, chunk: i32): void { return kernel_halve<f32>(x, n, chunk); }",
      "export function a8(x: usize, n: i32, chunk: i32): void { return kernel_halve<f64>(x, n, chunk); }",
      'export { abandonTeam } from "./group/family";',
      'export { addChunk as c } from "./group/family";',
      'import { largest as kernel_largest } from "./group/family";',
      "export function d4(x: usize, n: i32): f64 { return kernel_largest<f32>(x, n); }",
      "export function d8(x: usize, n: i32): f64 { return kernel_largest<f64>(x, n); }",
    ]);
  });
});

describe("callsModule", () => {
  const text = callsModule("group/my-family.ts", "stamp", kernels);

  it("has a call per kernel with typed arguments; the runtime passes the chunk", () => {
    expect(text).toContain(
      [
        "/** Adds up a chunk. */",
        "export const addChunk = (a: {",
        "  readonly x: Address;",
        "  readonly n: number;",
        "  readonly area: number;",
        '}): ChunkCall => kernelCall(myFamilyKernels, "c", [a.x, a.n, a.area]);',
      ].join("\n"),
    );
  });

  it("tells kernels of both widths and of chunks by the type of the call, and leaves out what the runtime calls", () => {
    expect(text).toContain('}): RealChunkCall => kernelCall(myFamilyKernels, "a", [a.x, a.n]);');
    expect(text).toContain('}): RealCall => kernelCall(myFamilyKernels, "d", [a.x, a.n]);');
    expect(text).not.toContain("abandonTeam");
  });
});

test("families are pure, for bundlers", () => {
  const text = familiesModule(["group/my-family.ts"], "stamp");
  expect(text).toContain('import myFamilyKernelsText from "./my-family.wasm.js";');
  expect(text).toContain("export const myFamilyKernels = /* @__PURE__ */ new KernelFamily(");
});
