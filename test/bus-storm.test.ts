// Messages between 8 agents whose senders, receivers and daemon are killed while they work: 10,000 with bin/check --all, a quarter of it without, with as many kills
// at the same steps.

import { expect, test } from "bun:test";
import { storm } from "./bus-storm.ts";

const messagesEach = process.env["CONSTEL_CHECK_ALL"] === "yes" ? 1250 : 310;

test(`of ${8 * messagesEach} messages between 8 agents, senders, receivers and daemon killed at every step, none is lost, seen twice, out of order or misreported`, async () => {
  const { kills, ...account } = await storm({
    agents: 8,
    messagesEach,
    kills: 64,
    receiversEach: 1,
    seed: 3,
    daemon: { feeds: 2, oneIn: 50 },
  });
  expect(account).toEqual({
    sent: 8 * messagesEach,
    lost: [],
    seenTwice: [],
    outOfOrder: [],
    unvisited: [],
    misreported: [],
  });
  expect(kills).toBeGreaterThanOrEqual(60);
}, 300_000);

test("the same with two receivers for each agent, and no daemon", async () => {
  const account = await storm({ agents: 4, messagesEach: 250, kills: 40, receiversEach: 2, seed: 5 });
  expect(account).toMatchObject({ sent: 1000, lost: [], seenTwice: [], outOfOrder: [], misreported: [] });
  expect(account.kills).toBeGreaterThanOrEqual(20);
}, 120_000);
