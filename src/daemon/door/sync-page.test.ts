import { expect, test } from "bun:test";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { Context } from "../../core/context.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { listMailbox } from "../../floor/bus/list.ts";
import { send } from "../../floor/bus/send.ts";
import { systemRandom } from "../../host/clock/system-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { briefSender } from "../../ports/deliver.ts";
import { syncPage } from "./sync-page.ts";

function scene() {
  const directory = temporaryDirectory("sync");
  const clock = new FakeClock();
  const bus: Bus = {
    home: directory.path,
    clock,
    random: systemRandom,
    liveness: systemLiveness,
    sign: undefined,
    recorder: undefined,
  };
  const context = { actor: "agent1" } as Context;
  const sync = (ack: string[] = [], maxChars = 12_000) => syncPage({ bus }, context, { ack, max_chars: maxChars });
  const say = (text: string, from = "agent2"): string => {
    clock.advance(1);
    return send(bus, { from, to: "agent1", text }).envelope.id;
  };
  return { directory, clock, bus, sync, say };
}

test("pages hold what fits, in order, each message on one page; acknowledging settles them", async () => {
  const { directory, bus, sync, say } = scene();
  using _ = directory;
  const ids = Array.from({ length: 60 }, (_, index) => say(`${index} ${"\u0007".repeat(index)}`));
  const seen: string[] = [];
  let ack: string[] = [];
  for (let more = true; more;) {
    const page = await sync(ack, 3_000);
    expect(JSON.stringify(page.messages).length).toBeLessThanOrEqual(3_500);
    expect(page.unacknowledged).toEqual([]);
    ack = page.messages.flatMap(({ id }) => id ?? []);
    expect(ack.length).toBeGreaterThan(0);
    seen.push(...ack);
    ({ more } = page);
  }
  await sync(ack);
  expect(seen).toEqual(ids);
  expect(listMailbox(bus, "agent1").counts).toMatchObject({ inbox: 0, handedOut: 0, done: { acked: 60 } });
});

test("what was not acknowledged is not called delivered, and comes again when its time is over", async () => {
  const { directory, clock, bus, sync, say } = scene();
  using _ = directory;
  const id = say("hello");
  expect((await sync()).messages).toMatchObject([{ id, text: "hello", again: false }]);
  expect(await sync()).toMatchObject({ messages: [], unacknowledged: [id] });
  expect(listMailbox(bus, "agent1").counts.done).toMatchObject({ delivered: 0, acked: 0 });
  clock.advance(600_001);
  expect((await sync()).messages).toMatchObject([{ id, again: true }]);
  expect(await sync([id, "msg_other"])).toMatchObject({ acknowledged: 1, unacknowledged: [] });
  expect(await sync([id])).toMatchObject({ acknowledged: 0 });
});

test("what was in doubt and does not fit is left for the next page, and is still said to be in doubt", async () => {
  const { directory, clock, sync, say } = scene();
  using _ = directory;
  const ids = Array.from({ length: 22 }, (_, index) => say(`${index}`));
  expect((await sync()).messages.length).toBe(22);
  clock.advance(600_001);
  const first = await sync([], 3_000);
  const second = await sync([], 3_000);
  expect(first.more).toBe(true);
  expect([...first.messages, ...second.messages].map(({ id }) => id)).toEqual(ids);
  expect(second.messages.every(({ again }) => again)).toBe(true);
});

test("one message that is larger than a page is shown as far as it goes, and a task's brief is left to dispatch", async () => {
  const { directory, bus, sync, say } = scene();
  using _ = directory;
  say("do this", briefSender);
  say("\u0001".repeat(500_000));
  const page = await sync();
  expect(JSON.stringify(page).length).toBeLessThan(13_000);
  expect(page.messages).toMatchObject([{ cut: true }]);
  expect(listMailbox(bus, "agent1").counts.inbox).toBe(1);
});
