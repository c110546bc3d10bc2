// A process of the real code is killed at each step of sending and receiving in turn, then the work goes on. Nothing may be
// lost, seen twice or seen half.

import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, pathIn, realBus, programs, startChild, TemporaryHome } from "../../../test/bus-kit.ts";
import { drain } from "./drain.ts";
import { poisonSteps, receiveSteps, sendSteps } from "./kill-points.ts";
import { makeMessageName } from "./message-name.ts";
import { listPoison } from "./poison.ts";

/** Three messages from agent0 to agent1. */
class Story {
  readonly #place = new TemporaryHome();
  readonly home = join(this.#place.path, "home");
  readonly #notes = join(this.#place.path, "notes");

  constructor() {
    mkdirSync(this.#notes);
    writeFileSync(join(this.#notes, "stop"), "");
  }

  /** Runs the child and says how it ended: its exit code, or the signal. */
  async run(mode: "send" | "receive", killAt = "", directly = ""): Promise<number | string | null> {
    const args = mode === "send" ? ["agent0", "3", "2"] : ["agent1"];
    const child = startChild(programs.stormChild, [mode, this.home, this.#notes, ...args], {
      env: { CONSTEL_KILL_AT: killAt, BUS_DIRECTLY: directly },
    });
    await child.exited;
    return child.signalCode ?? child.exitCode;
  }

  seen(): string {
    return readFileSync(join(this.#notes, "seen-agent1"), "utf8");
  }

  [Symbol.dispose](): void {
    this.#place[Symbol.dispose]();
  }
}

const everything = "agent0-0\nagent0-1\nagent0-2\n";

for (const directly of ["", "1"]) {
  describe(`a sender${directly === "" ? "" : " that asks the system itself"} killed at`, () => {
    // One call gives the file its name there, so that it never has two.
    for (const name of sendSteps.filter((name) => directly === "" || name !== "bus.send.linked")) {
      test(`${name} has sent the message whole or not at all, and once in the end`, async () => {
        using story = new Story();
        expect(await story.run("send", `${name}:2`, directly)).toBe("SIGKILL");
        for (const file of filesIn(story.home, "agent1", "inbox").filter((file) => !file.startsWith("."))) {
          expect(JSON.parse(readFileSync(pathIn(story.home, "agent1", "inbox", file), "utf8"))).toHaveProperty("text");
        }
        expect(await story.run("send", "", directly)).toBe(0);
        expect(await story.run("receive", "", directly)).toBe(0);
        expect(story.seen()).toBe(everything);
      });
    }
  });
}

describe("a receiver killed at", () => {
  for (const name of receiveSteps) {
    const once = /listed|synced|recorded/.test(name);
    test(`${name} leaves its messages to the next, which sees each once and in order`, async () => {
      using story = new Story();
      expect(await story.run("send")).toBe(0);
      expect(await story.run("receive", once ? name : `${name}:2`)).toBe("SIGKILL");
      expect(await story.run("receive")).toBe(0);
      expect(story.seen()).toBe(everything);
      expect(filesIn(story.home, "agent1", "done")).toHaveLength(3);
    });
  }
});

describe("a receiver killed while it puts a message aside, at", () => {
  for (const name of poisonSteps) {
    test(`${name} leaves it to the next, and the reason is there`, async () => {
      using story = new Story();
      expect(await story.run("send")).toBe(0);
      const bus = realBus(story.home);
      writeFileSync(pathIn(story.home, "agent1", "inbox", makeMessageName(bus, 1, "agent5").name), "{");
      expect(await story.run("receive", name)).toBe("SIGKILL");
      expect(await story.run("receive")).toBe(0);
      expect(story.seen()).toBe(everything);
      expect((await drain(bus, "agent1")).messages).toEqual([]);
      expect(listPoison(bus, "agent1").map((entry) => entry.reason?.code)).toEqual(["bus.bad-json"]);
    });
  }
});
