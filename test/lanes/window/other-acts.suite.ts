// The verbs that actions.suite.ts leaves: each pressed in one browser, found in the store, and seen live in a second. At the end, that no page
// has a verb which nobody pressed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownerOnBus } from "../../../src/protocol/bus-names.ts";
import { operations } from "../../../src/protocol/operations/all.ts";
import { projectTop, until } from "../../kit/home.ts";
import type { Looking } from "./browser.ts";
import type { At } from "./pages.suite.ts";

export function otherActsSuite({ home, browser, planted }: At): void {
  describe("what else is done in one browser", () => {
    let one: Looking;
    let two: Looking;
    beforeAll(async () => {
      [one, two] = await Promise.all([browser().look(home()), browser().look(home(), { role: "observer" })]);
    });
    afterAll(async () => {
      expect(one.problems).toEqual([]);
      expect(two.problems).toEqual([]);
      await Promise.all([one.close(), two.close()]);
    });

    const main = (looking: Looking) => looking.page.locator("main");
    const row = (looking: Looking, hasText: string) => main(looking).getByRole("listitem").filter({ hasText }).first();
    const press = (name: string, within = main(one)) =>
      within.getByRole("button", { name, exact: true }).first().click();
    const write = (text: string) => main(one).locator("textarea").last().fill(text);
    const sees = (looking: Looking, text: string | RegExp) => main(looking).getByText(text).first().waitFor();
    const seesNoMore = (looking: Looking, text: string) =>
      main(looking).getByText(text).first().waitFor({ state: "detached" });
    const list = async <Row>(words: readonly string[], name: string): Promise<Row[]> =>
      (await home().json<Record<string, Row[]>>(words))[name] ?? [];
    const create = async (title: string): Promise<number> =>
      (await home().json<{ number: number }>(["task", "create", title])).number;
    const becomes = (number: number, wanted: string) =>
      until(
        `task ${number} is ${wanted}`,
        async () => (await home().json<{ task: { state: string } }>(["task", "show", String(number)])).task.state,
        (state) => state === wanted,
      );

    test("a request is denied, and another with the reason", async () => {
      await two.go("approvals");
      await one.go("approvals");
      for (const [command, note] of [
        ["rm -rf build", null],
        ["make deploy", "use the test server"],
      ] as const) {
        const id = await planted().askFor("agent3", command);
        await sees(two, command);
        const asked = main(one).getByRole("article", { name: command });
        await press(note === null ? "Deny" : "Deny, and say why…", asked);
        if (note !== null) {
          await asked.locator("textarea").fill(note);
          await press("Deny, and say why", asked);
        }
        await seesNoMore(two, command);
        const approvals = await list<{ id: string; state: string; note: string | null }>(
          ["approvals", "ls", "--all"],
          "approvals",
        );
        expect(approvals.find((approval) => approval.id === id)).toMatchObject({ state: "denied", note });
      }
    });

    test("an agent's question to the owner is answered in its thread", async () => {
      await planted().ask(
        "chat.send",
        { to: ownerOnBus, text: "shall the old name stay?", thread: "old-name" },
        "agent3",
      );
      await two.go("messages/old-name");
      await one.go("messages/old-name");
      await sees(one, "shall the old name stay?");
      await press("Answer…");
      await write("for one release");
      await press("Answer");
      await sees(two, "for one release");
      const messages = await list<{ text: string; receiver: string }>(
        ["channel", "messages", "--thread", "old-name"],
        "messages",
      );
      expect(messages).toContainEqual(expect.objectContaining({ receiver: "agent3", text: "for one release" }));
    });

    test("a message from the page of messages, to whoever is chosen there", async () => {
      await two.go("messages");
      await one.go("messages");
      await main(one).getByRole("combobox").selectOption("agent4");
      await press("Message…");
      await write("mind the gap");
      await press("Message");
      await sees(two, "mind the gap");
      const messages = await list<{ text: string; receiver: string }>(["channel", "messages"], "messages");
      expect(messages).toContainEqual(expect.objectContaining({ receiver: "agent4", text: "mind the gap" }));
    });

    test("a task's agent is told something about it; the task is cancelled with its reason, and opened again", async () => {
      const { task } = planted();
      await one.go(`tasks/${task}`);
      await main(one)
        .getByRole("button", { name: /^Message agent\d…$/ })
        .click();
      await write("the receipts are next");
      await main(one)
        .getByRole("button", { name: /^Message agent\d$/ })
        .click();
      await two.go(`tasks/${task}`);
      await sees(two, /the receipts are next/);
      const number = await create("Fold the map");
      await two.go(`tasks/${number}`);
      await one.go(`tasks/${number}`);
      await press("Cancel…");
      await write("there is no map");
      await press("Cancel");
      await sees(two, "there is no map");
      await becomes(number, "cancelled");
      await press("Reopen");
      await becomes(number, "open");
      await main(two).getByText("cancelled", { exact: true }).first().waitFor({ state: "detached" });
    });

    test("several tasks are cancelled at once", async () => {
      const numbers = [await create("Paint the one"), await create("Paint the other")];
      await two.go("tasks");
      await one.go("tasks");
      for (const number of numbers)
        await main(one)
          .getByRole("checkbox", { name: `Pick task ${number}`, exact: true })
          .check();
      const picked = main(one).getByRole("group", { name: "For the picked tasks" });
      await press("Cancel…", picked);
      await write("nothing is painted");
      await press("Cancel", picked);
      for (const number of numbers) await becomes(number, "cancelled");
      await seesNoMore(two, "Paint the other");
    });

    test("both sides of a collision are told how", async () => {
      const told = () => main(two).getByRole("list", { name: "Events" }).getByRole("listitem").count();
      await two.go("timeline?q=finding.told");
      const before = await told();
      await one.go(`collisions/${planted().finding}`);
      await press("Tell both how…");
      await write("keep the old name as an alias");
      await press("Tell both how");
      await sees(one, /told agent\d/);
      await until("it is told live", told, (count) => count > before);
      const isIt = ({ text }: { text: string | null }): boolean =>
        text?.includes("keep the old name as an alias") === true;
      // The bus has them at once; they are rows when they were taken in.
      await until(
        "both are told",
        async () => (await list<{ text: string | null }>(["channel", "messages"], "messages")).filter(isIt).length,
        (count) => count === 2,
      );
    });

    test("what is ready is harvested: from the list of what needs the owner, and from the order of landing", async () => {
      const commit = (number: number): void => {
        const cwd = join(home().root, `workspaces/${number}/repo`);
        Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "done"], {
          cwd,
        });
      };
      const story = (number: number) =>
        home().json<{ task: { state: string }; harvests: unknown[] }>(["task", "show", String(number)]);
      const { task } = planted();
      // The other side of the collision, which goes back when its gate is red; then the one that renames.
      const others = (await list<{ number: number; title: string }>(["task", "list"], "tasks")).filter(
        ({ title }) => title === "Print receipts",
      );
      const receipts = others[0]?.number ?? 0;
      commit(receipts);
      for (const [number, place, name] of [
        [receipts, "now", "Harvest"],
        [task, "landing", `Harvest task ${task}`],
      ] as const) {
        await home().json(["task", "ready", String(number)]);
        await two.go("landing");
        await one.go(place);
        await press(name);
        await until(
          "it was tried",
          () => story(number),
          ({ task: { state }, harvests }) => harvests.length > 0 && state !== "ready",
        );
        await sees(two, new RegExp(`task ${number}`));
      }
    });

    test("something is remembered, pinned, and forgotten", async () => {
      const memories = () => list<{ text: string; pinned: boolean }>(["memory", "recall"], "memories");
      const words = "The build needs two cores";
      const pinned = async () => (await memories()).find(({ text }) => text === words)?.pinned;
      await two.go("decisions?view=memory");
      await one.go("decisions?view=memory");
      await press("Remember…");
      await write(words);
      await press("Remember");
      await sees(two, words);
      // What is new under the pointer would wait until that leaves.
      await one.page.mouse.move(0, 0);
      await press("Pin", row(one, words));
      await row(two, words).getByText("pinned").first().waitFor({ state: "attached" });
      expect(await pinned()).toBe(true);
      await press("Unpin", row(one, words));
      await until("it is unpinned", pinned, (is) => is === false);
      await press("Forget", row(one, words));
      await press("Forget", row(one, words));
      await seesNoMore(two, words);
      expect(await pinned()).toBeUndefined();
    });

    test("what an agent proposes to decide is accepted, or rejected with the reason", async () => {
      for (const title of ["Prices are shown with tax", "Receipts are signed"])
        await planted().ask("decision.record", { title, draft: true }, "agent3");
      await two.go("decisions?all=yes");
      await one.go("decisions?all=yes");
      await press("Accept", row(one, "Prices are shown with tax"));
      await row(two, "Prices are shown with tax").getByText("yours").waitFor();
      const rejected = row(one, "Receipts are signed");
      await press("Reject…", rejected);
      await rejected.locator("textarea").fill("nobody checks them");
      await press("Reject", rejected);
      await row(two, "Receipts are signed").getByText("nobody checks them").waitFor();
      const decisions = await list<{ title: string; state: string; owner_verified: boolean }>(
        ["decision", "ls", "--all"],
        "decisions",
      );
      const of = (title: string) => decisions.find((decision) => decision.title === title);
      expect(of("Prices are shown with tax")).toMatchObject({ state: "active", owner_verified: true });
      expect(of("Receipts are signed")).toMatchObject({ state: "rejected" });
    });

    test("a schedule is run now, and removed", async () => {
      await home().json(["cron", "add", "weekly", "0 3 * * 1", "agent1", "look at the week"]);
      await two.go("schedules/cron:weekly");
      await one.go("schedules/cron:weekly");
      for (const seen of [one, two]) await sees(seen, "It never fired.");
      await press("Run now", row(one, "weekly"));
      for (const seen of [one, two]) await seesNoMore(seen, "It never fired.");
      await two.go("schedules");
      await press("Remove");
      await press("Remove");
      await main(two).getByText("weekly").first().waitFor({ state: "detached" });
      await until(
        "it is gone",
        () => list<{ label: string; ended_ms: number | null }>(["cron", "list"], "schedules"),
        (schedules) => schedules.every(({ label, ended_ms: ended }) => label !== "weekly" || ended !== null),
      );
    });

    test("a token is revoked, and refused at once", async () => {
      const { token } = await home().json<{ token: string }>(["token", "create", "visitor", "--expires", "1h"]);
      const origin = new URL(one.page.url()).origin;
      const asking = () =>
        fetch(`${origin}/op/status.look`, {
          method: "POST",
          body: "{}",
          headers: { authorization: `Bearer ${token}` },
        });
      expect((await asking()).status).toBe(200);
      await one.go("audit");
      const line = main(one).getByRole("row").filter({ hasText: "visitor" });
      await press("Revoke", line);
      await press("Revoke", line);
      await line.waitFor({ state: "detached" });
      expect((await asking()).status).toBe(401);
    });

    test("whoever logs out is asked for a new link, and its token is over", async () => {
      const third = await browser().look(home());
      const token = await third.page.evaluate<string>("Object.values(localStorage).join(' ')");
      await third.page.getByRole("button", { name: "log out" }).click();
      await third.page.getByText("constel dashboard").first().waitFor();
      expect(token).not.toBe("");
      expect(await third.page.evaluate<string>("Object.values(localStorage).join(' ')")).not.toContain(token);
      await third.close();
    });

    test("no page has a verb that nobody pressed", async () => {
      const top = join(projectTop, "web/src");
      const inPages = [...new Bun.Glob("**/*.{svelte,ts}").scanSync(top)].flatMap((file) =>
        [...readFileSync(join(top, file), "utf8").matchAll(/\bask\("([a-z.-]+)"/g)].map(([, name = ""]) => name),
      );
      const writing = new Set<string>(
        Object.values(operations).flatMap(({ name, effect }) => (effect === "reads" ? [] : [name])),
      );
      const verbs = [...new Set(inPages)].filter((name) => writing.has(name)).toSorted();
      expect(verbs.length).toBeGreaterThan(20);
      expect(verbs.filter((name) => !browser().done.has(name))).toEqual([]);
    });
  });
}
