// The window of a home in which nothing ever happened: each page says that it is empty and what would fill it, in both themes, on a desk
// and on a phone, without an error and without a serious finding of axe.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { places } from "../../../web/src/words/places.ts";
import { TestHome } from "../../kit/home.ts";
import { type Looking, openHttp, phone, sidewaysScroll, WindowBrowser } from "./browser.ts";

const home = new TestHome();
let browser: WindowBrowser;

beforeAll(async () => {
  await openHttp(home);
  browser = await WindowBrowser.open();
});
afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
});

describe.each([
  ["light", { width: 1280, height: 800 }],
  ["dark", phone],
] as const)("an empty home, %s", (theme, size) => {
  let looking: Looking;
  beforeAll(async () => (looking = await browser.look(home, { theme, size })));
  afterAll(() => looking.close());

  test.each(places.map(({ page, name }) => [page, name] as const))("%s", async (page, name) => {
    await looking.go(page);
    expect(await looking.page.getByRole("heading", { level: 1 }).textContent()).toBe(name);
    expect(await looking.page.getByRole("alert").count()).toBe(0);
    expect(await sidewaysScroll(looking)).toBeLessThanOrEqual(0);
    expect(await looking.axe()).toEqual([]);
    expect(looking.problems).toEqual([]);
  });

  test("empty is said with the command that would fill it", async () => {
    for (const [page, command] of [
      ["agents", "constel up 2"],
      ["tasks", "constel task dispatch"],
      ["landing", "constel repo add"],
      ["schedules", "constel cron add"],
      ["messages", "constel tell agent1"],
    ] as const) {
      await looking.go(page);
      const empty = looking.page.locator("main .empty");
      expect(await empty.getByRole("button").textContent()).toContain(command);
    }
  });
});

test.skipIf(!existsSync("/proc/self/stat"))("no page starts a process: what the daemon shows it knows", async () => {
  const looking = await browser.look(home);
  // The pages that no children of the daemon's have touched memory for: each that ends adds some to this count of the kernel's.
  const ofChildren = (): string | undefined =>
    readFileSync(`/proc/${home.daemonPid}/stat`, "utf8").split(") ")[1]?.split(" ")[8];
  const before = ofChildren();
  for (const { page } of places) await looking.go(page);
  expect(ofChildren()).toBe(before);
  // That the count would tell: SQL is answered in a process of its own.
  await looking.go("sql?q=select%201%20as%20one");
  await looking.page.locator("main").getByText("1 row").waitFor();
  expect(ofChildren()).not.toBe(before);
  await looking.close();
});

test("a page that there is not is said to be none", async () => {
  const looking = await browser.look(home);
  await looking.go("nowhere");
  expect(await looking.page.locator("main").textContent()).toContain("There is no page called nowhere");
  expect(looking.problems).toEqual([]);
  await looking.close();
});

test("without a session the page says how to come in, and a link that was used says so", async () => {
  const looking = await browser.look(home);
  const used = new URL(looking.page.url()).origin;
  await looking.page.evaluate("localStorage.clear()");
  await looking.page.goto("about:blank");
  await looking.page.goto(`${used}/#code=${"x".repeat(32)}`);
  await looking.page.getByText("constel dashboard").waitFor();
  expect(await looking.page.getByRole("alert").count()).toBe(1);
  await looking.close();
});
