// A daemon that is killed and comes back while pages are open: nothing is missed, nothing is there twice, and what may be old never says that
// it is live.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { TestHome, until } from "../../kit/home.ts";
import { type Looking, openHttp, WindowBrowser } from "./browser.ts";

const home = new TestHome();
let browser: WindowBrowser;

beforeAll(async () => {
  await openHttp(home);
  browser = await WindowBrowser.open();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
});

const announce = (text: string) => home.json(["announce", text]);
const liveWord = ({ page }: Looking) => page.locator("header .live").textContent();
const told = async ({ page }: Looking): Promise<string[]> => {
  const texts = await page.locator("main [data-key] .sentence").allTextContents();
  return texts.flatMap((text) => /word \d+/.exec(text)?.[0] ?? []).toReversed();
};
/** Refused by a daemon that is gone, as the browser itself says on its console. */
const unexpected = ({ problems }: Looking): string[] =>
  problems.filter(
    (one) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(one),
  );

test("killed twice, with events before, between and after", async () => {
  const looking = await browser.look(home);
  await looking.go("timeline");
  const said: string[] = [];
  const say = async (): Promise<void> => {
    said.push(`word ${said.length + 1}`);
    await announce(said.at(-1) ?? "");
  };
  await say();
  for (const _ of [1, 2]) {
    await until(
      "the page has it all",
      () => told(looking),
      (words) => words.length === said.length,
    );
    const pid = home.daemonPid;
    if (pid === undefined) throw new Error("no daemon");
    process.kill(pid, "SIGKILL");
    await until(
      "the page says that it may be old",
      () => liveWord(looking),
      (word) => word?.includes("as of") === true,
    );
    expect(await looking.page.locator("main .stale").count()).toBe(1);
    // What was known stays, and is no error.
    expect(await told(looking)).toEqual(said);
    expect(await looking.page.getByRole("alert").count()).toBe(0);
    await home.json(["daemon", "start"]);
    await say();
    await until(
      "the page is live again",
      () => liveWord(looking),
      (word) => word?.includes("live") === true,
    );
    await say();
  }
  await until(
    "the page has it all",
    () => told(looking),
    (words) => words.length >= said.length,
  );
  expect(await told(looking)).toEqual(said);
  expect(await looking.page.locator("main .stale").count()).toBe(0);
  expect(unexpected(looking)).toEqual([]);
  await looking.close();
}, 240_000);

test("a page that is opened while nobody answers says so, and is no empty page", async () => {
  const looking = await browser.look(home);
  const pid = home.daemonPid;
  if (pid === undefined) throw new Error("no daemon");
  process.kill(pid, "SIGKILL");
  await until(
    "the page says that it may be old",
    () => liveWord(looking),
    (word) => word?.includes("as of") === true,
  );
  await looking.page.evaluate("void (location.hash = '#/schedules')");
  await looking.page.getByRole("alert").getByText("Not to be had").waitFor();
  expect(await looking.page.locator("main .empty").count()).toBe(0);
  await home.json(["daemon", "start"]);
  // Without a hand: the panel asks again.
  await looking.page.getByText("Nothing is scheduled.").waitFor();
  expect(await looking.page.getByRole("alert").count()).toBe(0);
  await looking.close();
}, 120_000);

test("several tabs share one stream; when the one that reads it closes, another goes on", async () => {
  const looking = await browser.look(home);
  const { page } = looking;
  const second = await page.context().newPage();
  const streams: string[] = [];
  second.on("request", (request) => {
    if (request.url().includes("/api/stream")) streams.push(request.url());
  });
  await second.goto(`${new URL(page.url()).origin}/#/timeline`);
  await second.getByRole("status").filter({ hasText: "live" }).waitFor();
  await announce("heard by the second tab");
  await second.locator("main").getByText("heard by the second tab").waitFor();
  expect(streams).toEqual([]);
  await page.close();
  await until(
    "the second tab reads the stream itself",
    () => streams.length,
    (count) => count === 1,
  );
  await announce("heard after the first tab closed");
  await second.locator("main").getByText("heard after the first tab closed").waitFor();
  await second.context().close();
}, 120_000);

test("a tab that slept through more than is told one by one reads everything anew, once", async () => {
  const looking = await browser.look(home);
  await looking.go("timeline");
  const { token } = await home.json<{ token: string }>(["token", "create", "loud", "--expires", "1h"]);
  const context = looking.page.context();
  await context.route("**/api/stream**", (route) => route.abort());
  process.kill(home.daemonPid ?? 0, "SIGKILL");
  await home.json(["daemon", "start"]);
  await until(
    "it knows that it hears nothing",
    () => liveWord(looking),
    (word) => word?.includes("as of") === true,
  );
  const { http } = await home.json<{ http: string }>(["daemon", "status"]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (let round = 0; round < 22; round++)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        fetch(`${http}/op/timeline.announce`, {
          method: "POST",
          headers,
          body: JSON.stringify({ text: `missed ${round * 100 + at}` }),
        }),
      ),
    );
  await announce("the last word");
  expect(await liveWord(looking)).toContain("as of");
  await context.unroute("**/api/stream**");
  await looking.page.locator("main").getByText("the last word").first().waitFor();
  await until(
    "it is live",
    () => liveWord(looking),
    (word) => word?.includes("live") === true,
  );
  expect(await looking.page.locator("main").getByText("the last word").count()).toBe(1);
  await looking.close();
}, 240_000);
