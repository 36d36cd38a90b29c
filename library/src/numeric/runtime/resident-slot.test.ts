import { describe, expect, it } from "vitest";
import { type Resident, ResidentSlot } from "./resident-slot.js";

const MEGABYTE = 2 ** 20;

/** A resident of the given size that records when it is built and closed. */
function fake(name: string, bytes: number, events: string[]) {
  const owner = {};
  const slot = new ResidentSlot<Resident>(owner);
  const build = (): Resident => {
    events.push(`build ${name}`);
    return { bytes, close: () => events.push(`close ${name}`) };
  };
  return { slot, owner, use: (work: () => void = () => {}) => slot.use(build, work) };
}

describe("ResidentSlot", () => {
  it("builds a resident once, and closes the least recently used ones beyond 256 MB", () => {
    const events: string[] = [];
    const [a, b, c] = ["a", "b", "c"].map((name) => fake(name, 100 * MEGABYTE, events)) as [
      ReturnType<typeof fake>,
      ReturnType<typeof fake>,
      ReturnType<typeof fake>,
    ];
    a.use();
    b.use();
    a.use();
    c.use();
    expect(events).toEqual(["build a", "build b", "build c", "close b"]);
    b.use();
    expect(events.slice(4)).toEqual(["build b", "close a"]);
    for (const { slot } of [a, b, c]) slot.close();
  });

  it("never closes a resident that is in use, however large", () => {
    const events: string[] = [];
    const outer = fake("outer", 300 * MEGABYTE, events);
    const inner = fake("inner", 300 * MEGABYTE, events);
    outer.use(() => inner.use());
    expect(events).toEqual(["build outer", "build inner"]);
    inner.use();
    expect(events.slice(2)).toEqual(["close outer"]);
    inner.slot.close();
  });

  it("closes once", () => {
    const events: string[] = [];
    const one = fake("one", MEGABYTE, events);
    one.use();
    one.slot.close();
    one.slot.close();
    expect(events).toEqual(["build one", "close one"]);
  });
});
