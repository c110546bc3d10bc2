// Workers on the real programs: a message wakes one and is answered once, whatever is killed; what only informs asks no model; a worker that
// may only read goes on to be so in its resumed conversation. The model's own log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLaunch } from "../../../src/floor/agents/launch-files.ts";
import { send } from "../../../src/floor/bus/send.ts";
import { systemClock, systemRandom } from "../../../src/host/clock/system-clock.ts";
import { busTrust } from "../../../src/host/keys/bus-trust.ts";
import { signingKey } from "../../../src/host/keys/key-files.ts";
import { systemLiveness } from "../../../src/host/process/liveness.ts";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");

/** The shell, where a model that may only read is not even offered it. */
const shells: Readonly<Record<string, string>> = { claude: "Bash", opencode: "bash" };

const rules = (name: string) => ({
  default: { text: "default answer" },
  rules: [
    {
      name: "write",
      when: { ...(shells[name] === undefined ? {} : { offers: shells[name] }), prompt: "/please make (\\S+)/" },
      steps: [{ calls: [{ shell: "touch {{1}}" }] }, { text: "tried: {{result}}" }],
    },
    { name: "cannot", when: { prompt: "please make" }, reply: { text: "there is no tool for it" } },
    {
      name: "ask-two",
      when: { prompt: "ask the other one" },
      steps: [
        { calls: [{ shell: "constel channel send agentwtwo 'what is your answer' --thread t9" }] },
        { calls: [{ shell: "constel channel wait --thread t9 --timeout 90s" }] },
        { text: "it said: {{result}}" },
      ],
    },
    { name: "two", when: { prompt: "what is your answer" }, reply: { text: "forty-two" } },
    {
      name: "endless",
      when: { prompt: "/\\[constel:(\\S+)\\]\\s+You are (agentw\\w+)[\\s\\S]*go on for ever/" },
      steps: [
        { calls: [{ shell: "constel channel send {{2}} 'go on for ever, please'" }] },
        { text: "that was {{1}}, and it goes on" },
      ],
    },
    {
      name: "refused",
      when: { prompt: "refuse this" },
      reply: { error: { status: 400, type: "invalid_request_error", message: "no such thing" } },
    },
    { name: "words", when: { prompt: "/(\\w+) for (going|copied|anew)/" }, reply: { text: "{{1}} was heard" } },
    { name: "costly", when: { prompt: "use many tokens" }, reply: { text: "used", usage: { input: 9000, output: 9 } } },
    { name: "same", when: { prompt: "always the same" }, reply: { text: "the very same" } },
    { name: "late", when: { prompt: "never end" }, reply: { text: "late", hold: "never" } },
    { name: "held", when: { prompt: "take your time" }, reply: { text: "that took a while", hold: "while" } },
  ],
});

// These start slowly, so they run only in `bin/check --all`.
const isWhole = process.env["CONSTEL_CHECK_ALL"] === "yes";
const names = ["claude", "codex", ...(isWhole ? ["opencode", "qwen", "kimi"] : [])];

