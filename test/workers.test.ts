// Workers: woken by what concerns them, asked once, answering once. Stories on the real program, with a script as the worker's program; the
// real ones are in test/lanes/runtimes.

import { describe, expect, test } from "bun:test";
import { send } from "../src/floor/bus/send.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { busTrust } from "../src/host/keys/bus-trust.ts";
import { signingKey } from "../src/host/keys/key-files.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import { until } from "./kit/home.ts";
import { WorkersHome } from "./kit/workers-home.ts";

describe("a worker is woken", () => {
  test("by a message, which it answers once; the sender's wait returns, and messages that come together are one turn", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    await at.json(["worker", "stop", "one"]);
    const ids = [await at.send("agentwone", "how many files?"), await at.send("agentwone", "and how many lines?")];
    expect(at.turns("one")).toEqual([]);
    await at.start("one");
    for (const id of ids) await at.answered(id);
    await at.becomes("one", "waiting", 1);
    expect(at.turns("one")).toHaveLength(1);
    const states = at.query("select state from messages where receiver = 'agentwone'");
    expect(states).toEqual([{ state: "acked" }, { state: "acked" }]);
    const said = await at.json<{ turns: { answer: string; causes: { from: string }[] }[] }>(["worker", "show", "one"]);
    expect(said.turns[0]?.answer).toContain("how many files? / and how many lines?");
    expect(said.turns[0]?.causes.map(({ from }) => from)).toEqual(["agentowner", "agentowner"]);

    const next = await at.send("agentwone", "and now?");
    const waited = await at.json<{ text: string }>(["channel", "wait", next]);
    expect(JSON.stringify(waited)).toContain("heard: and now?");
    await at.becomes("one", "waiting", 2);
    const [before, after] = at.turns("one");
    // Its own conversation goes on, in a program of its own for each turn.
    expect(after?.session).toBe(before?.session ?? "");
    expect(after?.pid).not.toBe(before?.pid);
  });

  test("and not by a thousand pieces of information, which it is told of beside what wakes it", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    signingKey(at.home, "agent2", systemClock);
    const keys = busTrust(at.home, systemClock, () => "agent2");
    const bus = { home: at.home, clock: systemClock, random: systemRandom, liveness: systemLiveness, ...keys };
    for (let n = 0; n < 1_000; n += 1)
      send(bus, { from: "agent2", to: "agentwone", kind: "event.note", text: `news ${n}` });
    await until(
      "all of them are on record",
      () => at.query("select count(*) as n from messages where receiver = 'agentwone'")[0]?.["n"],
      (n) => n === 1_000,
    );
    expect(at.worker("one")).toMatchObject({ wake_seq: 0, turns: 0, state: "waiting" });
    expect(at.query("select * from timeline where type = 'worker.woken'")).toEqual([]);
    const id = await at.send("agentwone", "what is new?");
    await at.becomes("one", "waiting", 1);
    expect(at.turns("one")).toHaveLength(1);
    // What woke it comes first; of the rest as much as fits, and the others wait for its next turn.
    expect(at.turns("one")[0]?.text).toContain("| what is new?\n");
    expect(at.turns("one")[0]?.text).toContain("| news 0\n");
    expect(at.turns("one")[0]?.text).not.toContain("| news 999\n");
    expect(await at.answered(id)).toHaveLength(1);
  });

  test("and its answer arrives whatever it quotes: a tag of machine-written context is none any more, and a secret is left out", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    const id = await at.send("agentwone", "quote a tag and a secret");
    const [answer] = await at.answered(id);
    expect(answer?.["text"]).toContain("‹tool_use_error>Error: No such tool‹/tool_use_error>");
    const shown = JSON.stringify([
      answer,
      await at.json(["worker", "show", "one"]),
      at.query("select * from worker_log"),
    ]);
    expect(shown).not.toContain("ghp_");
  });

  test("and two of them that write to each other come to an end by themselves, and by a guard", async () => {
    await using at = new WorkersHome();
    await at.start("one", "--turns-per-hour", "5");
    await at.start("two", "--turns-per-hour", "5");
    await at.send("agentwone", "write to agentwtwo");
    await at.becomes("one", "parked");
    expect(at.turns("one").length).toBeLessThanOrEqual(5);
    expect(at.turns("two").length).toBeLessThanOrEqual(5);
    // Nobody answers an answer: between two questions lies one of each.
    const answers = at.query("select count(*) as n from messages where kind = 'answer' and receiver like 'agentw%'")[0];
    expect(Number(answers?.["n"])).toBeLessThanOrEqual(10);
  });

  test("by a schedule; a message that does not wake it is read and answered in that turn", async () => {
    await using at = new WorkersHome();
    await at.start("one", "--wakes-on", "schedule");
    const id = await at.send("agentwone", "a message is not what wakes it");
    await at.json(["loop", "create", "1m", "agentwone", "look around"]);
    await at.becomes("one", "waiting", 1);
    expect(at.turns("one")[0]?.text).toContain("look around");
    expect(await at.answered(id)).toHaveLength(1);
  });
});
