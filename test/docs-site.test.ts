// The documentation as a site and in the terminal: no link leads nowhere, what a page says cannot become a script, and it is found by its words.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rendered } from "../src/doors/cli/docs/markdown.ts";
import { pagesBelow } from "../src/doors/cli/docs/pages.ts";
import { searched, siteOf } from "../src/doors/cli/docs/site.ts";
import { projectTop, TestHome } from "./kit/home.ts";

const pages = pagesBelow(join(projectTop, "docs"));
const html = (markdown: string): string => rendered(markdown, (target) => target).html;

test("no link within the documentation leads nowhere", () => {
  const { files, dead } = siteOf(pages, "1");
  expect(dead).toEqual([]);
  expect([...files.keys()].filter((name) => name.endsWith(".html")).length).toBeGreaterThan(50);
  const planted = siteOf(new Map([["a.md", "# A\n\n[b](b.md) [c](#nothing) [d](a.md#a)\n"]]), "1");
  expect(planted.dead).toEqual(["a.md: b.md", "a.md: #nothing"]);
});

test("a site needs nothing from elsewhere", () => {
  for (const [name, text] of siteOf(pages, "1").files) {
    if (!name.endsWith(".html")) continue;
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)].map(
      ([, where = ""]) => where,
    );
    expect({ name, from: loaded.filter((where) => /^[a-z]+:/.test(where)) }).toEqual({ name, from: [] });
  }
});

test("the markdown of our pages", () => {
  const check = (markdown: string, expected: string): void => expect(html(markdown)).toBe(expected);
  check("# A `b`", '<h1 id="a-b">A <code>b</code></h1>');
  check("one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>");
  check("- a\n  still a\n- b", "<ul><li>a\nstill a</li><li>b</li></ul>");
  check("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>");
  check("```sh\n<x> **y**\n```", '<pre tabindex="0"><code>&lt;x&gt; **y**</code></pre>');
  check("`**a**` **b**", "<p><code>**a**</code> <strong>b</strong></p>");
  check(
    "| a | b |\n| --- | --- |\n| `x\\|y` | z |",
    '<div class="wide" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td>z</td></tr></tbody></table></div>',
  );
  check("[a](b.md)", '<p><a href="b.md">a</a></p>');
  check("<!-- not run -->\ntext", "<p>text</p>");
  check("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  check('[a](b"onclick="x)', '<p><a href="b&quot;onclick=&quot;x">a</a></p>');
});

test("a section is found by its words, one that has them in its heading first", () => {
  const few = new Map([
    ["a.md", "# A\n\n## Landing\n\nthe gate runs\n"],
    ["b.md", "# B\n\n## Gate\n\nlanding waits\n"],
    ["c.md", "# C\n\nnothing\n"],
  ]);
  expect(searched(few, ["gate", "landing"]).map(({ page }) => page)).toEqual(["a.md", "b.md"]);
  expect(searched(few, ["gate"])[0]?.page).toBe("b.md");
  expect(searched(few, ["gate", "nothing"])).toEqual([]);
});

test("a page, a search and a site from the command line", async () => {
  await using at = new TestHome();
  expect((await at.constel(["docs", "nights"])).stdout).toStartWith("# ");
  expect((await at.constel(["docs"])).stdout).toContain("guides/nights");
  expect((await at.constel(["docs", "permission", "request"])).stdout).toContain("guides/");
  const ran = await at.json<{ dead_links: string[] }>(["docs", "--to", "site"]);
  expect(ran.dead_links).toEqual([]);
  expect(readFileSync(join(at.top, "site/guides/nights.html"), "utf8")).toContain("<h1");
  expect(existsSync(join(at.top, "site/index.html"))).toBe(true);
  for (const name of ["now-light.webp", "phone-dark.webp"])
    expect(readFileSync(join(at.top, "site/window", name))).toEqual(
      readFileSync(join(projectTop, "docs/window", name)),
    );
});
