// Every action: done in one browser, found in the store by the command line, and seen live in a second browser.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { keys } from "../../../src/protocol/keys.ts";
import { until } from "../../kit/home.ts";
import { rejection } from "../../kit/rejection.ts";
import type { Looking } from "./browser.ts";
import type { At } from "./pages.suite.ts";

export function actionsSuite({ home, browser, planted }: At): void {
  describe("what is done in one browser", () => {
    let one: Looking;
    let two: Looking;
    beforeAll(async () => {
      [one, two] = await Promise.all([browser().look(home()), browser().look(home(), { theme: "dark" })]);
    });
    afterAll(async () => {
      expect(one.problems).toEqual([]);
      expect(two.problems).toEqual([]);
      await Promise.all([one.close(), two.close()]);
    });

    const main = (looking: Looking) => looking.page.locator("main");
    const press = (name: string | RegExp) =>
      main(one)
        .getByRole("button", { name, exact: typeof name === "string" })
        .first()
        .click();
    const write = (text: string) => main(one).locator("textarea").last().fill(text);
    const sees = (looking: Looking, text: string | RegExp) => main(looking).getByText(text).first().waitFor();
    const seesNoMore = (looking: Looking, text: string | RegExp) =>
      main(looking).getByText(text).first().waitFor({ state: "detached" });
    const stored = async <Row>(words: readonly string[], list: string): Promise<Row[]> =>
      (await home().json<Record<string, Row[]>>(words))[list] ?? [];
    const taskState = async (number: number): Promise<string> =>
      (await home().json<{ task: { state: string } }>(["task", "show", String(number)])).task.state;
    const becomes = (number: number, states: readonly string[]) =>
      until(
        `task ${number} is ${states.join(" or ")}`,
        () => taskState(number),
        (state) => states.includes(state),
      );

    test("a request is answered; it vanishes elsewhere, and a second answer is refused with who gave the first", async () => {
      const id = await planted().askFor("agent3", "npm publish --tag next");
      await two.go("now");
      await one.go("approvals");
      await sees(two, "npm publish --tag next");
      await main(one)
        .getByRole("article", { name: /npm publish --tag next/ })
        .getByRole("button", { name: "Allow once" })
        .click();
      await seesNoMore(two, "npm publish --tag next");
      const approvals = await stored<{ id: string; state: string; answered_by: string }>(
        ["approvals", "ls", "--all"],
        "approvals",
      );
      expect(approvals.find((approval) => approval.id === id)).toMatchObject({
        state: "allowed",
        answered_by: "owner",
      });
      const second = await rejection(planted().ask("approval.answer", { id, allow: false }));
      expect(String(second)).toContain("is over: allowed by owner");
    });

    test("a message to an agent", async () => {
      await two.go("messages");
      await one.go("agents/agent2");
      await press("Message…");
      await write("look at the tax again");
      await press("Message");
      await sees(one, /sent, /);
      await sees(two, "look at the tax again");
      const messages = await stored<{ receiver: string; text: string }>(["channel", "messages"], "messages");
      expect(messages).toContainEqual(expect.objectContaining({ receiver: "agent2", text: "look at the tax again" }));
    });

    test("an answer in a thread", async () => {
      await two.go("messages/talk");
      await one.go("messages/talk");
      await press("Answer…");
      await write("and now?");
      await press("Answer");
      await sees(two, "and now?");
      const messages = await stored<{ text: string }>(["channel", "messages", "--thread", "talk"], "messages");
      expect(messages.map(({ text }) => text)).toContain("and now?");
    });

    test("both sides of a collision are told", async () => {
      await two.go("timeline?q=finding.told");
      await one.go(`collisions/${planted().finding}`);
      await press(/^Tell both( again)?$/);
      await sees(one, /told agent\d and agent\d/);
      await sees(two, "finding.told");
      await until(
        "both have it",
        () => stored<{ text: string | null }>(["channel", "messages"], "messages"),
        (messages) =>
          messages.filter(({ text }) => text?.startsWith("This collision is to be settled") === true).length === 2,
      );
    });

    test("a collision's files are blocked", async () => {
      await two.go("timeline?q=finding.blocked");
      await press("Block");
      await press("Block");
      await sees(one, "blocked");
      await sees(two, "finding.blocked");
    });

    test("a collision is dismissed, with its reason", async () => {
      const [other] = (await stored<{ id: string; title: string }>(["conflicts"], "findings")).filter(
        ({ id, title }) => id !== planted().finding && title.includes("change the same lines"),
      );
      if (other === undefined) throw new Error("the demo has no textual collision");
      await two.go("collisions");
      await sees(two, "change the same lines");
      await one.go(`collisions/${other.id}`);
      await press("Dismiss…");
      await write("they will be merged by hand");
      await press("Dismiss");
      await sees(one, /Dismissed: they will be merged by hand/);
      await seesNoMore(two, "change the same lines");
      const all = await stored<{ id: string; dismissed_reason: string | null }>(["conflicts", "--all"], "findings");
      expect(all.find(({ id }) => id === other.id)?.dismissed_reason).toBe("they will be merged by hand");
    });

    test("a task is created and given out; two are given out at once", async () => {
      await two.go("tasks");
      await one.go("tasks");
      await press("New task…");
      await write("Paint the sky");
      await press("New task");
      await sees(one, /task \d+: (went to|waits)/);
      await sees(two, "Paint the sky");
      const numbers = (await stored<{ number: number; title: string }>(["task", "list"], "tasks"))
        .filter(({ title }) => title.endsWith("the stars"))
        .map(({ number }) => number);
      expect(numbers).toHaveLength(2);
      for (const number of numbers)
        await main(one)
          .getByRole("checkbox", { name: `Pick task ${number}`, exact: true })
          .check();
      await main(one)
        .getByRole("group", { name: "For the picked tasks" })
        .getByRole("button", { name: "Dispatch" })
        .click();
      for (const number of numbers) await becomes(number, ["queued", "in_progress"]);
      await two.go(`tasks/${numbers[0]}`);
      await sees(two, /queued|in progress/);
    });

    test("a task is sent back, and taken back", async () => {
      const { task } = planted();
      await home().json(["task", "ready", String(task)]);
      await two.go(`tasks/${task}`);
      await sees(two, "ready");
      await one.go(`tasks/${task}`);
      await press("Send back");
      await becomes(task, ["in_progress"]);
      await sees(two, "in progress");
      await one.go("tasks/2");
      await press("Take back");
      await press("Take back");
      await becomes(2, ["open"]);
      await two.go("tasks/2");
      await sees(two, "nobody yet");
    });

    test("comments on lines go to the agent as one message; until then they wait in the page", async () => {
      const { task } = planted();
      await two.go("messages");
      await one.go(`tasks/${task}?view=diff`);
      const file = main(one).getByRole("region", { name: "src/money.ts" });
      for (const [line, text] of [
        ["Comment on line 1", "say why"],
        ["Comment on line 2", "cents, please"],
      ] as const) {
        await file.getByRole("button", { name: line, exact: true }).first().click();
        await write(text);
        await file.getByRole("button", { name: "Keep" }).click();
      }
      await one.go("now");
      await one.go(`tasks/${task}?view=diff`);
      await sees(one, "cents, please");
      await press("Send 2 comments");
      await sees(one, /2 comments sent to agent\d as one message/);
      await sees(two, /Comments on your changes/);
      const messages = await stored<{ text: string | null }>(["channel", "messages"], "messages");
      const sent = messages.filter(({ text }) => text?.startsWith("Comments on your changes") === true);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.text).toMatch(/src\/money\.ts:1\n {2}say why[\s\S]*src\/money\.ts:2\n {2}cents, please/);
    });

    test("a row is put aside until it changes, and brought back", async () => {
      const row = (looking: Looking) =>
        main(looking).getByRole("list", { name: "What needs you" }).getByText("renames formatPrice");
      await two.go("now");
      await one.go("now");
      await row(two).waitFor();
      const item = main(one).getByRole("listitem").filter({ hasText: "renames formatPrice" }).first();
      await item.getByRole("button", { name: "Later" }).click();
      await item.getByRole("button", { name: "until it changes" }).click();
      await row(two).waitFor({ state: "detached" });
      const aside = await stored<{ snoozed: boolean; says: string }>(["attention", "--snoozed"], "rows");
      expect(aside.filter(({ snoozed }) => snoozed)).toHaveLength(1);
      await one.go("now?aside=yes");
      await press("Bring back");
      await row(two).waitFor();
    });

    test("the watchdog is silenced, an agent is restarted", async () => {
      await one.go("agents");
      await press("Quiet…");
      await write("2h");
      await press("Quiet");
      await sees(one, /quiet until /);
      expect((await home().constel(["quiet"])).stdout).toMatch(/^quiet until /);
      const launched = async (): Promise<number> =>
        (await home().json<{ agent: { launched_ms: number } }>(["agent", "show", "4"])).agent.launched_ms;
      const before = await launched();
      await two.go("agents/agent4");
      await one.go("agents/agent4");
      await press("Restart");
      await press("Restart");
      await sees(one, /asked for/);
      await until("agent4 was started again", launched, (after) => after > before);
      await until(
        "agent4 is idle again",
        () => main(two).getByRole("heading", { level: 2 }).first().textContent(),
        (title) => title?.includes("idle") === true,
      );
    });

    test("a query is saved, asked and exported", async () => {
      await one.go("sql");
      const area = main(one).getByRole("textbox", { name: /^SQL/ });
      await area.fill("");
      await area.pressSequentially("select number, title from ta");
      await main(one)
        .getByRole("option", { name: /^tasks / })
        .waitFor();
      await area.press("Tab");
      await until(
        "the name was completed",
        () => area.inputValue(),
        (text) => /from ta\w+$/.test(text),
      );
      await area.fill("select number, title from tasks order by number");
      await area.press("Control+Enter");
      await sees(one, "Round the total");
      const [file] = await Promise.all([one.page.waitForEvent("download"), press("CSV")]);
      expect(file.suggestedFilename()).toBe("constel.csv");
      await press("Save…");
      await write("all-tasks");
      await press("Save");
      await sees(one, "saved as all-tasks");
      const saved = await stored<{ name: string }>(["query", "--list-saved"], "queries");
      expect(saved.map(({ name }) => name)).toEqual(["all-tasks", "mail"]);
      await two.go("sql");
      await main(two).getByRole("button", { name: "all-tasks" }).click();
      await sees(two, "Round the total");
      await main(two).getByRole("button", { name: "Plot" }).click();
      await two.page.locator("main canvas").waitFor();
    });

    test("announcements, decisions, memory and schedules", async () => {
      await two.go("timeline");
      await one.go("timeline");
      await press("Announce…");
      await write("main is frozen at noon");
      await press("Announce");
      await sees(two, "main is frozen at noon");
      await two.go("decisions");
      await one.go("decisions");
      await press("Record…");
      await write("Receipts are one line");
      await press("Record");
      await sees(two, "Receipts are one line");
      await two.go("schedules");
      await one.go("schedules");
      await press("Pause");
      await main(two).getByRole("button", { name: "Go on" }).waitFor();
      const { schedules } = await home().json<{ schedules: { paused: boolean }[] }>(["cron", "list"]);
      expect(schedules.map(({ paused }) => paused)).toEqual([true]);
    });

    test("the keyboard is enough: find, go, move, do; and all keys are told", async () => {
      const { page } = one;
      await one.go("now");
      await page.locator("body").press("?");
      for (const { key, does } of keys)
        if (key !== "q" && key !== "g") await page.getByRole("dialog").getByText(does, { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: /^Find/ }).fill("renames formatPrice");
      await page.keyboard.press("Enter");
      await sees(one, "What to do");
      expect(new URL(page.url()).hash).toContain("#/collisions/fnd_");
      await page.keyboard.press("g");
      await page.keyboard.press("t");
      await main(one).getByRole("list", { name: "Tasks" }).getByRole("listitem").first().waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await main(one).getByText("1 task picked").waitFor();
      await page.keyboard.press("Enter");
      await sees(one, "constel task show");
      await page.keyboard.press("Escape");
      await sees(one, "New task…");
      await page.keyboard.press("g");
      await page.keyboard.press("n");
      await main(one).getByRole("list", { name: "What needs you" }).getByRole("listitem").first().waitFor();
      const before = (await stored(["attention"], "rows")).length;
      await page.keyboard.press("j");
      await page.keyboard.press("z");
      await until(
        "one less needs the owner",
        () => stored(["attention"], "rows"),
        (rows) => rows.length < before,
      );
    });

    test("rows under the pointer do not move: what is new waits above", async () => {
      await one.go("timeline");
      const list = main(one).getByRole("list", { name: "Events" });
      await list.getByRole("listitem").first().hover();
      const first = await list.getByRole("listitem").first().textContent();
      await home().json(["announce", "while you point"]);
      await main(one)
        .getByRole("button", { name: /new rows? waits?: show/ })
        .waitFor();
      expect(await list.getByRole("listitem").first().textContent()).toBe(first);
      await main(one)
        .getByRole("button", { name: /new rows? waits?: show/ })
        .click();
      await sees(one, "while you point");
    });

    test("an observer's page offers nothing that would be refused", async () => {
      const third = await browser().look(home(), { role: "observer" });
      for (const place of ["now", "agents/agent1", `collisions/${planted().finding}`, "tasks/2", "approvals"]) {
        await third.go(place);
        for (const button of await third.page.locator("main [data-act]:is(button)").all())
          expect(await button.isDisabled()).toBe(true);
      }
      expect(third.problems).toEqual([]);
      await third.close();
    });

    test("a session that is revoked is over at once, and says how to come in again", async () => {
      await one.go("audit");
      const tokens = await stored<{ id: string; kind: string; revoked_ms: number | null }>(["token", "ls"], "tokens");
      const third = await browser().look(home());
      const after = await stored<{ id: string; kind: string; revoked_ms: number | null }>(["token", "ls"], "tokens");
      const its = after.find(({ id }) => tokens.every((token) => token.id !== id));
      await home().json(["token", "revoke", its?.id ?? ""]);
      await third.page.getByText("This session is over").waitFor();
      await third.page.getByText("constel dashboard").first().waitFor();
      await third.close();
    });
  });
}
