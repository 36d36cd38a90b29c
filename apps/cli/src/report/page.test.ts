import { describe, expect, test } from "vitest";
import { escaped, htmlTable, legendNames, renderPage, withoutTitle } from "./page.js";

describe("pages", () => {
  test("every text is escaped", () => {
    expect(escaped(`<a href="x">'&'</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    const html = renderPage({
      title: "<1>",
      lead: "<2>",
      remarks: ["<3>"],
      blocks: [
        {
          title: "<4>",
          text: "<5>",
          html: htmlTable([{ title: "<6>", cell: (row: string) => row }], ["<7>"]),
        },
      ],
    });
    for (let e = 1; e <= 7; e++) {
      expect(html).toContain(`&lt;${e}&gt;`);
      expect(html).not.toContain(`<${e}>`);
    }
  });

  test("a table without titles has no heading", () => {
    expect(htmlTable([{ title: "", cell: (row: string) => row }], ["a"])).toBe(
      "<table><tbody><tr><td>a</td></tr></tbody></table>",
    );
  });

  test("names of legends are short and distinct", () => {
    const long = "a class whose name is longer than a legend";
    expect(legendNames(["b", `${long} 1`, `${long} 2`])).toEqual([
      "b",
      "a class whose name is lon…",
      "a class whose name is lon… (2)",
    ]);
  });

  test("a figure loses the room of its title", () => {
    expect(withoutTitle('<svg viewBox="0 0 400 300" width="400" height="300"/>')).toBe(
      '<svg viewBox="0 24 400 276" width="400" height="276"/>',
    );
  });
});
