import { expect, test, vi } from "vitest";
import * as argmax from "../index.js";

test("background says that an estimator comes from another copy of the library", async () => {
  vi.resetModules();
  const other: typeof argmax = await import("../index.js");
  expect(other.Ridge).not.toBe(argmax.Ridge);
  const message =
    "background: the estimator must be an estimator or a pipeline of the library, got a Ridge that comes from another copy of " +
    "the library. Import background and every estimator from the same installed package.";
  expect(() => argmax.background(new other.Ridge() as never)).toThrow(message);
  expect(() => argmax.background(new other.Ridge() as never)).toThrow(argmax.ParameterError);
  const mixed = argmax.pipeline(new argmax.StandardScaler(), new other.Ridge() as never);
  expect(() => argmax.background(mixed)).toThrow("a Pipeline that comes from another copy of the library.");
  expect(() => argmax.background({ fit: () => 0, toJSON: () => ({}) } as never)).toThrow(
    "background: the estimator must be an estimator or a pipeline of the library, got { fit, toJSON }.",
  );
});
