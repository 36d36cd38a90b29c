import { foldBlocks } from "../generated/crc32.js";
import { withArena } from "../runtime/arena.js";

/** Bytes of a block, and of the blocks that follow those that are folded: see wasm/text/crc32.ts. */
const BLOCK = 16;
const WINDOW = 3006 * BLOCK;
/** Bytes that are added at a time: with the window they stay in the second-level cache. */
const CHUNK = 2 ** 19;

/** Some 48 KB whose CRC-32, from register 0 on, is that of all these bytes from `register` on. There are more than that. */
export function foldedBytes(where: string, bytes: Uint8Array, register: number): Uint8Array {
  return withArena(where, (arena) => {
    const room = arena.u8(WINDOW + BLOCK + CHUNK);
    let held = 0;
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const piece = bytes.subarray(at, at + CHUNK);
      room.array.set(piece, held);
      // The register is added to the first four bytes.
      if (at === 0) for (let e = 0; e < 4; e++) room.array[e]! ^= register >>> (8 * e);
      held += piece.length;
      const blocks = Math.max(0, Math.floor((held - WINDOW) / BLOCK));
      arena.heap.call(foldBlocks({ data: room.ptr, blocks }));
      room.array.copyWithin(0, BLOCK * blocks, held);
      held -= BLOCK * blocks;
    }
    return room.array.slice(0, held);
  });
}
