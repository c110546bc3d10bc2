import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  fakeBus,
  filesIn,
  pathIn,
  realBus,
  snapshotOf,
  programs,
  startChild,
  TemporaryHome,
} from "../../../test/bus-kit.ts";
import { inBothWays } from "../../files/both-ways.suite.ts";
import { Refusal } from "../../protocol/errors.ts";
import { readJournal, journalName } from "./bus-journal.ts";
import { send } from "./send.ts";

const refusalFrom = (act: () => unknown): Refusal => {
  try {
    act();
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  throw new Error("nothing was refused");
};

inBothWays(() => {
  describe("sending", () => {
    test("puts one file with the whole envelope into the inbox, private, and leaves nothing else", () => {
      using home = new TemporaryHome();
      const sent = send(fakeBus(home.path), { from: "agent1", to: "agent2", text: "hello", thread: "t" });
      expect(filesIn(home.path, "agent2", "inbox")).toEqual([sent.name]);
      const path = pathIn(home.path, "agent2", "inbox", sent.name);
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(sent.envelope as never);
      expect(sent.envelope).toMatchObject({ from: "agent1", to: "agent2", text: "hello", thread: "t" });
      expect(sent.envelope.id).toMatch(/^msg_/);
      expect(lstatSync(path).mode & 0o777).toBe(0o600);
      expect(lstatSync(join(path, "../..")).mode & 0o777).toBe(0o700);
      expect(lstatSync(path).nlink).toBe(1);
    });

    test("sends half a character as a replacement character: nobody could sign the half", () => {
      using home = new TemporaryHome();
      const bus = {
        ...fakeBus(home.path),
        sign: ({ text }: { text: string }) => (text.isWellFormed() ? "a".repeat(86) : undefined),
      };
      const { envelope } = send(bus as never, { from: "agent1", to: "agent2", text: "half \ud800 a character" });
      expect(envelope).toMatchObject({ text: "half \ufffd a character", sig: "a".repeat(86) });
    });

    test("names the file by time, process, chance, sequence and sender", () => {
      using home = new TemporaryHome();
      const bus = fakeBus(home.path);
      const { name } = send(bus, { from: "agentcron", to: "agent2", text: "x" });
      expect(name).toMatch(/^\d{20}-\d{10}-[0-9a-f]{8}-\d{10}-from-agentcron\.json$/);
      expect(Number(name.slice(21, 31))).toBe(process.pid);
    });

    test("keeps a sender's order though the clock jumps back within a process", () => {
      using home = new TemporaryHome();
      const bus = fakeBus(home.path);
      const sent = [0, 1, 2, 3, 4].map((index) => {
        bus.clock.jumpTo(Date.UTC(2026, 0, 2) - index * 60_000);
        return send(bus, { from: "agent1", to: "agent2", text: String(index) }).name;
      });
      expect(sent.toSorted()).toEqual(sent);
    });

    test("keeps a sender's order across its processes by the last name it used", async () => {
      using home = new TemporaryHome();
      const hourAhead = BigInt(Date.now() + 3_600_000) * 1_000_000n;
      mkdirSync(join(home.path, "channels/last-sent"), { recursive: true });
      writeFileSync(join(home.path, "channels/last-sent/agent1"), String(hourAhead).padStart(20, "0"));
      const child = startChild(programs.sendOne, [home.path, "agent1", "agent2", "later"]);
      expect(await child.exited).toBe(0);
      const [name = ""] = filesIn(home.path, "agent2", "inbox");
      expect(BigInt(name.slice(0, 20))).toBe(hourAhead + 1n);
    });

    test("does not believe a last name that is days ahead, or no number", () => {
      for (const mark of ["99999999999999999999", "not a number at all!"]) {
        using home = new TemporaryHome();
        const bus = fakeBus(home.path);
        mkdirSync(join(home.path, "channels/last-sent"), { recursive: true });
        writeFileSync(join(home.path, "channels/last-sent/agent1"), mark);
        const { name } = send(bus, { from: "agent1", to: "agent2", text: "x" });
        expect(Number(BigInt(name.slice(0, 20)) / 1_000_000n) - bus.clock.nowMs()).toBeLessThan(86_400_000);
      }
    });

    test("is recorded, with a body cut short but its size told", () => {
      using home = new TemporaryHome();
      const bus = fakeBus(home.path);
      const sent = send(bus, { from: "agent1", to: "agent2", text: "é".repeat(5000) });
      expect(sent.recorded).toBe(true);
      const { records } = readJournal(bus, journalName(bus.clock.nowMs()), 0);
      expect(records).toHaveLength(1);
      expect(records[0]).toMatchObject({ state: "sent", to: "agent2", name: sent.name, textBytes: 10_000 });
      expect(records[0]?.envelope?.text).toHaveLength(2048);
    });

    test("takes a new name when one is taken, and gives up after eight", () => {
      using home = new TemporaryHome();
      const bus = fakeBus(home.path, { random: { bytes: (count) => new Uint8Array(count), fraction: () => 0 } });
      const first = send(bus, { from: "agent1", to: "agent2", text: "x" }).name;
      const later = (by: number): string =>
        [
          String(BigInt(first.slice(0, 20)) + BigInt(by)).padStart(20, "0"),
          first.slice(21, 31),
          "00000000",
          String(Number(first.slice(41, 51)) + by).padStart(10, "0"),
          "from-agent1.json",
        ].join("-");
      for (let by = 1; by <= 3; by++) writeFileSync(pathIn(home.path, "agent2", "inbox", later(by)), "taken");
      expect(send(bus, { from: "agent1", to: "agent2", text: "x" }).name).toBe(later(4));
      for (let by = 5; by <= 12; by++) writeFileSync(pathIn(home.path, "agent2", "inbox", later(by)), "taken");
      const before = filesIn(home.path, "agent2", "inbox");
      const refusal = refusalFrom(() => send(bus, { from: "agent1", to: "agent2", text: "x" }));
      expect(refusal.code).toBe("bus.not-sent");
      expect(filesIn(home.path, "agent2", "inbox")).toEqual(before);
    });
  });

  const checkRefused = (name: string, draft: Record<string, unknown>, code: string): void => {
    test(`${name} with ${code}, and writes nothing`, () => {
      using home = new TemporaryHome();
      const whole = { from: "agent1", to: "agent2", text: "x", ...draft } as Parameters<typeof send>[1];
      expect(refusalFrom(() => send(fakeBus(home.path), whole)).code).toBe(code as never);
      expect(snapshotOf(home.path)).toEqual({});
    });
  };

  describe("sending refuses", () => {
    checkRefused("a receiver that is a path", { to: "../../x" }, "bus.bad-agent-id");
    checkRefused("a sender that is no agent", { from: "owner" }, "bus.bad-agent-id");
    checkRefused("a body over 1 MiB", { text: "x".repeat(1024 * 1024 + 1) }, "bus.too-large");
    checkRefused("a wrapper token", { text: "</constel-message>" }, "bus.wrapper-token");
    checkRefused("a text that is none", { text: 7 }, "bus.bad-json");
    checkRefused("a label with a line break", { thread: "a\nb" }, "bus.bad-json");

    test("a link in place of the inbox, and nothing lands behind it", () => {
      using home = new TemporaryHome();
      using elsewhere = new TemporaryHome();
      mkdirSync(join(home.path, "channels/agent/agent2"), { recursive: true });
      symlinkSync(elsewhere.path, join(home.path, "channels/agent/agent2/inbox"));
      const refusal = refusalFrom(() => send(realBus(home.path), { from: "agent1", to: "agent2", text: "x" }));
      expect(refusal.code).toBe("path.symlink");
      expect(snapshotOf(elsewhere.path)).toEqual({});
    });

    test("when something that is no directory stands where the inbox should be", () => {
      using home = new TemporaryHome();
      mkdirSync(join(home.path, "channels/agent/agent2"), { recursive: true });
      writeFileSync(join(home.path, "channels/agent/agent2/inbox"), "");
      expect(refusalFrom(() => send(realBus(home.path), { from: "agent1", to: "agent2", text: "x" })).code).toBe(
        "bus.not-sent",
      );
    });

    test("when the disk takes only a part of the message, and leaves nothing half done", async () => {
      using home = new TemporaryHome();
      // A limit on the size of files acts as a full disk does: the write comes up short, then fails.
      const child = startChild(programs.sendOne, [home.path, "agent1", "agent2", "@100000"], { fileLimitKiB: 8 });
      expect(await new Response(child.stdout).text()).toBe("bus.not-sent EFBIG\n");
      expect(filesIn(home.path, "agent2", "inbox")).toEqual([]);
    });

    test("when the inbox may not be written, and leaves nothing half done", async () => {
      using home = new TemporaryHome();
      send(realBus(home.path), { from: "agent1", to: "agent2", text: "x" });
      const inbox = join(home.path, "channels/agent/agent2/inbox");
      const before = snapshotOf(join(home.path, "channels/agent"));
      chmodSync(inbox, 0o500);
      // Permissions bind everybody but root, so as root the child becomes somebody else.
      const user = process.getuid?.() === 0 ? ["65534"] : [];
      for (const path of user.length > 0 ? [home.path, ...Object.keys(snapshotOf(home.path))] : []) {
        chownSync(path, 65534, 65534);
      }
      const child = startChild(programs.sendOne, [home.path, "agent1", "agent2", "y", ...user]);
      const said = await new Response(child.stdout).text();
      chmodSync(inbox, 0o700);
      expect(said).toBe("bus.not-sent EACCES\n");
      expect(snapshotOf(join(home.path, "channels/agent"))).toEqual(before);
    });
  });
});
