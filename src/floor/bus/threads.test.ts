import { expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fakeBus, TemporaryHome } from "../../../test/bus-kit.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { drain } from "./drain.ts";
import { messageNamed } from "./pending.ts";
import { send } from "./send.ts";
import { settle } from "./settle.ts";
import { findReceived, history, listThreads, reply } from "./threads.ts";

test("a reply goes to the sender, in the thread, and names what it answers and its task", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const first = send(bus, { from: "agent1", to: "agent2", text: "?", task: "task_1" }).envelope;
  const answer = reply(bus, first, { from: "agent2", text: "!" }).envelope;
  expect(answer).toMatchObject({ to: "agent1", thread: first.id, in_reply_to: first.id, task: "task_1" });
  const back = reply(bus, answer, { from: "agent1", text: "thanks" }).envelope;
  expect(back).toMatchObject({ to: "agent2", thread: first.id, in_reply_to: answer.id });
});

test("history has both sides in order, from every place a message can be", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const first = send(bus, { from: "agent1", to: "agent2", text: "one" }).envelope;
  const second = reply(bus, first, { from: "agent2", text: "two" }).envelope;
  settle(bus, "agent2", (await drain(bus, "agent2")).messages, "acked");
  await drain(bus, "agent1");
  reply(bus, second, { from: "agent1", text: "three" });
  send(bus, { from: "agent1", to: "agent2", text: "elsewhere", thread: "u" });
  expect((await history(bus, first.id)).said.map((said) => [said.envelope.text, said.where])).toEqual([
    ["one", "acked"],
    ["two", "processing"],
    ["three", "inbox"],
  ]);
  expect((await history(bus, first.id, 1)).said.map((said) => said.envelope.text)).toEqual(["three"]);
});

test("threads of an agent are listed by their last word, with who takes part and what is unread", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  send(bus, { from: "agent1", to: "agent2", text: "a", thread: "t" });
  bus.clock.advance(1000);
  send(bus, { from: "agent3", to: "agent1", text: "b", thread: "u" });
  bus.clock.advance(1000);
  send(bus, { from: "agent2", to: "agent1", text: "c", thread: "t" });
  send(bus, { from: "agent2", to: "agent3", text: "d", thread: "not mine" });
  expect(listThreads(bus, "agent1")).toMatchObject([
    { thread: "t", participants: ["agent1", "agent2"], messages: 2, unread: 1 },
    { thread: "u", participants: ["agent1", "agent3"], messages: 1, unread: 1 },
  ]);
});

test("a link where somebody's mailbox should be hides nobody else's threads", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  send(bus, { from: "agent1", to: "agent2", text: "a", thread: "t" });
  mkdirSync(join(home.path, "elsewhere"));
  symlinkSync(join(home.path, "elsewhere"), join(home.path, "channels/agent/agent9"));
  expect(listThreads(bus, "agent1")).toHaveLength(1);
});

test.each([1, 2, 3, 4])(
  "a message that is taken up and settled after listing %d of those that look for it is found",
  async (moment) => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const looks = [
      async (id: string) => (await history(bus, id)).total === 1,
      async (id: string) => findReceived(bus, "agent2", id) !== undefined,
      async (_: string, name: string) => messageNamed(bus, "agent2", name) !== undefined,
    ];
    for (const look of looks) {
      const { envelope, name } = send(bus, { from: "agent1", to: "agent2", text: "where am I?" });
      const box = join(home.path, "channels/agent/agent2");
      mkdirSync(join(box, "done"), { recursive: true });
      const real = TrustedDirectory.prototype.list;
      let listings = 0;
      const spy = spyOn(TrustedDirectory.prototype, "list").mockImplementation(function list(this: TrustedDirectory) {
        const names = real.call(this);
        if (++listings === moment && existsSync(join(box, "inbox", name)))
          renameSync(join(box, "inbox", name), join(box, "done", `${name}~acked.1`));
        return names;
      });
      expect(await look(envelope.id ?? "", name)).toBe(true);
      spy.mockRestore();
    }
  },
);
