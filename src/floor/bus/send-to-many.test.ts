import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../host/clock/system-clock.ts";
import { RecordingDisk } from "../../files/recording-disk.suite.ts";
import { fakeBus, filesIn, pathIn, programs, realBus, startChild, TemporaryHome } from "../../../test/bus-kit.ts";
import { readJournal, journalName } from "./bus-journal.ts";
import { drain } from "./drain.ts";
import { sendToManySteps } from "./kill-points.ts";
import { finishingToMany, finishToMany, sendToMany } from "./send-to-many.ts";
import { settle } from "./settle.ts";

const three = ["agent1", "agent2", "agent3"];
const draft = { from: "agent0", text: "main moved" };

const left = (home: string): string[] => readdirSync(join(home, "channels/to-many"));

describe("a message to many", () => {
  test("is in every inbox under one id, and each receiver sees it once", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const sent = sendToMany(bus, draft, [...three, "agent2"]);
    expect(sent).toEqual({ state: "sent", id: sent.id, to: three, late: [] });
    for (const agent of three) {
      const { messages } = await drain(bus, agent);
      expect(messages.map(({ envelope }) => [envelope.id, envelope.text])).toEqual([[sent.id, "main moved"]]);
      settle(bus, agent, messages, "acked");
      expect((await drain(bus, agent)).messages).toEqual([]);
    }
    bus.clock.advance(60_000);
    expect(finishToMany(bus)).toBe(1);
    const { records } = readJournal(bus, journalName(bus.clock.nowMs()), 0);
    expect(records.filter(({ state }) => state === "sent").map(({ to }) => to)).toEqual(three);
    expect(left(home.path)).toEqual([]);
  });

  test("is one durable step, however many there are: one file and one directory are put on the disk", () => {
    using home = new TemporaryHome();
    const syncs = (count: number): number => {
      const disk = new RecordingDisk();
      const to = Array.from({ length: count }, (_, at) => `agent${at + 1}`);
      sendToMany(fakeBus(home.path, { disk }), draft, to);
      return disk.done.filter((event) => event.startsWith("sync")).length;
    };
    expect([syncs(2), syncs(50)]).toEqual([2, 2]);
  });

  test("is made to last one receiver at a time, so that others have their turn between two waits for the disk", () => {
    using home = new TemporaryHome();
    const disk = new RecordingDisk();
    const bus = fakeBus(home.path, { disk });
    sendToMany(bus, draft, three);
    bus.clock.advance(60_000);
    const syncs = (): number => disk.done.filter((event) => event.startsWith("sync")).length;
    const steps: number[] = [];
    let before = syncs();
    for (const _ of finishingToMany(bus)) {
      steps.push(syncs() - before);
      before = syncs();
    }
    expect(steps).toEqual([1, 1, 1]);
    expect(left(home.path)).toEqual([]);
  });

  test("stays when the power goes: names that were lost are made again, and none is made twice", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    sendToMany(bus, draft, three);
    const { messages } = await drain(fakeBus(home.path, { liveness: living }), "agent2");
    settle(bus, "agent2", messages, "acked");
    // Names that were not synced are gone.
    rmSync(pathIn(home.path, "agent1", "inbox", ""), { recursive: true });
    mkdirSync(pathIn(home.path, "agent1", "inbox", ""));
    bus.clock.advance(60_000);
    expect(finishToMany(bus)).toBe(1);
    for (const [agent, count] of [
      ["agent1", 1],
      ["agent2", 0],
      ["agent3", 1],
    ] as const)
      expect((await drain(bus, agent)).messages).toHaveLength(count);
    expect(finishToMany(bus)).toBe(0);
  });

  test("whose sender died on the way reaches who asks at once, and once", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    sendToMany(bus, draft, three);
    rmSync(pathIn(home.path, "agent1", "inbox", ""), { recursive: true });
    expect((await drain(bus, "agent1")).messages).toHaveLength(1);
    for (const agent of three) expect((await drain(bus, agent)).messages).toHaveLength(agent === "agent1" ? 0 : 1);
    bus.clock.advance(60_000);
    expect(finishToMany(bus)).toBe(1);
    expect((await drain(bus, "agent1")).messages).toEqual([]);
  });

  test("waits for an inbox that cannot be used, and reaches the others meanwhile", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    mkdirSync(join(home.path, "channels/agent/agent2"), { recursive: true });
    symlinkSync("/tmp", join(home.path, "channels/agent/agent2/inbox"));
    expect(sendToMany(bus, draft, three).late).toEqual(["agent2"]);
    bus.clock.advance(60_000);
    expect(finishToMany(bus)).toBe(0);
    expect(left(home.path).filter((file) => file.endsWith(".left"))).toHaveLength(1);
    const { messages } = await drain(bus, "agent3");
    expect(messages).toHaveLength(1);
    settle(bus, "agent3", messages, "acked");
    // Swept long ago: it must not come a second time.
    for (const room of ["done", "seen"] as const)
      rmSync(join(home.path, "channels/agent/agent3", room), { recursive: true });
    expect(finishToMany(bus)).toBe(0);
    expect((await drain(bus, "agent3")).messages).toEqual([]);
    rmSync(join(home.path, "channels/agent/agent2/inbox"));
    expect((await drain(bus, "agent2")).messages).toHaveLength(1);
    expect(left(home.path)).toEqual([]);
  });

  test("that has its name is sent, though no mailbox can be reached at all", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    mkdirSync(join(home.path, "channels"));
    symlinkSync("/tmp", join(home.path, "channels/agent"));
    expect(sendToMany(bus, draft, three).late).toEqual(three);
    rmSync(join(home.path, "channels/agent"));
    for (const agent of three) expect((await drain(bus, agent)).messages).toHaveLength(1);
  });

  test("is noted in one line, of which its receivers are read and nobody else", () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    sendToMany(bus, draft, three);
    const file = join(home.path, "logs", journalName(bus.clock.nowMs()));
    const [line = "", ...more] = readFileSync(file, "utf8").split("\n").filter(Boolean);
    expect(more).toEqual([]);
    const noted = JSON.parse(line) as object;
    writeFileSync(file, `${JSON.stringify({ ...noted, to: ["agent1", "../x", 7] })}\n`);
    appendFileSync(file, `${JSON.stringify({ ...noted, state: "acked", to: three })}\n`);
    appendFileSync(file, `${JSON.stringify({ ...noted, to: 7 })}\n`);
    const { records } = readJournal(bus, journalName(bus.clock.nowMs()), 0);
    expect(records.map(({ state, to }) => [state, to])).toEqual([["sent", "agent1"]]);
  });

  test("refuses a receiver that is none before anything is written", () => {
    using home = new TemporaryHome();
    expect(() => sendToMany(fakeBus(home.path), draft, ["agent1", "../x"])).toThrow("not an agent id");
    expect(filesIn(home.path, "agent1", "inbox")).toEqual([]);
  });

  test("lists that agents planted send nothing anywhere else and stop nobody", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    sendToMany(bus, draft, three);
    const lists = join(home.path, "channels/to-many");
    const [name = ""] = left(home.path);
    const by = { pid: 1, token: "x" };
    writeFileSync(join(lists, "x"), "{");
    writeFileSync(join(lists, `${name}.left`), "{");
    writeFileSync(join(lists, name.replace("agent0", "agent7")), JSON.stringify({ receivers: ["../../etc"], by }));
    writeFileSync(join(lists, name.replace("agent0", "agent6")), JSON.stringify({ receivers: "agent1", by: 1 }));
    symlinkSync("/etc/passwd", join(lists, name.replace("agent0", "agent8")));
    expect((await drain(bus, "agent1")).messages).toHaveLength(1);
    expect(readFileSync("/etc/passwd", "utf8")).not.toBe("");
  });
});