for (const runtime of runtimes.filter(({ name }) => names.includes(name))) {
  const { name } = runtime;
  const program = programOf(name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is no worker then.
    describe.skip(`${name}: SKIPPED, ${program.missing}`, () => {
      test("workers", () => {});
    });
    continue;
  }

  describe(`workers on ${name}`, () => {
    const slowMs = 120_000;
    let here: TaskLab;
    const tell = async (worker: string, text: string): Promise<string> => {
      const said = await here.constel("channel", "send", `agentw${worker}`, text, "--json");
      return (JSON.parse(said) as { id: string }).id;
    };
    const answers = (id: string) => here.query(`select text, sender from messages where in_reply_to = '${id}'`);
    const answered = (id: string) =>
      until(
        `${id} is answered`,
        () => answers(id),
        (rows) => rows.length > 0,
        slowMs,
      );
    const rests = (worker: string) =>
      until(
        `${worker} waits`,
        async () => (await here.query(`select state, woken_at, because from workers_now where name = '${worker}'`))[0],
        (row) => row?.["state"] === "waiting" && row["woken_at"] === null,
        slowMs,
      );
    const asked = async () => (await here.lab.model.requests()).filter(({ side }) => !side);

    beforeAll(async () => {
      here = await TaskLab.open(runtime, program.path, {
        slowMs,
        config: `${allAllowed}[workers]\ngather_seconds = 1\n`,
      });
      await here.lab.model.setRules(rules(name));
      await here.constel("daemon", "start");
      await here.constel("worker", "start", "one", "--type", name);
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      "a message wakes it, and the sender's wait returns; the next one goes on in the same conversation; its program ends with the turn",
      async () => {
        const first = await tell("one", "hello worker");
        expect(await here.constel("channel", "wait", first, "--timeout", "2m")).toContain("default answer");
        await rests("one");
        expect(await here.lab.model.saw(first)).toBe(1);
        await answered(await tell("one", "hello again"));
        await rests("one");
        // Beside its turns Qwen Code asks its model what to remember.
        const requests = (await asked()).filter(({ prompt }) => /hello (worker|again)/.test(prompt));
        expect(requests).toHaveLength(2);
        expect(JSON.stringify(requests[1]?.body)).toContain("hello worker");
        const [one, two] = await here.query("select session_id, answer, ok from worker_log order by turn");
        expect(two).toEqual({ ...one, ok: 1 });
        expect(programsOf(here, program.path)).toEqual([]);
        const shown = await here.says<{ turns: { context_tokens: number }[] }>("worker", "show", "one");
        expect(shown.turns).toHaveLength(2);
        // What the guard of a day's tokens goes by.
        await until(
          "its tokens are counted",
          () => here.query("select sum(input) as n from token_usage where agent = 'agentwone'"),
          ([row]) => Number(row?.["n"]) > 0,
          slowMs,
        );
      },
      slowMs * 2,
    );

    test(
      "a thousand pieces of information ask no model",
      async () => {
        const before = (await asked()).length;
        const home = here.lab.constel;
        signingKey(home, "agent2", systemClock);
        const keys = busTrust(home, systemClock, () => "agent2");
        const bus = { home, clock: systemClock, random: systemRandom, liveness: systemLiveness, ...keys };
        for (let n = 0; n < 1_000; n += 1)
          send(bus, { from: "agent2", to: "agentwone", kind: "event.note", text: `news ${n}` });
        await until(
          "they are all on record",
          () => here.query("select count(*) as n from messages where kind = 'event.note'"),
          ([row]) => row?.["n"] === 1_000,
          slowMs,
        );
        await rests("one");
        expect(await asked()).toHaveLength(before);
      },
      slowMs * 2,
    );

    test(
      "one answer when its program, its holder and the daemon are killed in its turn",
      async () => {
        const id = await tell("one", "take your time");
        const seen = (count: number) =>
          until(
            `the model has it ${count} times`,
            () => here.lab.model.saw(id),
            (times) => times >= count,
            slowMs,
          );
        await seen(1);
        for (const pid of programsOf(here, program.path)) process.kill(pid, "SIGKILL");
        await seen(2);
        process.kill(readLaunch(here.lab.constel, "agentwone")?.leader?.pid ?? 0, "SIGKILL");
        const { pid } = await here.says<{ pid: number }>("daemon", "status");
        process.kill(pid, "SIGKILL");
        await here.constel("daemon", "start");
        await here.tried([join(top, "bin/constel"), "watchdog", "tick"]);
        await seen(3);
        await here.lab.model.release("while");
        expect(await answered(id)).toEqual([{ text: "that took a while", sender: "agentwone" }]);
        await rests("one");
        expect(await answers(id)).toHaveLength(1);
      },
      slowMs * 4,
    );

    test(
      "one that may only read writes nothing, also when its conversation is resumed; another one does",
      async () => {
        await here.constel("worker", "start", "reader", "--type", name, "--read-only");
        const file = join(here.lab.work, "made-by-reader");
        await answered(await tell("reader", `please make ${file}`));
        await rests("reader");
        await answered(await tell("reader", `please make ${file} after all`));
        await rests("reader");
        const sessions = await here.query("select distinct session_id from worker_log where agent = 'agentwreader'");
        expect(sessions).toHaveLength(1);
        expect(existsSync(file)).toBe(false);
        const other = join(here.lab.work, "made-by-one");
        await answered(await tell("one", `please make ${other}`));
        expect(existsSync(other)).toBe(true);
      },
      slowMs * 4,
    );

    // Qwen Code makes no copies over its pipe.
    test.skipIf(!["claude", "codex", "opencode", "kimi"].includes(name))(
      "a turn begins in its conversation, in a copy of it, or anew after so many turns; how much the model reads then is told",
      async () => {
        const contexts = { going: "resume", copied: "fork", anew: "fresh:2" };
        for (const [worker, context] of Object.entries(contexts)) {
          await here.constel("worker", "start", worker, "--type", name, "--context", context);
          for (const word of ["first", "second", "third", "fourth"]) {
            await answered(await tell(worker, `${word} for ${worker} ${"and more ".repeat(200)}`));
            await rests(worker);
          }
          const mine = (await asked()).filter(({ prompt }) => prompt.includes(`for ${worker} `));
          const bodies = mine.map(({ body }) => readIn(body));
          const holds = bodies.map((body) =>
            ["first", "second", "third"].filter((word) => body.includes(`${word} for ${worker}`)),
          );
          const expected = {
            going: [["first"], ["first", "second"], ["first", "second", "third"], ["first", "second", "third"]],
            copied: [["first"], ["first", "second"], ["first", "third"], ["first"]],
            anew: [["first"], ["first", "second"], ["third"], ["third"]],
          }[worker as keyof typeof contexts];
          expect(holds).toEqual(expected);
          const read = bodies.map((body) => Math.round(body.length / 4));
          const known = bodies.map((body, at) => {
            const before = bodies.slice(0, at).map((one) => sharedStart(one, body));
            return Math.round(Math.max(0, ...before) / 4);
          });
          const told = read.map((tokens, at) => `${tokens} (${known[at]} of them read before)`);
          process.stderr.write(`${name}, ${context}: tokens a turn ${told.join(", ")}\n`);
        }
      },
      slowMs * 6,
    );

    test(
      "each guard outside of it parks one that does not end, and the model is not asked any more",
      async () => {
        const guards = {
          endless: [["--turns-per-hour", "2"], "go on for ever, please", "2 turns within an hour"],
          costly: [["--budget", "1000"], "use many tokens", "of the 1000 tokens"],
          late: [["--turn-minutes", "1"], "never end", "longer than 1 min"],
          same: [[], "always the same", "no progress: 3 turns"],
        } as const;
        for (const [worker, [flags]] of Object.entries(guards))
          await here.constel("worker", "start", worker, "--type", name, ...flags);
        await tell("endless", guards.endless[1]);
        await tell("late", guards.late[1]);
        await answered(await tell("costly", `${guards.costly[1]}, once`));
        await until(
          "its tokens are counted",
          () => here.query("select sum(input) as n from token_usage where agent = 'agentwcostly'"),
          ([row]) => Number(row?.["n"]) > 1_000,
          slowMs,
        );
        await tell("costly", `${guards.costly[1]}, again`);
        for (const time of [1, 2, 3]) await answered(await tell("same", `${guards.same[1]}, ${time}`));
        const parked = await until(
          "all are parked",
          () => here.query("select name, because from workers_now where state = 'parked' order by name"),
          (rows) => rows.length === Object.keys(guards).length,
          slowMs,
        );
        for (const { name: worker, because } of parked)
          expect(String(because)).toContain(guards[String(worker) as keyof typeof guards][2]);
        const turns = (rule: string) => here.lab.model.requests().then((all) => all.filter((one) => one.rule === rule));
        expect(new Set((await turns("endless")).map(({ prompt }) => /constel:(\S+?)\]/.exec(prompt)?.[1])).size).toBe(
          2,
        );
        expect(await turns("costly")).toHaveLength(1);
      },
      slowMs * 5,
    );

    test(
      "a message that its model refused is not answered, however its program ends that turn, and is tried again",
      async () => {
        await here.constel("worker", "start", "refused", "--type", name);
        const id = await tell("refused", "refuse this");
        await until(
          "it has failed",
          () => here.query("select failures from workers_now where name = 'refused'"),
          ([row]) => Number(row?.["failures"]) > 0,
          slowMs,
        );
        expect(await answers(id)).toEqual([]);
        expect(await here.query(`select state from messages where message_id = '${id}'`)).not.toEqual([
          { state: "acked" },
        ]);
      },
      slowMs * 2,
    );

    test(
      "two workers and no person: one asks, the other is woken and answers, and the wait of the first returns",
      async () => {
        await here.constel("worker", "start", "two", "--type", name);
        const [answer] = await answered(await tell("one", "ask the other one"));
        expect(String(answer?.["text"])).toContain("forty-two");
        await rests("two");
      },
      slowMs * 3,
    );
  });
}

/** The text of a request in the order in which a cache of beginnings reads it. Where a cache may begin is no part of it. */
function readIn(body: unknown): string {
  const { tools, system, instructions, messages, input } = body as Record<string, unknown>;
  const all = [tools, system ?? instructions, ...((messages ?? input ?? []) as unknown[])];
  return all
    .map((one) => JSON.stringify(one, (key, value: unknown) => (key === "cache_control" ? undefined : value)))
    .join("\n");
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

/** Processes of this lab's program, by their command line. */
function programsOf(here: TaskLab, path: string): number[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const env = readFileSync(`/proc/${pid}/environ`, "utf8");
      return line.split("\0").includes(path) && env.includes(here.lab.constel) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}
