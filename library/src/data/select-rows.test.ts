import { describe, expect, expectTypeOf, it, vi } from "vitest";
import type { ImagesLike } from "../core/contract.js";
import { CsrMatrix } from "./csr-matrix.js";
import { Matrix } from "./matrix.js";
import { selectRows } from "./select-rows.js";
import { Table } from "./table/table.js";

describe("selectRows", () => {
  it("keeps the kind of everything that has rows", () => {
    const single = selectRows(new Matrix(new Float32Array([1, 2]), 2, 1), [1]);
    expectTypeOf(single).toEqualTypeOf<Matrix<Float32Array<ArrayBuffer>>>();
    expect(single.toArray()).toEqual([[2]]);

    const labels = selectRows(["ham", "spam"] as ("ham" | "spam")[], [1, 1]);
    expectTypeOf(labels).toEqualTypeOf<("ham" | "spam")[]>();
    expect(labels).toEqual(["spam", "spam"]);

    const numbers = selectRows(Int16Array.of(4, 5, 6), [2, 0]);
    expectTypeOf(numbers).toExtend<Int16Array>();
    expect(numbers).toEqual(Int16Array.of(6, 4));

    const table = selectRows(Table.fromColumns({ x: [1, 2] }), [1]);
    expect(table.column("x").toArray()).toEqual([2]);

    const sparse = selectRows(CsrMatrix.fromRows([[[0, 1]], [[1, 2]]], 2), [1]);
    expectTypeOf(sparse).toEqualTypeOf<CsrMatrix>();
    expect(sparse.toDense().toArray()).toEqual([[0, 2]]);

    const flat = selectRows({ data: [1, 2, 3, 4], rows: 2, cols: 2 }, [1]);
    expectTypeOf(flat).toEqualTypeOf<Matrix>();
    expect(flat.toArray()).toEqual([[3, 4]]);

    const images = selectRows(
      { data: Float32Array.of(1, 2, 3, 4), rows: 2, height: 2, width: 1, channels: 1 },
      [1],
    );
    expectTypeOf(images).toEqualTypeOf<ImagesLike>();
    expect(images).toEqual({ data: Float32Array.of(3, 4), rows: 1, height: 2, width: 1, channels: 1 });
  });

  it("knows the tables of another copy of the library", async () => {
    vi.resetModules();
    const { Table: Other } = await import("./table/table.js");
    expect(Other).not.toBe(Table);
    const table = Other.fromColumns({ x: [1, 2], colour: ["red", "blue"] });
    const some = selectRows(table, [1]);
    expect(some.columnNames).toEqual(["x", "colour"]);
    expect(some.column("colour").toArray()).toEqual(["blue"]);
  });
});