const living = { self: () => ({ pid: 1, token: "other" }), isProvenDead: () => false };

describe("a sender to many killed at", () => {
  for (const name of sendToManySteps) {
    test(`${name} has sent it to all or to nobody, and to each once in the end`, async () => {
      using place = new TemporaryHome();
      const home = join(place.path, "home");
      const notes = join(place.path, "notes");
      mkdirSync(notes);
      const run = async (killAt: string): Promise<number | string | null> => {
        const child = startChild(programs.stormChild, ["send-to-many", home, notes, "agent0", "2", "3"], {
          env: { CONSTEL_KILL_AT: killAt },
        });
        await child.exited;
        return child.signalCode ?? child.exitCode;
      };
      expect(await run(`${name}:2`)).toBe("SIGKILL");
      const bus = realBus(home, { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + 60_000 } });
      finishToMany(bus);
      const counts = three.map((agent) => filesIn(home, agent, "inbox").length);
      expect(new Set(counts).size).toBe(1);
      expect(await run("")).toBe(0);
      for (const agent of three) {
        const { messages } = await drain(bus, agent);
        expect(messages.map(({ envelope }) => envelope.id)).toEqual(["agent0-0", "agent0-1"]);
      }
      finishToMany(bus);
      expect(left(home)).toEqual([]);
    });
  }
});
