import { expect, test } from "bun:test";
import { sqliteScene } from "../../../test/kit/databases.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import type { Tx } from "../../store/group-commit.ts";
import { openStore } from "../../store/open.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";
import { accountFor, type MessageSighting, type MessageState, nextRow } from "./account.ts";

const seen = (state: MessageState, atMs: number, more: Partial<MessageSighting> = {}): MessageSighting => ({
  name: "n",
  receiver: "agent1",
  sender: "agent0",
  state,
  atMs,
  evidence: "bound",
  ...more,
});
const after = (...sightings: MessageSighting[]): MessagesTable | undefined =>
  sightings.reduce<MessagesTable | undefined>((row, one) => nextRow(row, "constel0", one), undefined);

test("each state leaves its time, and the furthest one is the state", () => {
  expect(after(seen("sent", 1), seen("delivered", 5), seen("acked", 9))).toMatchObject({
    state: "acked",
    sent_ms: 1,
    delivered_ms: 5,
    acked_ms: 9,
  });
});

test("states only move forward, in whatever order reports come", () => {
  expect(after(seen("delivered", 5), seen("unknown", 7), seen("sent", 1))).toMatchObject({
    state: "delivered",
    sent_ms: 1,
    unknown_ms: 7,
  });
  expect(after(seen("unknown", 3), seen("delivered", 5))).toMatchObject({ state: "delivered", unknown_ms: 3 });
});

test("the same report twice changes nothing, and the first time counts", () => {
  const once = after(seen("sent", 1), seen("delivered", 5));
  expect(after(seen("sent", 1), seen("delivered", 5), seen("delivered", 8))).toEqual(once as MessagesTable);
});

test("content that becomes known later is filled in and then kept", () => {
  const content = {
    message_id: "m",
    kind: null,
    thread: null,
    in_reply_to: null,
    task: "3",
    text: "hello",
    text_bytes: 5,
  };
  const row = after(
    seen("sent", 1),
    seen("delivered", 2, { content }),
    seen("acked", 3, { content: { ...content, text: "other" } }),
  );
  expect(row).toMatchObject({ message_id: "m", task: "3", text: "hello" });
});

test("the reason belongs to the state it came with", () => {
  expect(
    after(seen("sent", 1), seen("delivered", 2, { because: "hook" }), seen("unknown", 3, { because: "late" }))?.because,
  ).toBe("hook");
});

test("many sightings are one question, and two of one message in it are taken one after the other", async () => {
  const scene = await sqliteScene("migrated");
  const { url, backupDirectory } = scene;
  const machine = { clock: new FakeClock(), random: seededRandom(5), constellation: "constel0" };
  const store = await openStore({ url, backupDirectory, ...machine });
  const many = Array.from({ length: 50 }, (_, at) => seen("sent", 1, { receiver: `agent${at}` }));
  let asked = 0;
  try {
    await store.write(async (tx) => {
      const db = new Proxy(tx.db, {
        get(target, key) {
          if (key === "selectFrom") asked += 1;
          const value: unknown = Reflect.get(target, key);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      const counted: Tx = { ...tx, db, insert: (table, row) => tx.insert(table, row) };
      await accountFor(counted, "constel0", [...many, seen("delivered", 5, { receiver: "agent3" })]);
    });
    expect(asked).toBe(1);
    const rows = await store.db.selectFrom("messages").select(["receiver", "state", "sent_ms"]).execute();
    expect(rows).toHaveLength(50);
    expect(rows.find(({ receiver }) => receiver === "agent3")).toMatchObject({ state: "delivered", sent_ms: 1 });
  } finally {
    await store.close();
    await scene.end();
  }
});
