import { describe, expect, expectTypeOf, it } from "vitest";
import { ParameterError } from "../core/errors.js";
import { loadTexts, type MailTopic, textDatasetNames } from "./index.js";

const count = <L>(list: readonly L[], label: L) => list.filter((other) => other === label).length;

describe("loadTexts", () => {
  it("gives mails with their labels, spam or ham", async () => {
    const { texts, y, classes } = await loadTexts("spam");
    expect(texts).toHaveLength(550);
    expect([count(y, "spam"), count(y, "ham")]).toEqual([200, 350]);
    expect(classes).toEqual(["ham", "spam"]);
    expectTypeOf(y).toEqualTypeOf<("ham" | "spam")[]>();
  });

  it("gives the ham by mailing list", async () => {
    const { texts, y, classes } = await loadTexts("mailTopics");
    expect(texts).toHaveLength(350);
    expect([...new Set(y)].sort()).toEqual(classes);
    expect(Math.min(...classes.map((topic) => count(y, topic)))).toBe(50);
    expectTypeOf(y).toEqualTypeOf<MailTopic[]>();
  });

  it("has short plain texts, no two of them the same, and nobody's address", async () => {
    const { texts } = await loadTexts("spam");
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) {
      expect(text.length).toBeGreaterThanOrEqual(200);
      expect(text.length).toBeLessThanOrEqual(1200);
      for (const [address] of text.matchAll(/\S+@\w+\.\S*/g))
        expect(address).toContain("someone@example.com");
    }
  });

  it("says where they are from, and refuses other names", async () => {
    for (const name of textDatasetNames) {
      const { description, source, licence, targetName } = await loadTexts(name);
      for (const text of [description, source, licence, targetName]) expect(text.length).toBeGreaterThan(3);
    }
    await expect(loadTexts("ham" as "spam")).rejects.toThrow(
      'loadTexts: the name must be "spam" or "mailTopics", got "ham".',
    );
    await expect(loadTexts("toString" as "spam")).rejects.toThrow(ParameterError);
  });
});
