import type { Contestant, Workload } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

const limit: Contestant = { side: "limit", call: "WASM SIMD at most", params: {} };

const gemm32 = (id: string, title: string, m: number, k: number, n: number): Workload => ({
  id,
  title: `32-bit matrix product, ${title}`,
  group: "kernel",
  action: "gemm32",
  data: { kind: "factors", m, k, n, seed: 12 },
  contestants: [argmax("gemmInto"), sklearn("matmul", {}, "NumPy"), limit],
  pledge: {},
  note: "NumPy multiplies and adds vectors of 8 or 16 numbers in one instruction, WASM vectors of 4 in two. “At most” is a loop of f32x4.mul and f32x4.add on registers alone, on all threads.",
});

/** Kernels beside the peak of the machine (NumPy on OpenBLAS), without targets. */
export const kernels: readonly Workload[] = [
  {
    id: "gemm",
    title: "matrix product, 1,000 × 1,000 × 1,000",
    group: "kernel",
    action: "gemm",
    data: { kind: "normals", rows: 1000, cols: 1000, seed: 9 },
    contestants: [argmax("gemm"), sklearn("matmul", {}, "NumPy")],
    pledge: {},
  },
  gemm32("gemm32", "512 × 512 × 512", 512, 512, 512),
  gemm32("gemm32-layer", "200 × 784 × 100", 200, 784, 100),
  {
    id: "gemv",
    title: "matrix × vector, 100,000 × 100",
    group: "kernel",
    action: "gemv",
    data: { kind: "normals", rows: 100_000, cols: 100, seed: 10 },
    contestants: [argmax("gemv"), sklearn("matmul", {}, "NumPy"), sklearn("read", {}, "read only")],
    pledge: {},
    note: 'Limited by memory: GB/s of the matrix read once. "Read only" is the dot product of the same bytes with themselves, the most that memory gives.',
  },
  {
    id: "exp",
    title: "exp of 4,000,000 numbers",
    group: "kernel",
    action: "exp",
    data: { kind: "normals", rows: 4_000_000, cols: 1, seed: 11 },
    contestants: [argmax("vectorExp"), sklearn("exp", {}, "NumPy")],
    pledge: {},
  },
];
