// cron.toml and the files of loops: what is read, what is refused and on which line, and edits that leave the rest alone.

import { describe, expect, test } from "bun:test";
import type { Refusal } from "../../protocol/errors.ts";
import { parseCronFile, printCronEntry, withCronEntry, withoutCronEntry } from "./cron-file.ts";
import { parseLoopFile, printLoopFile } from "./loop-file.ts";
import { randomFrom } from "./random.suite.ts";
import type { Action, CronEntry } from "./schedule.ts";

const written = `# What happens at night.

[[cron]]
label = "critique"   # before anybody is up
schedule = "30  2 * * MON-FRI"
zone = "Europe/Berlin"
agent = "agent0"
prompt = """
[[cron]]
label = "not an entry"
"""

# Lands what is ready.
[[cron]]
label = "harvest"
schedule = "0 7 * * *"
verb = ["task", "harvest", "--all"]
overlap = "skip"
jitter_seconds = 300
paused = true
`;

const says = (read: () => unknown): string => {
  try {
    read();
  } catch (cause) {
    const { code, message } = cause as Refusal;
    return `${code} ${message}`;
  }
  return "accepted";
};

describe("cron.toml", () => {
  test("holds entries", () => {
    expect(parseCronFile(written, "cron.toml")).toEqual([
      {
        label: "critique",
        schedule: "30 2 * * MON-FRI",
        zone: "Europe/Berlin",
        action: { agent: "agent0", prompt: '[[cron]]\nlabel = "not an entry"\n' },
        overlap: "queue",
        jitterMs: 0,
        paused: false,
      },
      {
        label: "harvest",
        schedule: "0 7 * * *",
        zone: "UTC",
        action: { verb: ["task", "harvest", "--all"] },
        overlap: "skip",
        jitterMs: 300_000,
        paused: true,
      },
    ]);
    expect(parseCronFile("", "cron.toml")).toEqual([]);
  });

  test.each([
    [
      written.replace('zone = "Europe/Berlin"', 'zone = "Europe/Atlantis"'),
      'malformed cron.toml:6: there is no time zone "Europe',
    ],
    [written.replace("0 7 * * *", "0 7 L * *"), 'malformed cron.toml:16: the schedule "0 7 L * *" cannot be used'],
    [written.replace("0 7 * * *", "0 7 31 2 *"), "malformed cron.toml:16: the schedule"],
    [written.replace('overlap = "skip"', 'overlap = "drop"'), "malformed cron.toml:18: overlap must be queue, skip or"],
    [written.replace("overlap", "overlaps"), "unknown-key cron.toml:18: there is no overlaps"],
    [
      written.replace('label = "harvest"', 'label = "critique"'),
      "malformed cron.toml:15: the label critique is there twice",
    ],
    [written.replace('label = "harvest"', 'label = "../x"'), "malformed cron.toml:15: label must be lowercase"],
    [written.replace('label = "harvest"\n', ""), "malformed cron.toml:14: label is missing"],
    [written.replace("300", '"300"'), "malformed cron.toml:19: jitter_seconds must be a whole number"],
    [written.replace("300", "-1"), "malformed cron.toml:19: jitter_seconds must be a whole number"],
    [written.replace("paused = true", "paused = 1"), "malformed cron.toml:20: paused must be true or false"],
    [written.replace('["task", "harvest", "--all"]', '"task harvest"'), "malformed cron.toml:17: verb must be a list"],
    [written.replace('["task", "harvest", "--all"]', "[]"), "malformed cron.toml:17: verb must be a list"],
    [written.replace('"--all"]', '"--all"]\nprompt = "x"'), "malformed cron.toml:17: either verb, or agent and prompt"],
    [written.replace('agent = "agent0"', 'agent = "root"'), "malformed cron.toml:7: agent must be an agent's name"],
    [written.replace('agent = "agent0"', "agent = 0"), "malformed cron.toml:7: agent must be text in quotes"],
    [`${written}\n[other]\nx = 1\n`, "unknown-key cron.toml:22: there is no other"],
    [written.replace('zone = "Europe/Berlin"', 'zone = "Europe/Berlin'), "malformed cron.toml:6: "],
    ["cron = 3", "malformed cron.toml:1: cron must be tables"],
    ["[cron]\nlabel = 'x'", "malformed cron.toml:1: cron must be tables"],
  ])("is refused with its line (%#)", (text, expected) => {
    expect(says(() => parseCronFile(text, "cron.toml"))).toStartWith(`config.${expected}`);
  });

  test("keeps its comments and other entries when one is changed, added or removed", () => {
    const [critique, harvest] = parseCronFile(written, "cron.toml");
    if (critique === undefined || harvest === undefined) throw new Error("two entries were written");
    const changed = withCronEntry(written, "cron.toml", { ...critique, paused: true });
    expect(parseCronFile(changed, "cron.toml")).toEqual([{ ...critique, paused: true }, harvest]);
    expect(changed).toStartWith("# What happens at night.\n\n[[cron]]\n");
    expect(changed).toContain("\n\n# Lands what is ready.\n[[cron]]\n");
    const added = withCronEntry(written, "cron.toml", { ...harvest, label: "noon" });
    expect(added).toStartWith(written);
    expect(parseCronFile(added, "cron.toml").map(({ label }) => label)).toEqual(["critique", "harvest", "noon"]);
    expect(withoutCronEntry(added, "cron.toml", "noon")?.trimEnd()).toBe(written.trimEnd());
    expect(parseCronFile(withoutCronEntry(written, "cron.toml", "harvest") ?? "", "cron.toml")).toEqual([critique]);
    expect(withoutCronEntry(written, "cron.toml", "nobody")).toBeUndefined();
    expect(
      says(() => withCronEntry(`cron = [{label = "a", schedule = "* * * * *", verb = ["status"]}]`, "c", harvest)),
    ).not.toBe("accepted");
  });

  test("reads back whatever it prints", () => {
    const random = randomFrom("cron.toml");
    let text = "";
    const entries: CronEntry[] = [];
    for (let at = 0; at < 60; at++) {
      const entry: CronEntry = {
        label: `e${at}`,
        schedule: "*/5 * * * *",
        zone: "Asia/Kolkata",
        action: randomAction(random),
        overlap: random() < 0.5 ? "replace" : "queue",
        jitterMs: Math.floor(random() * 60) * 1000,
        paused: random() < 0.5,
      };
      text = withCronEntry(text, "cron.toml", entry);
      entries.push(entry);
    }
    expect(parseCronFile(text, "cron.toml")).toEqual(entries);
    expect(text).toContain(printCronEntry(entries[7] as CronEntry));
  });
});

