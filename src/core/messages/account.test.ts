import { expect, test } from "bun:test";
import type { MessagesTable } from "../../store/tables/messages.ts";
import { type MessageSighting, type MessageState, nextRow } from "./account.ts";

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
