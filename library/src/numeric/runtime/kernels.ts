import { EnvironmentError } from "../../core/errors.js";
import { kernelBytes } from "./kernel-text.js";

/**
 * Kernel families, and calls of their kernels. The functions in `generated/<family>.ts` make a call from arguments by name; what
 * runs it says by its type which calls it takes:
 *
 *     Call         `Heap.call`, once            RealCall         `TensorSpace.call`, which adds the width of its numbers
 *     ChunkCall    `parallel`, per chunk        RealChunkCall    `TensorSpace.parallel`
 *
 * Where calls are short, their arguments are plain literals: a spread costs up to two microseconds.
 */

declare const addressOf: unique symbol;

/** A byte of the kernels' memory, which no length or count can be mistaken for; 0: nothing is there. */
export type Address = 0 | (number & { readonly [addressOf]: true });

/** The address so many bytes after another one. */
export const after = (address: Address, bytes: number): Address => (address + bytes) as Address;

interface KernelCall<Kind extends string> {
  readonly family: KernelFamily;
  /** The kernel in the binary: a letter, by the order of exports in the family's file. */
  readonly name: string;
  /** In the order of the kernel's parameters. */
  readonly args: readonly number[];
  /** For the compiler only. */
  readonly kind?: Kind;
}
export type Call = KernelCall<"once">;
export type ChunkCall = KernelCall<"per chunk">;
export type RealCall = KernelCall<"once, by width">;
export type RealChunkCall = KernelCall<"per chunk, by width">;

/** For the functions in `generated/`. */
export const kernelCall = <Kind extends string>(
  family: KernelFamily,
  name: string,
  args: readonly number[],
): KernelCall<Kind> => ({ family, name, args });

/** `WebAssembly.Module`: the declarations need no types of the DOM or of Node. */
type WasmModule = object;

/** A kernel family: one WASM module, compiled on first use. */
export class KernelFamily {
  readonly #modules = new Map<boolean, WasmModule>();

  constructor(
    readonly name: string,
    /** Its binary, as `kernelBytes` reads it. */
    readonly text: string,
  ) {}

  /** The binary for memory of one kind or the other. */
  bytes(shared: boolean): Uint8Array<ArrayBuffer> {
    const bytes = kernelBytes(this.text);
    if (shared) declareShared(bytes);
    return bytes;
  }

  module(shared: boolean): WasmModule {
    let module = this.#modules.get(shared);
    if (module === undefined) {
      module = compiled(this.bytes(shared));
      this.#modules.set(shared, module);
    }
    return module;
  }
}

/** Kernels are sound, so that only where they are compiled can be wrong. */
function compiled(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    const isForbidden = /content security policy|csp|unsafe-eval/i.test(String(cause));
    const error = new EnvironmentError({
      where: "argmax",
      subject: isForbidden ? "the page" : "the browser",
      expected: isForbidden
        ? "allowed to compile WebAssembly"
        : "able to run WebAssembly with SIMD (Chrome 91, Firefox 89, Safari 16.4, Node 16.4, or later)",
      received: isForbidden ? "a content security policy that forbids it" : String(cause),
      advice: isForbidden
        ? "Add 'wasm-unsafe-eval' to script-src; workers also need worker-src 'self', and threads worker-src blob:."
        : "",
    });
    error.cause = cause;
    throw error;
  }
}

/**
 * A module for shared memory differs from one for plain memory in a single byte: the flags of its memory import (1 = has a
 * maximum, 3 = has a maximum and is shared). One binary works for both, including its atomic instructions: they are valid on unshared
 * memory, too; only waiting would trap there, and a single thread never waits.
 * See docs/decisions/0003-one-binary-for-shared-and-unshared-memory.md.
 */
export function declareShared(wasm: Uint8Array): void {
  let at = 8;
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  while (at < wasm.length) {
    const id = wasm[at++];
    const size = leb();
    if (id !== 2) {
      at += size;
      continue;
    }
    if (leb() !== 1) break;
    // module name, field name, kind, flags
    for (let text = 0; text < 2; text++) {
      const length = leb();
      at += length;
    }
    if (wasm[at++] !== 2) break;
    wasm[at] = wasm[at]! | 2;
    return;
  }
  throw new Error("a kernel must import its memory and nothing else");
}
