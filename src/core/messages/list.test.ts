import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { listMessages } from "./list.ts";

interface Row {
  readonly name: string;
  readonly receiver: string;
  readonly sender: string;
  readonly message_id: string;
  readonly thread: string | null;
  readonly state: string;
}

/** Every agent writes to every one, itself too, in a few threads that one of them began. */
const rows: readonly Row[] = Array.from({ length: 60 }, (_, index) => ({
  name: `${String(1_000 + Math.floor(index / 2))}-m`,
  receiver: `agent${(index % 4) + 1}`,
  sender: `agent${(Math.floor(index / 3) % 4) + 1}`,
  message_id: `m${index}`,
  thread: index % 5 === 0 ? null : `m${index % 10}`,
  state: index % 7 === 0 ? "sent" : "acked",
}));

onEachDatabase("lists of messages", (makeScene) => {
  const here = withStore(makeScene);

  test("each way of asking answers with the same as a look at every message would, newest first, and counts them", async () => {
    const { store } = here;
    const { constellation } = store;
    await store.write(async (tx) => {
      for (const row of rows)
        await tx.db
          .insertInto("messages")
          .values({ constellation, ...row } as never)
          .execute();
    });
    const check = async (asked: { agent?: string; thread?: string; undelivered?: boolean }, limit = 1_000) => {
      const { agent, thread, undelivered = false } = asked;
      const meant = rows
        .filter((one) => agent === undefined || one.receiver === agent || one.sender === agent)
        .filter((one) => thread === undefined || one.thread === thread || one.message_id === thread)
        .filter(({ state }) => !undelivered || state === "sent")
        .map(({ name, receiver }) => ({ name, receiver }))
        .sort((a, b) => (a.name === b.name ? (a.receiver < b.receiver ? -1 : 1) : a.name < b.name ? 1 : -1));
      const answer = await listMessages({ store }, { ...asked, undelivered, limit });
      expect(answer.messages.map(({ name, receiver }) => ({ name, receiver }))).toEqual(meant.slice(0, limit));
      expect(answer.total).toBe(meant.length);
      expect(answer.undelivered).toBe(rows.filter(({ state }) => state === "sent").length);
      return meant.length;
    };
    expect(await check({})).toBe(60);
    expect(await check({}, 7)).toBe(60);
    expect(await check({ agent: "agent1" })).toBeGreaterThan(20);
    expect(await check({ agent: "agent1" }, 5)).toBeGreaterThan(20);
    expect(await check({ agent: "agent2", undelivered: true })).toBeGreaterThan(2);
    expect(await check({ thread: "m3" })).toBeGreaterThan(3);
    expect(await check({ thread: "m3", agent: "agent3" })).toBeGreaterThan(0);
    expect(await check({ thread: "m3", agent: "agent3", undelivered: true }, 1)).toBeGreaterThanOrEqual(0);
    expect(await check({ undelivered: true }, 4)).toBe(9);
  });
});
