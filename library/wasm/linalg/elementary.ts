import { vexp, vlog1pExp, vsigmoid } from "../shared/elementary";

/** out[i] = f(x[i]) for a chunk of n entries; both arrays padded to an even length. May be in place. */
export function expChunk(x: usize, n: i32, out: usize, chunkRows: i32, chunk: i32): void {
  const to = min(n, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i += 2)
    v128.store(out + ((<usize>i) << 3), vexp(v128.load(x + ((<usize>i) << 3))));
}

export function log1pExpChunk(x: usize, n: i32, out: usize, chunkRows: i32, chunk: i32): void {
  const to = min(n, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i += 2)
    v128.store(out + ((<usize>i) << 3), vlog1pExp(v128.load(x + ((<usize>i) << 3))));
}

export function sigmoidChunk(x: usize, n: i32, out: usize, chunkRows: i32, chunk: i32): void {
  const to = min(n, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i += 2)
    v128.store(out + ((<usize>i) << 3), vsigmoid(v128.load(x + ((<usize>i) << 3))));
}
