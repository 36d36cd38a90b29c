import type { Workload } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

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
