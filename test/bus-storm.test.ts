// 10,000 messages between 8 agents whose senders and receivers are killed while they work.

import { expect, test } from "bun:test";
import { storm } from "./bus-storm.ts";

test("of 10,000 messages between 8 agents under random kills none is lost, seen twice or out of order", async () => {
  const account = await storm({ agents: 8, messagesEach: 1250, kills: 120, receiversEach: 1, seed: 3 });
  expect(account).toEqual({ sent: 10_000, lost: [], seenTwice: [], outOfOrder: [], kills: account.kills });
  expect(account.kills).toBeGreaterThanOrEqual(100);
}, 120_000);

test("the same with two receivers for each agent", async () => {
  const account = await storm({ agents: 4, messagesEach: 250, kills: 40, receiversEach: 2, seed: 5 });
  expect(account).toEqual({ sent: 1000, lost: [], seenTwice: [], outOfOrder: [], kills: account.kills });
  expect(account.kills).toBeGreaterThanOrEqual(20);
}, 120_000);
