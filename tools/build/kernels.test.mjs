import { describe, expect, it } from "vitest";
import { familyModule, readKernels, widthsOf } from "./kernels.mjs";

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
    expect(kernels.map(({ from }) => from)).toEqual([
      "./family/parts",
      "../shared/team",
      undefined,
      undefined,
    ]);
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

describe("widthsOf", () => {
  it("exports a generic kernel for f32 and f64", () => {
    expect(widthsOf(kernels).split("\n")).toEqual([
      'import { halve } from "./family/parts";',
      "export function halve32(x: usize, n: i32, chunk: i32): void { return halve<f32>(x, n, chunk); }",
      "export function halve64(x: usize, n: i32, chunk: i32): void { return halve<f64>(x, n, chunk); }",
      "export function largest32(x: usize, n: i32): f64 { return largest<f32>(x, n); }",
      "export function largest64(x: usize, n: i32): f64 { return largest<f64>(x, n); }",
    ]);
  });
});

describe("familyModule", () => {
  const text = familyModule("group/my-family.ts", "stamp", "binary", kernels);

  it("has the binary, and a call per kernel with typed arguments; the runtime passes the chunk", () => {
    expect(text).toContain(
      'export const myFamilyKernels = /* @__PURE__ */ new KernelFamily("my-family", text);',
    );
    expect(text).toContain('const text: string = "binary";');
    expect(text).toContain(
      [
        "/** Adds up a chunk. */",
        "export const addChunk = (a: {",
        "  readonly x: Address;",
        "  readonly n: number;",
        "  readonly area: number;",
        '}): ChunkCall => kernelCall(myFamilyKernels, "addChunk", [a.x, a.n, a.area]);',
      ].join("\n"),
    );
  });

  it("tells kernels of both widths and of chunks by the type of the call, and leaves out what the runtime calls", () => {
    expect(text).toContain('}): RealChunkCall => kernelCall(myFamilyKernels, "halve", [a.x, a.n]);');
    expect(text).toContain('}): RealCall => kernelCall(myFamilyKernels, "largest", [a.x, a.n]);');
    expect(text).not.toContain("abandonTeam");
  });
});
