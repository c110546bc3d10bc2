import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";
import { listMessages } from "./list.ts";

const blank: MessagesTable = {
  name: "",
  receiver: "agent1",
  constellation: "constel0",
  message_id: null,
  sender: "agentowner",
  kind: null,
  thread: null,
  in_reply_to: null,
  task: null,
  text: "hello",
  text_bytes: 5,
  state: "delivered",
  because: null,
  evidence: null,
  verified_by: "owner",
  sent_ms: 1_000,
  delivered_ms: 2_000,
  acked_ms: null,
  unknown_ms: null,
  poisoned_ms: null,
};

onEachDatabase("messages, listed", (makeScene) => {
  const here = withStore(makeScene);
  const put = (...rows: readonly Partial<MessagesTable>[]) =>
    here.store.write(async (tx) => {
      for (const row of rows) await tx.insert("messages", { ...blank, ...row });
    });
  const list = (asked: Partial<Parameters<typeof listMessages>[1]> = {}) =>
    listMessages(here, { undelivered: false, limit: 200, ...asked });
  const namesOf = async (asked: Parameters<typeof list>[0]): Promise<string[]> =>
    (await list(asked)).messages.map(({ name }) => name);

  test("the newest first, by agent, by thread, and those that are not known to have arrived", async () => {
    await put(
      { name: "001", message_id: "msg_a" },
      { name: "002", state: "sent", delivered_ms: null, thread: "t" },
      { name: "003", receiver: "agent2", sender: "agent1", state: "unknown", thread: "msg_a" },
      { name: "004", receiver: "agent2", state: "poisoned", because: "no JSON" },
      { name: "005", receiver: "agent3", state: "acked" },
      { name: "006", receiver: "agent3", constellation: "constel9", state: "sent" },
    );
    expect(await namesOf({})).toEqual(["005", "004", "003", "002", "001"]);
    expect(await namesOf({ undelivered: true })).toEqual(["004", "003", "002"]);
    expect(await namesOf({ agent: "agent1" })).toEqual(["003", "002", "001"]);
    expect(await namesOf({ agent: "agent1", undelivered: true })).toEqual(["003", "002"]);
    // A thread is named by its first message where it has no name of its own.
    expect(await namesOf({ thread: "msg_a" })).toEqual(["003", "001"]);
    expect(await list({ limit: 2, agent: "agent2" })).toMatchObject({ total: 2, undelivered: 3 });
    expect((await list({ limit: 1 })).total).toBe(5);
  });

  test("a text that is not whole is said to be cut", async () => {
    await put({ name: "001", text: "é", text_bytes: 2 }, { name: "002", text: "é…", text_bytes: 500 });
    await put({ name: "003", text: null, text_bytes: null });
    expect((await list()).messages.map(({ cut }) => cut)).toEqual([false, true, false]);
  });
});