const pieces = ['"', "'", "\\", "\n", "\t", '"""', "'''", "[[cron]]", "# x", "\u007f", "\u0001", "é", "🌌", " = ", "a"];

function randomAction(random: () => number): Action {
  const text = (): string =>
    `x${Array.from({ length: 6 }, () => pieces[Math.floor(random() * pieces.length)]).join("")}`;
  const plain = (): string => text().replaceAll(/\p{Cc}/gu, " ");
  return random() < 0.5 ? { agent: "agent3", prompt: text() } : { verb: ["task", plain(), plain()] };
}

const loopText = `id = "green-gate"
agent = "agent1"
prompt = "make the gate green"
until = "bun test"
created = "2026-11-15T22:00:00Z"

[state]
fired = 3
next = "2026-11-15T22:40:00.000Z"
last = "2026-11-15T22:15:00.000Z"
`;

describe("a loop's file", () => {
  test("holds the loop and how it stands", () => {
    const at = (text: string): number => Date.parse(`2026-11-15T${text}:00Z`);
    expect(parseLoopFile(loopText, "loop.toml")).toEqual({
      loop: {
        id: "green-gate",
        action: { agent: "agent1", prompt: "make the gate green" },
        until: "bun test",
        overlap: "queue",
        createdMs: at("22:00"),
        paused: false,
      },
      state: { fired: 3, nextMs: at("22:40"), firedMs: at("22:15"), unanswered: 0 },
    });
  });

  test.each([
    [loopText.replace("until", "untill"), "unknown-key loop.toml:4: there is no untill"],
    [loopText.replace("fired = 3", "fired = -3"), "malformed loop.toml:8: fired must be a whole number"],
    [loopText.replace("fired = 3\n", ""), "malformed loop.toml:7: fired is missing"],
    [
      loopText.replace('next = "2026-11-15T22:40:00.000Z"', "next = 2026-11-15T22:40:00"),
      "malformed loop.toml:9: next must be text",
    ],
    [loopText.replace("22:40:00.000Z", "22:40:00"), "malformed loop.toml:9: next must be a time in UTC"],
    [loopText.replace("[state]", "[stat]"), "unknown-key loop.toml:7: there is no stat"],
    [
      loopText.replace('until = "bun test"', "every_seconds = 30"),
      "malformed loop.toml:4: every_seconds must be a whole number from 60",
    ],
    [loopText.replace('until = "bun test"', 'until = " "'), "malformed loop.toml:4: until is empty"],
    [`${loopText}ended = "2026-11-15T23:00:00Z"\n`, "malformed loop.toml:7: why must be one of"],
    [loopText.replace("green-gate", "Green Gate"), "malformed loop.toml:1: id must be lowercase"],
  ])("is refused with its line (%#)", (text, expected) => {
    expect(says(() => parseLoopFile(text, "loop.toml"))).toStartWith(`config.${expected}`);
  });

  test("reads back whatever it prints", () => {
    const random = randomFrom("loop.toml");
    for (let round = 0; round < 100; round++) {
      const file = {
        loop: {
          id: `l${round}`,
          action: randomAction(random),
          ...(random() < 0.5 ? { everyMs: 600_000 } : {}),
          ...(random() < 0.5 ? { until: 'test -e "a b"' } : {}),
          ...(random() < 0.5 ? { most: 4 } : {}),
          overlap: "skip" as const,
          createdMs: 1_794_000_000_000,
          paused: random() < 0.5,
        },
        state: {
          fired: round,
          nextMs: 1_794_000_000_123,
          unanswered: random() < 0.5 ? 2 : 0,
          ...(random() < 0.5 ? { firedMs: 1_794_000_000_001 } : {}),
          ...(random() < 0.5
            ? { ended: { atMs: 1_794_000_000_002, why: "until" as const, says: 'a "quoted"\nend' } }
            : {}),
        },
      };
      expect(parseLoopFile(printLoopFile(file), "loop.toml")).toEqual(file);
    }
  });
});

test("spoiled files are read or refused, and nothing else happens", () => {
  const random = randomFrom("spoiled");
  const upTo = (count: number): number => Math.floor(random() * count);
  const spoilers = [
    ...pieces,
    "[",
    "]",
    "=",
    "{",
    "}",
    "0",
    "-1",
    "1e400",
    "2026-01-01",
    "true",
    ".",
    ",",
    "\u0000",
    "\uFEFF",
    "\r",
  ];
  for (let round = 0; round < 2000; round++) {
    let text = random() < 0.5 ? written : loopText;
    for (let times = 1 + upTo(4); times > 0; times--) {
      const at = upTo(text.length + 1);
      text = text.slice(0, at) + (spoilers[upTo(spoilers.length)] ?? "") + text.slice(at + upTo(6));
    }
    for (const read of [parseCronFile, parseLoopFile]) {
      expect(says(() => read(text, "x.toml"))).toMatch(
        /^(?:accepted$|config\.(?:malformed|unknown-key) x\.toml:\d+: )/,
      );
    }
  }
}, 120_000);
