// Every page with data: what it is there for is to be seen, nothing is broken, and axe finds nothing serious.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Looking, phone, sidewaysScroll, type WindowBrowser } from "./browser.ts";
import type { DemoHome } from "./demo-home.ts";
import type { Planted } from "./plant.ts";

export interface At {
  readonly home: () => DemoHome;
  readonly browser: () => WindowBrowser;
  readonly planted: () => Planted;
}

type Place = readonly [place: string | ((planted: Planted) => string), ...shows: readonly (string | RegExp)[]];

/** Where to go, and what must be read there. */
const places: readonly Place[] = [
  ["now", "renames formatPrice", "Who works on what", "Since you left", "agent1"],
  ["agents", "agent1", "agent4", "Quiet…"],
  ["agents/agent1", "agent1 is ready", "What it was told", "constel attach agent1", "how is it going?"],
  ["tasks", "Count the stars", "Say money", "New task…"],
  ["tasks?view=board&all=yes", "Waits", "In progress", "Round the total"],
  ["tasks/1", "landed", "the shop is whole", "Given out"],
  [({ task }) => `tasks/${task}?view=diff`, "src/money.ts", "formatMoney", "constel task diff"],
  ["collisions", "renames formatPrice", "Look"],
  ["collisions?view=matrix", "Say money", "Print receipts"],
  [({ finding }) => `collisions/${finding}`, "formatMoney", "src/receipt.ts", "What to do", "Tell both", "Dismiss…"],
  ["landing", "held", "may land", "Last harvest", "the shop is whole"],
  ["messages", "Not known to have arrived", "nobody will read this", "Threads"],
  ["messages/talk", "how is it going?", "Answer…"],
  ["approvals", "asks to run", "npm publish --dry-run", "Allow once"],
  ["timeline", "Announce…"],
  // A phone draws some ten rows, and what is sought may be further down by now.
  ["timeline?q=task.harvested", "task 1 landed"],
  ["cost", "agent1", "$", "Prices as of"],
  ["cost?by=model&days=30", "claude-opus-4-6"],
  ["schedules", "nightly", "Run now"],
  ["schedules/cron:nightly", "Next:", "Remove"],
  ["services", "shop", "till", "Who uses what"],
  ["decisions", "Prices are whole cents", "Record…"],
  ["decisions?view=memory", "Run the tests with bun test", "Forget"],
  ["audit", "The record is whole", "Who may come in", "Keep the receipts to one line"],
  ["sql", "mail", "Nothing was asked yet"],
  ["sql?q=select%20number%2C%20title%20from%20tasks%20order%20by%20number", "Round the total", "rows"],
];

export function pagesSuite({ home, browser, planted }: At): void {
  describe.each([
    ["light", { width: 1280, height: 800 }],
    ["dark", phone],
    ["dark", { width: 820, height: 1180 }],
  ] as const)("with data, %s at %j", (theme, size) => {
    let looking: Looking;
    beforeAll(async () => {
      await planted().askFor("agent2", "npm publish --dry-run");
      looking = await browser().look(home(), { theme, size });
    });
    afterAll(() => looking.close());

    test.each(places.map((place) => [String(place[0]), place] as const))("%s", async (_, [place, ...shows]) => {
      const { page } = looking;
      await looking.go(typeof place === "string" ? place : place(planted()));
      for (const text of shows) await page.locator("main").getByText(text).first().waitFor({ state: "attached" });
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await sidewaysScroll(looking)).toBeLessThanOrEqual(0);
      // axe looks at both themes; the third size is for what must fit.
      if (size.width !== 820) expect(await looking.axe()).toEqual([]);
      expect(looking.problems).toEqual([]);
    });
  });
}
