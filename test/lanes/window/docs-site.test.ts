// The documentation's site as its reader sees it: the text is what stands at the top at every width, and what is looked for is found.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TestHome } from "../../kit/home.ts";
import { phone, seriousViolations, sidewaysScroll, WindowBrowser } from "./browser.ts";

const at = new TestHome();
let browser: WindowBrowser;
beforeAll(async () => {
  expect((await at.constel(["docs", "--to", "site"])).code).toBe(0);
  browser = await WindowBrowser.open();
});
afterAll(async () => {
  await browser.close();
  await at[Symbol.asyncDispose]();
});

test.each([
  ["a wide screen", "light", { width: 1400, height: 900 }],
  ["a small one", "dark", { width: 1000, height: 800 }],
  ["a phone", "dark", phone],
] as const)("a page begins with its text: %s", async (_, theme, size) => {
  const page = await browser.read(pathToFileURL(join(at.top, "site/guides/the-window.html")).href, { theme, size });
  const box = await page.locator("main > h1").boundingBox();
  expect(box?.y ?? size.height).toBeLessThan(200);
  expect(box?.width ?? 0).toBeGreaterThan(size.width / 4);
  expect(await sidewaysScroll({ page })).toBeLessThanOrEqual(0);
  expect(await page.evaluate("[...document.images].every((one) => one.naturalWidth > 0)")).toBe(true);
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole("searchbox").fill("quiet hours");
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/\/site\/(?!guides\/the-window)/);
  await page.close();
});
